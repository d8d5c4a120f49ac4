// Paging by id that costs the same on every page. Knows no table.

/** Newest first: below `olderThan` or right above `newerThan` (ids), from the newest where neither is given. */
export interface KeysetRequest {
  olderThan?: number | undefined;
  newerThan?: number | undefined;
  limit: number;
}

export interface KeysetPage<Row> {
  /** Newest first. */
  rows: Row[];
  hasOlder: boolean;
  hasNewer: boolean;
}

export interface KeysetRange {
  direction: 'asc' | 'desc';
  /** Only ids beyond this one in the direction; null: from the beginning. */
  beyond: number | null;
  limit: number;
}

/**
 * One page of rows.
 * @param select rows of a range, in its direction
 */
export async function keysetPage<Row extends { id: number }>(
  { olderThan, newerThan, limit }: KeysetRequest,
  select: (range: KeysetRange) => Promise<Row[]>,
): Promise<KeysetPage<Row>> {
  const isUpwards = olderThan === undefined && newerThan !== undefined;
  const direction = isUpwards ? 'asc' : 'desc';
  const beyond = (isUpwards ? newerThan : olderThan) ?? null;
  // One row more than wanted tells whether there is a further page.
  const rows = await select({ direction, beyond, limit: limit + 1 });
  const hasFurther = rows.length > limit;
  if (hasFurther) rows.pop();
  // Behind the page stands at least the row it starts beyond, unless that was deleted: look.
  const hasBehind = beyond !== null && (await hasRowsBehind(beyond, isUpwards, select));
  if (isUpwards) rows.reverse();
  return { rows, hasOlder: isUpwards ? hasBehind : hasFurther, hasNewer: isUpwards ? hasFurther : hasBehind };
}

async function hasRowsBehind<Row>(
  beyond: number,
  isUpwards: boolean,
  select: (range: KeysetRange) => Promise<Row[]>,
): Promise<boolean> {
  const range: KeysetRange = isUpwards
    ? { direction: 'desc', beyond: beyond + 1, limit: 1 }
    : { direction: 'asc', beyond: beyond - 1, limit: 1 };
  return (await select(range)).length > 0;
}
