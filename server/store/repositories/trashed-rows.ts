// Decides which rows of a piece of the trash can be restored, by the rows that they refer to. Knows no database.

/** Rows by their table. */
export type RowSet = [table: string, rows: Record<string, unknown>[]][];

/** A column that refers to the id of another table's row. */
export interface TableLink {
  child: string;
  column: string;
  parent: string;
  /** 1: `on delete set null`. */
  isOptional: number;
  /** 1: `on delete cascade`. */
  isOwned: number;
}

/** Ids of a table's rows that exist, and of those in the trash with their item. */
export type ParentOf = (
  parent: string,
  ids: readonly number[],
) => Promise<{ there: ReadonlySet<number>; trashed: ReadonlyMap<number, number> }>;

interface Placed {
  table: string;
  row: Record<string, unknown>;
  /** undefined: it can be restored; null: its parent is gone; else the item that it has to wait in. */
  holder?: number | null;
}

/**
 * Sorts rows: nullable references to missing rows become null; a row whose parent is in the trash moves to the parent's
 * item; a row whose parent is gone is dropped.
 */
export async function insertablePart(
  rows: RowSet,
  links: readonly TableLink[],
  parentOf: ParentOf,
): Promise<{ insertable: RowSet; waiting: Map<number, RowSet> }> {
  const placed: Placed[] = rows.flatMap(([table, some]) => some.map((row) => ({ table, row })));
  const within = new Map(placed.map((one) => [`${one.table} ${one.row.id}`, one]));
  for (const { child, column, parent, isOptional } of links) {
    const referring = placed.filter(({ table, row }) => table === child && typeof row[column] === 'number');
    const outside = referring.filter(({ row }) => !within.has(`${parent} ${row[column]}`));
    if (outside.length === 0) continue;
    const { there, trashed } = await parentOf(parent, [...new Set(outside.map(({ row }) => row[column] as number))]);
    for (const one of outside) {
      const id = one.row[column] as number;
      if (there.has(id)) continue;
      if (isOptional === 1) one.row[column] = null;
      else one.holder ??= trashed.get(id) ?? null;
    }
  }
  followParents(placed, within, links);
  const of = (holder: number | undefined) =>
    rows
      .map(([table]): RowSet[number] => [
        table,
        placed.filter((one) => one.table === table && one.holder === holder).map(({ row }) => row),
      ])
      .filter(([, some]) => some.length > 0);
  const holders = new Set(placed.flatMap(({ holder }) => holder ?? []));
  return { insertable: of(undefined), waiting: new Map([...holders].map((holder) => [holder, of(holder)])) };
}

/** Children of a row that cannot be restored go the same way. */
function followParents(
  placed: readonly Placed[],
  within: ReadonlyMap<string, Placed>,
  links: readonly TableLink[],
): void {
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const one of placed) {
      for (const { child, column, parent, isOptional } of links) {
        if (child !== one.table || one.holder !== undefined) continue;
        const owner = within.get(`${parent} ${one.row[column]}`);
        if (owner?.holder === undefined) continue;
        if (isOptional === 1) one.row[column] = null;
        else one.holder = owner.holder;
        isDone = false;
      }
    }
  }
}
