// Questions and changes that many screens have for the server: the account, APKs, the catalogue's pages, jobs. Knows
// nothing of how answers are shown.
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { Apk, ApkDetail } from '../../server/contract/catalogue/apk.ts';
import type { AnalysisKind } from '../../server/contract/jobs/job.ts';
import type { Page } from '../../server/contract/list.ts';
import type { PasswordChangeBody, SessionRequest } from '../../server/contract/people/account.ts';
import type { Action } from '../../server/contract/policy.ts';
import { useSession } from '../state/session.ts';
import { ApiError, ask } from './client.ts';
import { askAnew, fixed, queryClient, toldByForm, useAnswer, useChange, useCursorList } from './query-client.ts';

/** Which rows in which order: a search and columns as the API's `ordering` names them. */
export interface CatalogueList {
  search: string;
  ordering: string;
}

/** Which jobs a cached list holds. */
export interface JobFilter {
  status?: 'active';
  apk?: string;
}

/** Every risk that is asked for begins with it. */
export const riskKey = ['risk'] as const;

export const keys = {
  account: ['account'] as const,
  health: ['health'] as const,
  apk: (sha256: string) => ['apk', sha256] as const,
  report: (sha256: string) => ['report', sha256] as const,
  manifest: (sha256: string) => ['manifest', sha256] as const,
  files: (sha256: string) => ['files', sha256] as const,
  jobs: (filter: JobFilter) => ['jobs', filter] as const,
  jobHistory: ['job-history'] as const,
  catalogueHead: (list: CatalogueList) => ['catalogue-head', list] as const,
  cataloguePage: (list: CatalogueList, place: string) => ['catalogue-page', list, place] as const,
};

export const openSession = (body: SessionRequest) => ask('POST /session/', { body });
export const closeSession = () => ask('DELETE /session/');

export const useAccount = () => useAnswer(keys.account, 'GET /account/');

/** Whether who is logged in may do a thing, as the server says; nobody may anything before it has answered. */
export function useMay() {
  const { data } = useAccount();
  return (action: Action): boolean => data?.may.includes(action) === true;
}

export const useHealth = () => useAnswer(keys.health, 'GET /health/', {}, { refetchInterval: 60_000 });

export const usePasswordChange = () =>
  useMutation({
    mutationFn: (body: PasswordChangeBody) => ask('POST /account/password/', { body }),
    onSuccess: () => askAnew(keys.account),
    meta: toldByForm,
  });

/** Takes another name; the session goes on under it. */
export const useRenaming = () =>
  useMutation({
    mutationFn: (username: string) => ask('POST /account/username/', { body: { username } }),
    onSuccess: (account) => {
      queryClient.setQueryData(keys.account, account);
      const { session, begin } = useSession.getState();
      if (session !== null) begin({ ...session, username: account.username });
    },
    meta: toldByForm,
  });

/** As many as the server gives at once. */
export const cataloguePageSize = 100;

export const catalogueHeadOptions = (list: CatalogueList) =>
  queryOptions({
    queryKey: keys.catalogueHead(list),
    queryFn: ({ signal }) => fetchCataloguePage(list, '', signal),
    staleTime: 0,
    retry: (failures, error) => failures < 2 && !(error instanceof ApiError),
  });

/** A page that is reached by its number rather than by its predecessor's cursor. */
export const pageByNumber = (index: number) => `@${index}`;

/** @param place a cursor, `pageByNumber`, or empty for the first page */
export const fetchCataloguePage = ({ search, ordering }: CatalogueList, place: string, signal?: AbortSignal) =>
  ask('GET /apks/', {
    query: {
      cursor: place === '' || place.startsWith('@') ? undefined : place,
      skip: place.startsWith('@') ? String(Number(place.slice(1)) * cataloguePageSize) : undefined,
      page_size: cataloguePageSize,
      search: search === '' ? undefined : search,
      ordering: ordering === '' ? undefined : ordering,
    },
    signal,
  });

/** The record of an APK as the lists that hold it show it now: events change these, and not what was once taken from them. */
export function latestApk(apk: Apk): Apk {
  const pages = ['catalogue-head', 'catalogue-page'].flatMap((prefix) =>
    queryClient.getQueriesData<Page<Apk>>({ queryKey: [prefix] }),
  );
  const held = pages.flatMap(([, page]) => page?.results.find(({ sha256 }) => sha256 === apk.sha256) ?? []);
  return held.reduce((latest, one) => (one.updated_at > latest.updated_at ? one : latest), apk);
}

export const useApk = (sha256: string) => useAnswer(keys.apk(sha256), 'GET /apks/<sha256>/', { sha256 });

/** What an analysis left; null where it was not made yet. */
export const orNull = <T>(report: Promise<T>): Promise<T | null> =>
  report.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });

export const useManifest = (sha256: string) =>
  useQuery({
    queryKey: keys.manifest(sha256),
    queryFn: ({ signal }) => orNull(ask('GET /apks/<sha256>/manifest/', { sha256, signal })),
    ...fixed,
  });

export const useFiles = (sha256: string) =>
  useQuery({
    queryKey: keys.files(sha256),
    queryFn: ({ signal }) => orNull(ask('GET /apks/<sha256>/files/', { sha256, signal })),
    ...fixed,
  });

export const useJobs = (filter: JobFilter) =>
  useAnswer(keys.jobs(filter), 'GET /jobs/', { query: { ...filter, page_size: 100 } });

export const useJobHistory = () => useCursorList(keys.jobHistory, (asked) => ask('GET /jobs/', asked));

export const useAnalyse = (sha256: string) =>
  useMutation({
    mutationFn: (kind: AnalysisKind) => ask(`POST /apks/<sha256>/analyze_${kind}/`, { sha256 }),
    onSuccess: () => askAnew(['jobs']),
    meta: toldByForm,
  });

export const useCancelJob = () =>
  useMutation({
    mutationFn: (id: string) => ask('POST /jobs/<id>/cancel/', { id }),
    onSuccess: ({ apk }) => askAnew(apk === null ? ['jobs'] : keys.jobs({ apk: apk.sha256 })),
  });

export const useTrust = (sha256: string) =>
  useMutation({
    mutationFn: (isTrusted: boolean) => ask('PATCH /apks/<sha256>/', { sha256, body: { is_trusted: isTrusted } }),
    onSuccess: (apk) => queryClient.setQueryData<ApkDetail>(keys.apk(sha256), (known) => ({ ...known, ...apk })),
  });

export const useDeleteApk = (sha256: string) => useChange(() => ask('DELETE /apks/<sha256>/', { sha256 }));
export const useDownloadLink = (sha256: string) =>
  useChange((isLocked: boolean) =>
    ask('GET /apks/<sha256>/download/', { sha256, query: isLocked ? { locked: true } : {} }),
  );
