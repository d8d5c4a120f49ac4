// The whole catalogue as rows by index, out of cursor pages that are fetched as they come into view. Knows nothing of
// how rows are drawn.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import type { Page } from '../../../server/contract/list.ts';
import {
  type CatalogueList,
  catalogueHeadOptions,
  cataloguePageSize,
  cursorOf,
  fetchCataloguePage,
  keys,
  pageByNumber,
} from '../../api/queries.ts';

/** Pages kept in memory: some 8,000 rows around the view. Cursors are kept for good, so that any page comes back by one request. */
const maxPages = 80;
/** So many pages are walked over by cursors rather than jumped over: a jump counts rows, and rows may have arrived. */
const maxWalk = 2;
/** Pages fetched ahead of the view. */
const ahead = 2;

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

/** One consistent chain of cursor pages. A list in which rows arrive is walked by the cursors of its own beginning. */
class PageChain {
  readonly list: CatalogueList;
  readonly head: Page<Apk>;
  /** Of the pages that are known, by their numbers. */
  readonly cursors = new Map([[0, '']]);
  count: number;

  /** @param before where it is of the same list, its cursors go on being good */
  constructor(list: CatalogueList, head: Page<Apk>, before: PageChain | null) {
    this.list = list;
    this.head = head;
    this.count = head.count;
    if (isSame(before?.list, list) && before?.head.next === head.next) this.cursors = before.cursors;
    this.learn(0, head);
  }

  learn(index: number, page: Page<Apk>): void {
    const next = cursorOf(page.next);
    if (next !== undefined) this.cursors.set(index + 1, next);
    // Rows were deleted meanwhile: the last page says where the list really ends.
    else this.count = index * cataloguePageSize + page.results.length;
  }
}

const isSame = (one: CatalogueList | undefined, other: CatalogueList) =>
  one?.search === other.search && one.ordering === other.ordering;

/** The chain used last: coming back to a place deep in the list must not walk there again. */
let lastChain: PageChain | null = null;

/** @param list must stay the same object for as long as the component lives */
export function useCatalogue(list: CatalogueList): Catalogue {
  const client = useQueryClient();
  const head = useQuery(catalogueHeadOptions(list));
  const [chain, setChain] = useState<PageChain | null>(null);
  const [, setVersion] = useState(0);
  const [pageError, setPageError] = useState<Error | null>(null);
  const range = useRef({ first: 0, last: 0 });
  const isWalking = useRef(false);

  // A new head starts a new chain where the top is in view; elsewhere it waits, so that rows do not jump while one reads.
  useEffect(() => {
    if (head.data === undefined) return;
    setChain((current) => {
      const isSameList = isSame(current?.list, list) && current?.head.next === head.data.next;
      return isSameList || !isSame(current?.list, list) || range.current.first === 0
        ? new PageChain(list, head.data, current ?? lastChain)
        : current;
    });
  }, [head.data, list]);

  useEffect(() => {
    if (chain !== null) lastChain = chain;
  }, [chain]);

  const current = chain !== null && isSame(chain.list, list) ? chain : null;

  const pageAt = useCallback(
    (of: PageChain, index: number): Page<Apk> | undefined => {
      if (index === 0) return of.head;
      const cursor = of.cursors.get(index);
      return cursor === undefined ? undefined : client.getQueryData<Page<Apk>>(keys.cataloguePage(of.list, cursor));
    },
    [client],
  );

  const walk = useCallback(async () => {
    if (current === null || isWalking.current) return;
    isWalking.current = true;
    try {
      for (;;) {
        const { first, last } = range.current;
        const lastPage = Math.max(0, Math.ceil(current.count / cataloguePageSize) - 1);
        const from = Math.floor(first / cataloguePageSize);
        const to = Math.min(lastPage, Math.floor(last / cataloguePageSize) + ahead);
        let wanted = -1;
        for (let index = Math.max(1, from); index <= to; index++) {
          if (pageAt(current, index) === undefined) {
            wanted = index;
            break;
          }
        }
        if (wanted === -1) return;
        // A page is only reached by its predecessor's cursor: the nearest known one is where to go on.
        let step = wanted;
        while (step > 0 && !current.cursors.has(step)) step -= 1;
        if (step === 0 || wanted - step > maxWalk) {
          current.cursors.set(wanted, pageByNumber(wanted));
          step = wanted;
        }
        const cursor = current.cursors.get(step)!;
        const page = await client.fetchQuery({
          queryKey: keys.cataloguePage(list, cursor),
          queryFn: ({ signal }) => fetchCataloguePage(list, cursor, signal),
          staleTime: Number.POSITIVE_INFINITY,
          gcTime: 10 * 60_000,
        });
        setPageError(null);
        current.learn(step, page);
        if (page.next === null && step < wanted) range.current = { first: 0, last: 0 };
        forget(step);
        setVersion((version) => version + 1);
      }
    } catch (error) {
      setPageError(error instanceof Error ? error : new Error(String(error)));
    } finally {
      isWalking.current = false;
    }

    function forget(latest: number): void {
      const cached = client.getQueryCache().findAll({ queryKey: ['catalogue-page'] });
      if (cached.length <= maxPages) return;
      const middle = Math.floor(range.current.first / cataloguePageSize);
      const distance = new Map([...current!.cursors].map(([index, cursor]) => [cursor, Math.abs(index - middle)]));
      const farthest = cached
        .map(({ queryKey }) => ({ queryKey, far: distance.get(queryKey[2] as string) ?? Number.POSITIVE_INFINITY }))
        .filter(({ queryKey }) => queryKey[2] !== current!.cursors.get(latest) || Math.abs(latest - middle) > ahead)
        .sort((a, b) => b.far - a.far);
      for (const { queryKey } of farthest.slice(0, cached.length - maxPages)) {
        client.removeQueries({ queryKey, exact: true });
      }
    }
  }, [client, current, pageAt, list]);

  useEffect(() => {
    void walk();
  }, [walk]);

  // Events change cached pages in place; the rows in view have to follow.
  useEffect(() => {
    let isDue = false;
    return client.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || query.queryKey[0] !== 'catalogue-page' || isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        setVersion((version) => version + 1);
      });
    });
  }, [client]);

  const onRange = useCallback(
    (first: number, last: number) => {
      range.current = { first, last };
      void walk();
    },
    [walk],
  );

  const arrived =
    current === null || head.data === undefined || current.head === head.data
      ? 0
      : Math.max(0, head.data.count - current.head.count);

  return useMemo(
    () => ({
      count: current?.count ?? 0,
      rowAt: (index: number) =>
        current === null
          ? undefined
          : pageAt(current, Math.floor(index / cataloguePageSize))?.results[index % cataloguePageSize],
      onRange,
      isLoading: current === null && head.error === null,
      error: current === null ? head.error : pageError,
      retry: () => {
        setPageError(null);
        if (current === null) void head.refetch();
        else void walk();
      },
      arrived,
      showArrived: () => {
        range.current = { first: 0, last: 0 };
        if (head.data !== undefined) setChain(new PageChain(list, head.data, null));
      },
    }),
    [current, pageAt, onRange, head, pageError, arrived, walk, list],
  );
}
