// A comparison as lines for a terminal: how much differs first, then what, the app's own code before that of libraries.
// Knows no process and no file.
import {
  type ComparedList,
  type Comparison,
  comparedParts,
  type Difference,
  differenceStates,
  type Facts,
} from '../../contract/engine/comparison.ts';

/** Differences of each part. */
const maxShown = 20;
/** Lines of the manifests' difference. */
const maxLines = 60;
/** Characters of a name or a value. */
const maxText = 120;

const marks = { removed: '-', added: '+', changed: '~', renamed: '>', same: ' ' } as const;

export interface SummarySide {
  file: string;
  packageName: string;
}

export function comparisonSummary(comparison: Comparison, first: SummarySide, second: SummarySide): string[] {
  const { manifest, parts } = comparison;
  const lines = [`--- ${first.file}`, `+++ ${second.file}`, '', ...table(comparison)];
  if (manifest.removed + manifest.added > 0) lines.push('', 'manifest', ...manifestLines(manifest));
  const own = [first, second].map(({ packageName }) => `L${packageName.replaceAll('.', '/')}/`);
  const isOwn = ({ name, to }: Difference) => own.some((prefix) => (to ?? name).startsWith(prefix));
  for (const part of comparedParts) {
    const { counts, differences } = parts[part];
    const total = counts.removed + counts.added + counts.changed + counts.renamed;
    if (total === 0) continue;
    const ordered = [...differences.filter(isOwn), ...differences.filter((one) => !isOwn(one))];
    lines.push('', part, ...ordered.slice(0, maxShown).map(lineOf));
    if (total > maxShown) lines.push(`  … ${total - maxShown} more; --json lists them`);
  }
  return lines;
}

const columns = (name: string, cells: readonly (number | string)[]): string =>
  `${name.padEnd(16)}${cells.map((cell) => String(cell).padStart(9)).join('')}`;

function table({ manifest, parts }: Comparison): string[] {
  const cell = (count: number) => (count === 0 ? '' : count);
  const row = (name: string, { counts }: ComparedList) =>
    columns(
      name,
      differenceStates.map((state) => cell(counts[state])),
    ).trimEnd();
  return [
    columns('', differenceStates),
    columns('manifest lines', [cell(manifest.removed), cell(manifest.added)]).trimEnd(),
    ...comparedParts.map((part) => row(part, parts[part])),
  ];
}

function manifestLines({ hunks }: Comparison['manifest']): string[] {
  const lines = hunks.flatMap(({ first_start, first_lines, second_start, second_lines, lines: shown }) => [
    `@@ -${first_start},${first_lines} +${second_start},${second_lines} @@`,
    ...shown,
  ]);
  return lines.length <= maxLines
    ? lines
    : [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more lines; --json has them`];
}

const cut = (text: string) => (text.length > maxText ? `${text.slice(0, maxText)}…` : text);

/** Digests by as many digits as tell two of one APK apart. */
const shown = (fact: Facts[string] | undefined): string =>
  fact === undefined ? 'none' : /^[0-9a-f]{64}$/i.test(String(fact)) ? String(fact).slice(0, 12) : cut(String(fact));

function lineOf({ state, name, to, first, second }: Difference): string {
  const facts = Object.keys({ ...first, ...second }).filter((fact) => first?.[fact] !== second?.[fact]);
  const told =
    first === null || second === null
      ? ''
      : facts.map((fact) => `${fact} ${shown(first[fact])} -> ${shown(second[fact])}`).join(', ');
  return `  ${marks[state]} ${cut(name)}${to === null ? '' : ` -> ${cut(to)}`}${told === '' ? '' : `: ${told}`}`;
}
