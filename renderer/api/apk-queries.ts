// Questions and changes about one APK: its reports by part, its contents, what analysts say of it. Knows no screen.
import { keepPreviousData, type QueryKey, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ApkDetail } from '../../server/contract/catalogue/apk.ts';
import type { LinesQuery } from '../../server/contract/engine/comparison.ts';
import type { CodePackage } from '../../server/contract/engine/exploration.ts';
import type { AndroguardReport, CuckooReport } from '../../server/contract/engine/reports.ts';
import type { Vote } from '../../server/contract/people/vote.ts';
import { ask, askBytes } from './client.ts';
import { keys, orNull, riskKey } from './queries.ts';
import { always, askAnew, fixed, queryClient, useAnswer, useChange, useCursorList } from './query-client.ts';

export interface ReportParts {
  androguard: AndroguardReport;
  cuckoo: CuckooReport;
  dynamic: Record<string, unknown>;
  device: Record<string, unknown>;
}

const reports: {
  [K in keyof ReportParts]: (asked: { sha256: string; signal: AbortSignal }) => Promise<ReportParts[K] | null>;
} = {
  androguard: (asked) => ask('GET /apks/<sha256>/analysis/androguard/', asked),
  cuckoo: (asked) => ask('GET /apks/<sha256>/analysis/cuckoo/', asked),
  dynamic: (asked) => ask('GET /apks/<sha256>/analysis/dynamic/', asked),
  device: (asked) => ask('GET /apks/<sha256>/analysis/device/', asked),
};

/** One report; null where that analysis was not made yet. They are large: each lives only as long as it is looked at. */
export const useReportPart = <K extends keyof ReportParts>(sha256: string, part: K, isWanted = true) =>
  useQuery({
    queryKey: [...keys.report(sha256), part],
    queryFn: ({ signal }) => orNull(reports[part]({ sha256, signal })),
    enabled: isWanted,
    ...fixed,
  });

/** The risk with its parts; null before the first report. Events that change evidence renew it. */
export const useRisk = (sha256: string) =>
  useQuery({
    queryKey: [...riskKey, sha256],
    queryFn: ({ signal }) => orNull(ask('GET /apks/<sha256>/risk/', { sha256, signal })),
  });

export const lineagePageSize = 50;

/** A page of the versions of an APK's package, the newest first. */
export const useLineage = (sha256: string, page: number) =>
  useAnswer(
    ['lineage', sha256, page],
    'GET /apks/<sha256>/lineage/',
    { sha256, query: { page, page_size: lineagePageSize } },
    { ...always, placeholderData: keepPreviousData },
  );

