// Pages of lists: cursors, page sizes, links to the neighbours. Knows no record.
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { defaultPageSize, maxPageSize, type Page } from '../contract/list.ts';
import { Failure, FieldFailure } from '../services/failure.ts';
import type { PublicIds } from '../services/public-ids.ts';
import { baseUrl } from './addressing.ts';

/** Where a page of a list by cursor stands. */
export interface PageRequest {
  olderThan?: number | undefined;
  newerThan?: number | undefined;
  limit: number;
  /** The number of items as it was counted for the first page of the same search. */
  knownCount?: number | undefined;
  /** Stands for the search in cursors. */
  searchMark: number;
}

/** @throws FieldFailure where it is not a positive integer */
function pageSizeOf(query: Record<string, string>): number {
  const { page_size: text } = query;
  if (text === undefined) return defaultPageSize;
  // Any larger number is taken as the maximum.
  const size = /^\d+$/.test(text) ? Number(text) : 0;
  if (size === 0) throw new FieldFailure({ page_size: ['A positive integer is required.'] });
  return Math.min(maxPageSize, size);
}

/** Directions in a cursor. */
const older = 0;
const newer = 1;

/** 32 bits of the hash of a cursor's search. With another search the cursor's place still holds, its count does not. */
function markOf(search: string): number {
  return search === '' ? 0 : createHash('sha256').update(search).digest().readUInt32BE(0);
}

/**
 * Reads `cursor` and `page_size`.
 * @throws Failure `invalid-cursor`; FieldFailure for the page size
 */
export function pageRequestOf(query: Record<string, string>, ids: PublicIds, search = ''): PageRequest {
  const limit = pageSizeOf(query);
  const searchMark = markOf(search);
  const { cursor = '' } = query;
  if (cursor === '') return { limit, searchMark };
  const numbers = ids.decodeAll('cursor', cursor);
  if (numbers?.length !== 4) throw new Failure('invalid-cursor');
  const [direction, place, count, mark] = numbers as [number, number, number, number];
  const knownCount = search !== '' && mark === searchMark ? count : undefined;
  if (direction === older) return { olderThan: place, limit, searchMark, knownCount };
  if (direction === newer) return { newerThan: place, limit, searchMark, knownCount };
  throw new Failure('invalid-cursor');
}

/** The address of a neighbouring page: its cursor or number first, then the other parameters and the page size. */
function linkTo(request: Request, place: readonly [string, string], pageSize: number): string {
  const [name, value] = place;
  const at = request.originalUrl.indexOf('?');
  const others = new URLSearchParams(at === -1 ? '' : request.originalUrl.slice(at + 1));
  others.delete(name);
  // The neighbour is found by its cursor, not by an offset.
  others.delete('skip');
  others.set('page_size', String(pageSize));
  const path = (at === -1 ? request.originalUrl : request.originalUrl.slice(0, at)).replace(/\/*$/, '/');
  return `${baseUrl(request)}${path}?${name}=${value}&${others}`;
}

/**
 * The envelope of a page by cursor.
 * @param items newest first
 */
export function cursorPage<Item extends { id: number }, Shown>(
  request: Request,
  { searchMark, limit }: PageRequest,
  ids: PublicIds,
  page: { items: readonly Item[]; hasOlder: boolean; hasNewer: boolean; count: number },
  present: (item: Item) => Shown,
): Page<Shown> {
  const first = page.items[0];
  const last = page.items.at(-1);
  const link = (direction: number, { id }: Item) =>
    linkTo(request, ['cursor', ids.encode('cursor', direction, id, page.count, searchMark)], limit);
  return {
    count: page.count,
    next: last !== undefined && page.hasOlder ? link(older, last) : null,
    previous: first !== undefined && page.hasNewer ? link(newer, first) : null,
    results: page.items.map(present),
  };
}

/** The envelope of a list that is short enough to be sent whole. */
export const wholeList = <Shown>(results: Shown[]): Page<Shown> & { next: null; previous: null } => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});

/** A page by its number, as everything under `/analysts` is paged. */
export interface NumberedPageRequest {
  page: number;
  limit: number;
  offset: number;
}

/** @throws Failure `invalid-page`; FieldFailure for the page size */
export function numberedPageRequestOf(query: Record<string, string>): NumberedPageRequest {
  const limit = pageSizeOf(query);
  const { page: text = '' } = query;
  const page = text === '' ? 1 : /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (page === 0) throw new Failure('invalid-page');
  return { page, limit, offset: (page - 1) * limit };
}

/** @throws Failure `invalid-page` past the last page */
export function numberedPage<Shown>(
  request: Request,
  { page, limit, offset }: NumberedPageRequest,
  count: number,
  results: Shown[],
): Page<Shown> {
  if (page > 1 && offset >= count) throw new Failure('invalid-page');
  return {
    count,
    next: offset + limit < count ? linkTo(request, ['page', String(page + 1)], limit) : null,
    previous: page > 1 ? linkTo(request, ['page', String(page - 1)], limit) : null,
    results,
  };
}
