// Questions and changes about one APK: its reports by part, its contents, what analysts say of it. Knows no screen.
import { keepPreviousData, type QueryKey, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ApkDetail } from '../../server/contract/apk.ts';
import type {
  CodeClass,
  CodeOutline,
  CodePackage,
  CodeSearchPage,
  PermissionUses,
  ReferencePage,
  ResourceOutline,
  ResourcePage,
  XmlText,
} from '../../server/contract/exploration.ts';
import type { Page } from '../../server/contract/list.ts';
import type { Match } from '../../server/contract/match.ts';
import type { AndroguardReport, CuckooReport } from '../../server/contract/reports.ts';
import type { CastVote, Vote } from '../../server/contract/vote.ts';
import { askBytes, request } from './client.ts';
import { apkPath, cursorOf, keys, queryClient, requestReport } from './queries.ts';

/** What an APK's file holds never changes; what is no longer looked at leaves the memory after this time. */
const fixed = { staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000 } as const;

export interface ReportParts {
  androguard: AndroguardReport;
  cuckoo: CuckooReport;
  dynamic: Record<string, unknown>;
  device: Record<string, unknown>;
}

/** One report; null where that analysis was not made yet. They are large: each lives only as long as it is looked at. */
export const useReportPart = <K extends keyof ReportParts>(sha256: string, part: K, isWanted = true) =>
  useQuery({
    queryKey: [...keys.report(sha256), part],
    queryFn: ({ signal }) => requestReport<ReportParts[K]>(apkPath(sha256, `analysis/${part}/`), signal),
    enabled: isWanted,
    structuralSharing: false,
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
  structuralSharing: false,
  ...fixed,
});

/** The content from its start, as far as a text view takes it. */
export const useContentStart = (sha256: string, place: EntryPlace, length: number, isWanted: boolean) =>
  useQuery({
    queryKey: contentKey(sha256, 'start', placeKey(place), length),
    queryFn: ({ signal }) =>
      askBytes('GET /apks/<sha256>/files/content/', { sha256, query: { ...place, length }, signal }),
    enabled: isWanted,
    structuralSharing: false,
    ...fixed,
  });

export const useImage = (sha256: string, place: EntryPlace, isWanted = true) =>
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
    enabled: isWanted,
    structuralSharing: false,
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
function useContents<T>(
  sha256: string,
  path: string,
  query: Record<string, string | number | undefined>,
  isWanted = true,
) {
  return useQuery({
    queryKey: contentKey(sha256, path, query),
    queryFn: ({ signal }) => request<T>(apkPath(sha256, path), { query, signal }),
    enabled: isWanted,
    retry: false,
    structuralSharing: false,
    ...fixed,
  });
}

export const useXml = (sha256: string, place: EntryPlace, isWanted = true) =>
  useContents<XmlText>(sha256, 'files/xml/', { ...place }, isWanted);
export const useResourceOutline = (sha256: string) => useContents<ResourceOutline>(sha256, 'resources/', {});
export const useCodeOutline = (sha256: string) => useContents<CodeOutline>(sha256, 'code/', {});
export const usePermissionUses = (sha256: string) => useContents<PermissionUses>(sha256, 'code/permissions/', {});
export const useCodeClass = (sha256: string, name: string | null, dex: string | null) =>
  useContents<CodeClass>(sha256, 'code/class/', { name: name ?? '', dex: dex ?? undefined }, name !== null);

/** Classes of one request: the most that the server gives. */
const classPageSize = 5000;
/** Obfuscators put all classes of an app into one package; more than these are no list one reads. */
const maxClasses = 100_000;

async function codePackageOf(sha256: string, name: string, signal: AbortSignal): Promise<CodePackage> {
  const ask = (offset: number) =>
    request<CodePackage>(apkPath(sha256, 'code/classes/'), {
      query: { package: name, offset, limit: classPageSize },
      signal,
    });
  const first = await ask(0);
  const classes = [...first.classes];
  while (classes.length < Math.min(first.classes_count, maxClasses)) {
    const page = await ask(classes.length);
    if (page.classes.length === 0) break;
    classes.push(...page.classes);
  }
  return { ...first, classes };
}