/** The server's comparison of two APKs; while it is made, how far it is. */
export const useServerComparison = (sha256: string, other: string, isWanted: boolean) =>
  useQuery({
    // Its sides are in the server's order, whichever APK is asked for first.
    queryKey: ['comparison', ...[sha256, other].sort()],
    queryFn: ({ signal }) => ask('GET /apks/<sha256>/compare/<other>/', { sha256, other, query: { wait: 2 }, signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && 'stage' in data ? 200 : false),
    enabled: isWanted,
    ...fixed,
  });

/** A class or method of two APKs, or their manifests, side by side; while they are compared, how far that is. */
export const useComparedLines = (sha256: string, other: string, asked: Partial<LinesQuery>) =>
  useQuery({
    queryKey: ['comparison', ...[sha256, other].sort(), asked],
    queryFn: ({ signal }) =>
      ask('GET /apks/<sha256>/compare/<other>/lines/', { sha256, other, query: { ...asked, wait: 2 }, signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && 'stage' in data ? 200 : false),
    ...fixed,
  });

/** Which entry: by name, and by number where the archive holds the name more than once; no name is the APK itself. */
export interface EntryPlace {
  path?: string | undefined;
  nth?: number | undefined;
}
const contentKey = (sha256: string, ...rest: unknown[]) => ['contents', sha256, ...rest] as const;
const placeKey = ({ path = '', nth = 0 }: EntryPlace) => `${nth}/${path}`;

/** Bytes come in pages of this size; the server gives sixteen times as much at once. */
export const contentPageSize = 64 * 1024;

export const contentPageOptions = (sha256: string, place: EntryPlace, page: number) => ({
  queryKey: contentKey(sha256, 'bytes', placeKey(place), page),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    askBytes('GET /apks/<sha256>/files/content/', {
      sha256,
      query: { ...place, offset: page * contentPageSize, length: contentPageSize },
      signal,
    }),
  ...fixed,
});

/** Where a text or bytes stand in a file; asked for once somebody has typed some. */
export const useByteSearch = (sha256: string, place: EntryPlace, asked: { q: string; as: 'text' | 'hex' } | null) =>
  useQuery({
    queryKey: contentKey(sha256, 'search', placeKey(place), asked),
    queryFn: ({ signal }) =>
      ask('GET /apks/<sha256>/files/search/', { sha256, query: { ...place, ...asked! }, signal }),
    enabled: asked !== null,
    retry: false,
    ...fixed,
  });

export const useEntropy = (sha256: string, place: EntryPlace) =>
  useQuery({
    queryKey: contentKey(sha256, 'entropy', placeKey(place)),
    queryFn: ({ signal }) => ask('GET /apks/<sha256>/files/entropy/', { sha256, query: { ...place }, signal }),
    ...fixed,
  });

/** The content from its start, as far as a text view takes it. */
export const useContentStart = (sha256: string, place: EntryPlace, length: number) =>
  useQuery({
    queryKey: contentKey(sha256, 'start', placeKey(place), length),
    queryFn: ({ signal }) =>
      askBytes('GET /apks/<sha256>/files/content/', { sha256, query: { ...place, length }, signal }),
    ...fixed,
  });

export const useImage = (sha256: string, place: EntryPlace) =>
  useQuery({
    queryKey: contentKey(sha256, 'image', placeKey(place)),
    queryFn: async ({ signal }) => {
      const { bytes, type } = await askBytes('GET /apks/<sha256>/files/image/', {
        sha256,
        query: { ...place },
        signal,
      });
      return new Blob([bytes], { type });
    },
    ...fixed,
  });

/** A whole entry, page by page. */
export async function contentOf(sha256: string, place: EntryPlace, size: number): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const step = 1024 * 1024;
  for (let offset = 0; offset < size; offset += step) {
    const query = { ...place, offset, length: step };
    parts.push((await askBytes('GET /apks/<sha256>/files/content/', { sha256, query })).bytes);
  }
  return parts;
}

/** What the app loaded while it was run. */
export const artefactOf = async (sha256: string, artefact: string) =>
  (await askBytes('GET /apks/<sha256>/artefacts/<artefact>/', { sha256, artefact })).bytes;

/** A question that the worker answers out of the APK's file. */
function useContents<T>(key: QueryKey, load: (signal: AbortSignal) => Promise<T>, isWanted = true) {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => load(signal),
    enabled: isWanted,
    retry: false,
    ...fixed,
  });
}

export const useXml = (sha256: string, place: EntryPlace, isWanted = true) =>
  useContents(
    contentKey(sha256, 'xml', placeKey(place)),
    (signal) => ask('GET /apks/<sha256>/files/xml/', { sha256, query: { ...place }, signal }),
    isWanted,
  );
export const useResourceOutline = (sha256: string) =>
  useContents(contentKey(sha256, 'resources'), (signal) => ask('GET /apks/<sha256>/resources/', { sha256, signal }));
export const useCodeOutline = (sha256: string) =>
  useContents(contentKey(sha256, 'code'), (signal) => ask('GET /apks/<sha256>/code/', { sha256, signal }));
