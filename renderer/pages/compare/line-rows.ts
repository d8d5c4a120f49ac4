// The rows of two texts side by side as the page counts them. Knows neither their words nor how they are drawn.
import type { ComparedLines, ComparedRow } from '../../../server/contract/engine/comparison.ts';

export interface Row extends ComparedRow {
  firstLine: number;
  secondLine: number;
  /** Lines that are left out before it. */
  gap: number;
}

const isDifferent = ({ state }: ComparedRow) => state !== 'same' && state !== 'renamed';

/** In the order of the page, with the numbers of their lines. */
export function rowsOf({ hunks }: ComparedLines, isSwapped: boolean): Row[] {
  const states = { removed: 'added', added: 'removed' } as Record<string, ComparedRow['state']>;
  let end = 1;
  return hunks.flatMap(({ first_start, second_start, rows }) => {
    let [one, other] = [first_start, second_start];
    let gap = first_start - end;
    const shown = rows.map((row) => {
      const [first, second] = isSwapped ? [row.second, row.first] : [row.first, row.second];
      const [firstLine, secondLine] = isSwapped ? [other, one] : [one, other];
      if (row.first !== null) one++;
      if (row.second !== null) other++;
      const state = isSwapped ? (states[row.state] ?? row.state) : row.state;
      const made = { state, first, second, firstLine, secondLine, gap: Math.max(0, gap) };
      gap = 0;
      return made;
    });
    end = one;
    return shown;
  });
}

/** Where stretches of rows that differ begin; of those that have other names alone where there are no others. */
export function differencesIn(rows: readonly ComparedRow[]): number[] {
  const counts = rows.some(isDifferent) ? isDifferent : ({ state }: ComparedRow) => state === 'renamed';
  return rows.flatMap((row, place) => (counts(row) && (place === 0 || !counts(rows[place - 1]!)) ? [place] : []));
}
