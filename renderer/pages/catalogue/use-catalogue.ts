// The whole catalogue as rows by index, out of cursor pages that are fetched as they come into view. Knows nothing of
// how rows are drawn.
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import type { Page } from '../../../server/contract/list.ts';
import {
  type CatalogueList,
  catalogueHeadOptions,
  cataloguePageSize,
  fetchCataloguePage,
  keys,
} from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { isSameList, PageChain, pageOf, pagesAhead, type RowRange } from './page-chain.ts';

/** Pages kept in memory: some 8,000 rows around the view. Cursors are kept for good, so that any page comes back by one request. */
const maxPages = 80;

export interface Catalogue {
  count: number;
  /** `undefined` while its page is not there yet. */
  rowAt: (index: number) => Apk | undefined;
  onRange: (first: number, last: number) => void;
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
  /** APKs that arrived at the top since the list was opened. */
  arrived: number;
  showArrived: () => void;
}

/** The chain used last: coming back to a place deep in the list must not walk there again. */
let lastChain: PageChain | null = null;

/** The chain of a list; a new head begins another where the top is in view, elsewhere rows must not jump while one reads. */
function useChain(list: CatalogueList, head: Page<Apk> | undefined, range: RefObject<RowRange>) {
  const [chain, setChain] = useState<PageChain | null>(null);
  useEffect(() => {
    if (head === undefined) return;
    setChain((known) =>
      known === null || !isSameList(known.list, list) || known.isOf(list, head) || range.current.first === 0
        ? new PageChain(list, head, known ?? lastChain)
        : known,
    );
  }, [head, list, range]);
  useEffect(() => {
    if (chain !== null) lastChain = chain;
  }, [chain]);
  return [chain !== null && isSameList(chain.list, list) ? chain : null, setChain] as const;
}

function heldPage(chain: PageChain, index: number): Page<Apk> | undefined {
  if (index === 0) return chain.head;
  const cursor = chain.cursors.get(index);
  return cursor === undefined ? undefined : queryClient.getQueryData(keys.cataloguePage(chain.list, cursor));
}

/** Lets go of the pages farthest from the view where too many are held. @param latest fetched just now */
function forgetPages(chain: PageChain, latest: number, middle: number): void {
  const cached = queryClient.getQueryCache().findAll({ queryKey: ['catalogue-page'] });
  if (cached.length <= maxPages) return;
  const distance = new Map([...chain.cursors].map(([index, cursor]) => [cursor, Math.abs(index - middle)]));
  const farthest = cached
    .map(({ queryKey }) => ({ queryKey, far: distance.get(queryKey[2] as string) ?? Number.POSITIVE_INFINITY }))
    .filter(({ queryKey }) => queryKey[2] !== chain.cursors.get(latest) || Math.abs(latest - middle) > pagesAhead)
    .sort((a, b) => b.far - a.far);
  for (const { queryKey } of farthest.slice(0, cached.length - maxPages)) {
    queryClient.removeQueries({ queryKey, exact: true });
  }
}

/** Fetches the pages of the rows in view, one after the other. @param onPage one has come */
function useWalk(chain: PageChain | null, range: RefObject<RowRange>, onPage: () => void) {
  const [error, setError] = useState<Error | null>(null);
  const isWalking = useRef(false);
  const walk = useCallback(async () => {
    if (chain === null || isWalking.current) return;
    isWalking.current = true;
    try {
      for (;;) {
        const next = chain.nextStep(range.current, (index) => heldPage(chain, index) !== undefined);
        if (next === null) return setError(null);
        const cursor = chain.cursors.get(next.step)!;
        const page = await queryClient.fetchQuery({
          queryKey: keys.cataloguePage(chain.list, cursor),
          queryFn: ({ signal }) => fetchCataloguePage(chain.list, cursor, signal),
          staleTime: Number.POSITIVE_INFINITY,
          gcTime: 10 * 60_000,
        });
        chain.learn(next.step, page);
        if (page.next === null && next.step < next.wanted) range.current = { first: 0, last: 0 };
        forgetPages(chain, next.step, pageOf(range.current.first));
        onPage();
      }
    } catch (error) {
      setError(error instanceof Error ? error : new Error(String(error)));
    } finally {
      isWalking.current = false;
    }
  }, [chain, range, onPage]);
  useEffect(() => {
    void walk();
  }, [walk]);
  return { walk, error };
}

/** Events change cached pages in place; the rows in view have to follow, once a frame. */
function useChangedPages(onChange: () => void): void {
  useEffect(() => {
    let isDue = false;
    return queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || query.queryKey[0] !== 'catalogue-page' || isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        onChange();
      });
    });
  }, [onChange]);
}

/** @param list must stay the same object for as long as the component lives */
export function useCatalogue(list: CatalogueList): Catalogue {
  const head = useQuery(catalogueHeadOptions(list));
  const range = useRef<RowRange>({ first: 0, last: 0 });
  const [chain, setChain] = useChain(list, head.data, range);
  const [, redraw] = useReducer((version: number) => version + 1, 0);
  const { walk, error } = useWalk(chain, range, redraw);
  useChangedPages(redraw);
  const onRange = useCallback(
    (first: number, last: number) => {
      range.current = { first, last };
      void walk();
    },
    [walk],
  );
  return useMemo(
    () => ({
      count: chain?.count ?? 0,
      rowAt: (index) =>
        chain === null ? undefined : heldPage(chain, pageOf(index))?.results[index % cataloguePageSize],
      onRange,
      isLoading: chain === null && head.error === null,
      error: chain === null ? head.error : error,
      retry: () => void (chain === null ? head.refetch() : walk()),
      arrived:
        chain === null || head.data === undefined || chain.head === head.data
          ? 0
          : Math.max(0, head.data.count - chain.head.count),
      showArrived: () => {
        range.current = { first: 0, last: 0 };
        if (head.data !== undefined) setChain(new PageChain(list, head.data, null));
      },
    }),
    [chain, setChain, onRange, head, error, walk, list],
  );
}
