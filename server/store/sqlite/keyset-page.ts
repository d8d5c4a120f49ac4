// Paging by id that costs the same on every page, and counting. Knows no table.
import { type SelectQueryBuilder, sql } from 'kysely';

/** Newest first: below `olderThan` or right above `newerThan` (ids), from the newest where neither is given. */
export interface KeysetRequest {
  olderThan?: number | undefined;
  newerThan?: number | undefined;
  limit: number;
}

export interface KeysetPage<Record> {
  /** Newest first. */
  items: Record[];
  hasOlder: boolean;
  hasNewer: boolean;
}

/**
 * One page of what a query finds.
 * @param idColumn what it is ordered by; with its table's name where others are joined
 * @param toRecord what the page holds of a row
 */
export async function pageOf<Tables, Joined extends keyof Tables, Row extends { id: number }, Record>(
  query: SelectQueryBuilder<Tables, Joined, Row>,
  { olderThan, newerThan, limit }: KeysetRequest,
  idColumn: string,
  toRecord: (row: Row) => Record,
): Promise<KeysetPage<Record>> {
  const id = sql.ref<number>(idColumn);
  const upwards = (from: number) => query.where(id, '>', from).orderBy(id, 'asc');
  const downwards = (from: number) => query.where(id, '<', from).orderBy(id, 'desc');
  const isUpwards = olderThan === undefined && newerThan !== undefined;
  const beyond = isUpwards ? newerThan : olderThan;
  const ordered = beyond === undefined ? query.orderBy(id, 'desc') : (isUpwards ? upwards : downwards)(beyond);
  // One row more than wanted tells whether there is a further page.
  const rows = await ordered.limit(limit + 1).execute();
  const hasFurther = rows.length > limit;
  if (hasFurther) rows.pop();
  // Behind the page stands at least the row it starts beyond, unless that was deleted: look.
  const behind = beyond === undefined ? null : isUpwards ? downwards(beyond + 1) : upwards(beyond - 1);
  const hasBehind = behind !== null && (await behind.limit(1).execute()).length > 0;
  if (isUpwards) rows.reverse();
  const ends = { hasOlder: isUpwards ? hasBehind : hasFurther, hasNewer: isUpwards ? hasFurther : hasBehind };
  return { items: rows.map(toRecord), ...ends };
}

/** How many rows a query finds. */
export async function countOf<Tables, Joined extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Joined, object>,
): Promise<number> {
  const counted = query.select(({ fn }) => fn.countAll<number>().as('count')).$castTo<{ count: number }>();
  return (await counted.executeTakeFirstOrThrow()).count;
}
