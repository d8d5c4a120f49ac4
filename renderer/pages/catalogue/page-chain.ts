// The pages of a list that is paged by cursors: which are known, and which to fetch next for the rows in view. Knows nothing
// of how pages are fetched.
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import type { Page } from '../../../server/contract/list.ts';
import { type CatalogueList, cataloguePageSize, pageByNumber } from '../../api/queries.ts';
import { cursorOf } from '../../api/query-client.ts';

/** Up to so many pages are walked by cursors rather than jumped over: a jump counts rows, and rows may have arrived. */
const maxWalk = 2;
/** Pages fetched ahead of the view. */
export const pagesAhead = 2;

/** Indices of the first and the last row in view. */
export interface RowRange {
  first: number;
  last: number;
}

export const pageOf = (row: number) => Math.floor(row / cataloguePageSize);

export const isSameList = (one: CatalogueList | undefined, other: CatalogueList) =>
  one?.search === other.search && one.ordering === other.ordering;

/** One consistent chain of cursor pages. A list in which rows arrive is walked by the cursors of its own beginning. */
export class PageChain {
  readonly list: CatalogueList;
  readonly head: Page<Apk>;
  /** Of the pages that are known, by their numbers. */
  readonly cursors = new Map([[0, '']]);
  count: number;

  /** @param before its cursors stay valid where it is of the same list */
  constructor(list: CatalogueList, head: Page<Apk>, before: PageChain | null) {
    this.list = list;
    this.head = head;
    this.count = head.count;
    if (before?.isOf(list, head) === true) this.cursors = before.cursors;
    this.learn(0, head);
  }

  /** Whether it is of this list, and nothing has arrived at its beginning since. */
  isOf(list: CatalogueList, head: Page<Apk>): boolean {
    return isSameList(this.list, list) && this.head.next === head.next;
  }

  learn(index: number, page: Page<Apk>): void {
    const next = cursorOf(page.next);
    if (next !== undefined) this.cursors.set(index + 1, next);
    // Rows were deleted meanwhile: the last page says where the list really ends.
    else this.count = index * cataloguePageSize + page.results.length;
  }

  /**
   * The first page that rows in view need, and the one to fetch on the way to it.
   * @returns null where all are held
   */
  nextStep({ first, last }: RowRange, isHeld: (page: number) => boolean): { wanted: number; step: number } | null {
    const lastPage = Math.max(0, Math.ceil(this.count / cataloguePageSize) - 1);
    let wanted = Math.max(1, pageOf(first));
    const end = Math.min(lastPage, pageOf(last) + pagesAhead);
    while (wanted <= end && isHeld(wanted)) wanted += 1;
    if (wanted > end) return null;
    // A page is only reached by its predecessor's cursor: the nearest known one is where to go on.
    let step = wanted;
    while (step > 0 && !this.cursors.has(step)) step -= 1;
    if (step > 0 && wanted - step <= maxWalk) return { wanted, step };
    this.cursors.set(wanted, pageByNumber(wanted));
    return { wanted, step: wanted };
  }
}
