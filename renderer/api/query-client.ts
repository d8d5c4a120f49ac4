// Answers of the server that are kept in memory: how they are asked for, page by page too, and changed. Knows no resource.
import {
  type InfiniteData,
  MutationCache,
  QueryClient,
  type QueryKey,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type { Page } from '../../server/contract/list.ts';
import { tellError } from '../components/form/tell-error.ts';
import { type AnswerOf, ApiError, type Arguments, type Asked, ask, type JsonKey } from './client.ts';
import { renewed } from './renewed.ts';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: { isToldByForm?: true };
  }
}

/** For changes whose form shows why they failed; all others are told in a notification. */
export const toldByForm = { isToldByForm: true } as const;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Events say when something changed; a return to the window is no reason to ask again.
      refetchOnWindowFocus: false,
      staleTime: 60_000,
      retry: (failures, error) => failures < 2 && (!(error instanceof ApiError) || error.status >= 500),
    },
  },
  mutationCache: new MutationCache({
    onError: (error, _given, _result, { meta }) => {
      if (meta?.isToldByForm !== true) tellError(error);
    },
  }),
});

/** For answers that no event renews: they are asked for whenever they are looked at. */
export const always = { staleTime: 0 } as const;

/** What an APK's file holds never changes, and is large: it leaves the memory some time after it was last looked at. */
export const fixed = { staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000, structuralSharing: false } as const;

type AnswerOptions<T> = Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'>;
type Asking<K extends JsonKey> = Omit<Asked<K>, 'signal'>;

/**
 * The answer of an operation of the contract, kept under a key.
 * @param operation and what it is asked, as for `ask`; then options of `useQuery`
 */
export function useAnswer<K extends JsonKey>(
  queryKey: QueryKey,
  operation: K,
  ...[asked, options]: Record<never, never> extends Asking<K>
    ? [asked?: Asking<K>, options?: AnswerOptions<AnswerOf<K>>]
    : [asked: Asking<K>, options?: AnswerOptions<AnswerOf<K>>]
) {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => ask(operation, ...([{ ...asked, signal }] as unknown as Arguments<Asked<K>>)),
    ...options,
  });
}

/** Where the next page of a list begins, as the list itself says. */
export const cursorOf = (address: string | null, name: 'cursor' | 'page' = 'cursor') =>
  address === null ? undefined : (new URL(address).searchParams.get(name) ?? undefined);

interface CursorAsked {
  query: { cursor?: string | undefined; page_size: number };
  signal: AbortSignal;
}

/** What is loaded of a list, and how much it holds in all. */
const loaded = <T>({ pages }: InfiniteData<Page<T>>) => ({
  items: pages.flatMap(({ results }) => results),
  count: pages[0]?.count ?? 0,
});

/** A list of the API that pages by cursor, loaded page by page. */
export const useCursorList = <T>(
  queryKey: QueryKey,
  load: (asked: CursorAsked) => Promise<Page<T>>,
  { staleTime }: { staleTime: number } = always,
) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load({ query: { cursor: pageParam, page_size: 100 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => cursorOf(next) ?? cursorOf(next, 'page'),
    select: loaded<T>,
    staleTime,
  });

/** Has answers asked for anew, at once where they are looked at. */
export const askAnew = (...keys: readonly QueryKey[]) => Promise.all(keys.map((key) => renewed(queryClient, key)));

/** A change on the server; it stays pending until the answers that it makes stale have been fetched again. */
export const useChange = <Answer, Given = void>(act: (given: Given) => Promise<Answer>, ...stale: QueryKey[]) =>
  useMutation({ mutationFn: act, onSuccess: () => askAnew(...stale) });