export const usePermissionUses = (sha256: string) =>
  useContents(contentKey(sha256, 'permissions'), (signal) =>
    ask('GET /apks/<sha256>/code/permissions/', { sha256, signal }),
  );
export const useCodeClass = (sha256: string, name: string | null, dex: string | null) =>
  useContents(
    contentKey(sha256, 'class', name, dex),
    (signal) =>
      ask('GET /apks/<sha256>/code/class/', { sha256, query: { name: name ?? '', dex: dex ?? undefined }, signal }),
    name !== null,
  );

/** @param isWhole whether to wait for all methods of a class that takes long */
export const useJavaSource = (sha256: string, name: string, dex: string, isWhole: boolean, isWanted: boolean) =>
  useContents(
    contentKey(sha256, 'java', name, dex, isWhole),
    (signal) => ask('GET /apks/<sha256>/code/java/', { sha256, query: { class: name, dex, whole: isWhole }, signal }),
    isWanted,
  );

/** Classes of one request: the most that the server gives. */
const classPageSize = 5000;
/** Obfuscators put all classes of an app into one package; more than these are no list one reads. */
const maxClasses = 100_000;

async function codePackageOf(
  sha256: string,
  name: string,
  dex: string | null,
  signal: AbortSignal,
): Promise<CodePackage> {
  const pageFrom = (offset: number) =>
    ask('GET /apks/<sha256>/code/classes/', {
      sha256,
      query: { package: name, dex: dex ?? undefined, offset, limit: classPageSize },
      signal,
    });
  const first = await pageFrom(0);
  const classes = [...first.classes];
  while (classes.length < Math.min(first.classes_count, maxClasses)) {
    const page = await pageFrom(classes.length);
    if (page.classes.length === 0) break;
    classes.push(...page.classes);
  }
  return { ...first, classes };
}

export const codePackageOptions = (sha256: string, name: string, dex: string | null) => ({
  queryKey: contentKey(sha256, 'code/classes/', name, dex),
  queryFn: ({ signal }: { signal: AbortSignal }) => codePackageOf(sha256, name, dex, signal),
  ...fixed,
});

/** Items of one request of a list that pages by offset. */
const listPageSize = 200;

/** @param load a page, from an offset on */
export function useOffsetList<T extends { count: number; results: unknown[] }>(
  key: QueryKey,
  load: (page: { offset: number; limit: number }, signal: AbortSignal) => Promise<T>,
  isWanted = true,
) {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load({ offset: pageParam, limit: listPageSize }, signal),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => {
      const loaded = pages.reduce((sum, { results }) => sum + results.length, 0);
      return loaded < page.count && page.results.length > 0 ? loaded : undefined;
    },
    enabled: isWanted,
    retry: false,
    placeholderData: keepPreviousData,
    ...fixed,
  });
}

export const useResources = (sha256: string, type: string, search: string) =>
  useOffsetList(contentKey(sha256, 'resource-values', type, search), (page, signal) =>
    ask('GET /apks/<sha256>/resources/values/', {
      sha256,
      query: { ...page, type: type === '' ? undefined : type, search: search === '' ? undefined : search },
      signal,
    }),
  );

interface CodeSearch {
  q: string;
  /** The dex file that is searched alone. */
  only: string | null;
  kinds: string;
  regex: boolean;
  isCaseSensitive: boolean;
}
export const useCodeSearch = (sha256: string, { q, only, kinds, regex, isCaseSensitive }: CodeSearch) =>
  useOffsetList(
    contentKey(sha256, 'code-search', q, only, kinds, regex, isCaseSensitive),
    (page, signal) =>
      ask('GET /apks/<sha256>/code/search/', {
        sha256,
        query: {
          ...page,
          q,
          dex: only ?? undefined,
          kinds: kinds === '' ? undefined : kinds,
          regex,
          case: isCaseSensitive,
        },
        signal,
      }),
    q !== '',
  );