export const codePackageOptions = (sha256: string, name: string) => ({
  queryKey: contentKey(sha256, 'code/classes/', name),
  queryFn: ({ signal }: { signal: AbortSignal }) => codePackageOf(sha256, name, signal),
  structuralSharing: false,
  ...fixed,
});

/** Items of one request of a list that pages by offset. */
const listPageSize = 200;

function useOffsetList<T extends { count: number; results: unknown[] }>(
  sha256: string,
  path: string,
  query: Record<string, string | number | undefined>,
  isWanted: boolean,
) {
  return useInfiniteQuery({
    queryKey: contentKey(sha256, path, query),
    queryFn: ({ pageParam, signal }) =>
      request<T>(apkPath(sha256, path), { query: { ...query, offset: pageParam, limit: listPageSize }, signal }),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => {
      const loaded = pages.reduce((sum, { results }) => sum + results.length, 0);
      return loaded < page.count && page.results.length > 0 ? loaded : undefined;
    },
    enabled: isWanted,
    retry: false,
    structuralSharing: false,
    placeholderData: keepPreviousData,
    ...fixed,
  });
}

export const useResources = (sha256: string, type: string, search: string) =>
  useOffsetList<ResourcePage>(
    sha256,
    'resources/values/',
    { type: type === '' ? undefined : type, search: search === '' ? undefined : search },
    true,
  );

interface CodeSearch {
  q: string;
  kinds: string;
  regex: boolean;
  isCaseSensitive: boolean;
}
export const useCodeSearch = (sha256: string, { q, kinds, regex, isCaseSensitive }: CodeSearch) =>
  useOffsetList<CodeSearchPage>(
    sha256,
    'code/search/',
    { q, kinds: kinds === '' ? undefined : kinds, regex: String(regex), case: String(isCaseSensitive) },
    q !== '',
  );
export const useReferences = (sha256: string, of: string, direction: 'callers' | 'callees') =>
  useOffsetList<ReferencePage>(sha256, 'code/references/', { of, direction }, of !== '');

/** A list of the API that pages by cursor, loaded page by page. */
function useCursorList<T>(key: readonly unknown[], path: string) {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      request<Page<T>>(path, { query: { cursor: pageParam, page_size: 100 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: 10_000,
  });
}

/** Asks again when the record says that their number has changed: others vote and comment too, rulesets match. */
export function useRefreshOn(count: number, key: QueryKey): void {
  const seen = useRef(count);
  useEffect(() => {
    if (seen.current === count) return;
    seen.current = count;
    void queryClient.invalidateQueries({ queryKey: key });
  });
}

export const votesKey = (sha256: string) => ['votes', sha256] as const;
export const matchesKey = (sha256: string) => ['matches', sha256] as const;
export const useMatches = (sha256: string) => useCursorList<Match>(matchesKey(sha256), apkPath(sha256, 'matches/'));
export const useVotes = (sha256: string) => useCursorList<Vote>(votesKey(sha256), apkPath(sha256, 'votes/'));

export const useVote = (sha256: string) =>
  useMutation({
    mutationFn: (kind: Vote['kind']) => request<CastVote>(apkPath(sha256, `vote_${kind}/`), { method: 'POST' }),
    // A vote changes the rating.
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: votesKey(sha256) }),
        queryClient.invalidateQueries({ queryKey: keys.apk(sha256) }),
      ]),
  });
export const useAddTag = (sha256: string) =>
  useMutation({
    mutationFn: (name: string) =>
      request<{ tags: string[] }>(apkPath(sha256, 'tags/'), { method: 'POST', body: { name } }),
    onSuccess: ({ tags }) =>
      queryClient.setQueryData<ApkDetail>(keys.apk(sha256), (apk) => (apk === undefined ? apk : { ...apk, tags })),
  });
export const useRemoveTag = (sha256: string) =>
  useMutation({
    mutationFn: (name: string) =>
      request<void>(apkPath(sha256, `tags/${encodeURIComponent(name)}/`), { method: 'DELETE' }),
    onSuccess: (_, name) =>
      queryClient.setQueryData<ApkDetail>(keys.apk(sha256), (apk) =>
        apk === undefined ? apk : { ...apk, tags: apk.tags.filter((tag) => tag !== name) },
      ),
  });
