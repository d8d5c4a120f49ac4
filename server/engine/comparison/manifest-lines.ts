// The difference of two texts by their lines, as `diff -u` tells it, bounded. Knows nothing of XML.
import { structuredPatch } from 'diff';
import type { Comparison } from '../../contract/engine/comparison.ts';

/** Lines taken away and put in between two texts that are told apart line by line: the time grows with it. */
const maxEdits = 2000;
/** Lines that are shown where they are more. */
const maxLines = 20_000;
const maxLine = 2000;
const context = 3;

type ManifestDifference = Comparison['manifest'];

export function lineDifference(first: string, second: string): ManifestDifference {
  const one = first === '' || first.endsWith('\n') ? first : `${first}\n`;
  const other = second === '' || second.endsWith('\n') ? second : `${second}\n`;
  const patch = structuredPatch('', '', one, other, '', '', { context, maxEditLength: maxEdits });
  const count = (text: string) => text.split('\n').length - 1;
  // Texts that have nearly nothing in common: one in place of the other.
  if (patch === undefined) return { removed: count(one), added: count(other), is_cut: true, hunks: [] };
  const shown: ManifestDifference = { removed: 0, added: 0, is_cut: false, hunks: [] };
  let left = maxLines;
  for (const { oldStart, oldLines, newStart, newLines, lines } of patch.hunks) {
    for (const line of lines) {
      if (line.startsWith('-')) shown.removed++;
      else if (line.startsWith('+')) shown.added++;
    }
    left -= lines.length;
    if (left < 0) {
      shown.is_cut = true;
      continue;
    }
    const cut = lines.map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line));
    const places = { first_start: oldStart, first_lines: oldLines, second_start: newStart, second_lines: newLines };
    shown.hunks.push({ ...places, lines: cut });
  }
  return shown;
}