/** Goes on page by page: each ends after a moment, so that leaving ends the search. */
export const useJavaSearch = (
  sha256: string,
  { q, only, isCaseSensitive }: Pick<CodeSearch, 'q' | 'only' | 'isCaseSensitive'>,
) =>
  useInfiniteQuery({
    queryKey: contentKey(sha256, 'java-search', q, only, isCaseSensitive),
    queryFn: ({ pageParam, signal }) =>
      ask('GET /apks/<sha256>/code/java/search/', {
        sha256,
        query: { q, dex: only ?? undefined, case: isCaseSensitive, cursor: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    retry: false,
    ...fixed,
  });
export const useCallGraph = (sha256: string, of: string, steps: number) =>
  useContents(contentKey(sha256, 'calls', of, steps), (signal) =>
    ask('GET /apks/<sha256>/code/calls/', { sha256, query: { of, steps }, signal }),
  );
export const useCodeAt = (sha256: string, path: string, at: number) =>
  useAnswer(
    contentKey(sha256, 'code-at', path, at),
    'GET /apks/<sha256>/code/at/',
    { sha256, query: { path, at } },
    fixed,
  );

/** The bytes of a method's instructions, asked for when somebody copies them. */
export const askCodeBytes = (sha256: string, of: string, dex: string | undefined) =>
  ask('GET /apks/<sha256>/code/bytes/', { sha256, query: { of, ...(dex === undefined ? {} : { dex }) } });

export const useReferences = (sha256: string, of: string, direction: 'callers' | 'callees') =>
  useOffsetList(
    contentKey(sha256, 'references', of, direction),
    (page, signal) => ask('GET /apks/<sha256>/code/references/', { sha256, query: { ...page, of, direction }, signal }),
    of !== '',
  );

/** Asks again when the record says that their number has changed: others vote and comment too, rulesets match. */
export function useRefreshOn(count: number, key: QueryKey): void {
  const seen = useRef(count);
  useEffect(() => {
    if (seen.current === count) return;
    seen.current = count;
    void askAnew(key);
  });
}

export const votesKey = (sha256: string) => ['votes', sha256] as const;
export const matchesKey = (sha256: string) => ['matches', sha256] as const;
/** The record of an APK counts both, and `useRefreshOn` looks at it: in between they stay as they are. */
const counted = { staleTime: 10_000 };
export const useMatches = (sha256: string) =>
  useCursorList(matchesKey(sha256), (asked) => ask('GET /apks/<sha256>/matches/', { sha256, ...asked }), counted);
export const useVotes = (sha256: string) =>
  useCursorList(votesKey(sha256), (asked) => ask('GET /apks/<sha256>/votes/', { sha256, ...asked }), counted);

/** What other workstations said of an APK. */
export const useTold = (sha256: string) => useAnswer(['told', sha256], 'GET /apks/<sha256>/told/', { sha256 });

/** It changes the rating in the record as well. */
export const useVote = (sha256: string) =>
  useChange(
    (kind: Vote['kind']) => ask(`POST /apks/<sha256>/vote_${kind}/`, { sha256 }),
    votesKey(sha256),
    keys.apk(sha256),
  );

const setTags = (sha256: string, tagsOf: (apk: ApkDetail) => string[]) =>
  queryClient.setQueryData<ApkDetail>(keys.apk(sha256), (apk) => apk && { ...apk, tags: tagsOf(apk) });
export const useAddTag = (sha256: string) =>
  useMutation({
    mutationFn: (name: string) => ask('POST /apks/<sha256>/tags/', { sha256, body: { name } }),
    onSuccess: ({ tags }) => setTags(sha256, () => tags),
  });
export const useRemoveTag = (sha256: string) =>
  useMutation({
    mutationFn: (name: string) => ask('DELETE /apks/<sha256>/tags/<name>/', { sha256, name }),
    onSuccess: (_, name) => setTags(sha256, ({ tags }) => tags.filter((tag) => tag !== name)),
  });
