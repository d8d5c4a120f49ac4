// Puts two texts side by side, line by line: manifests, or smali with names that changed taken as one. Knows no file.
import { diffArrays } from 'diff';
import type { ComparedLines, ComparedRow } from '../../contract/engine/comparison.ts';
import type { TaskOf } from '../../contract/process-line/tasks.ts';
import { changedNames } from './changed-names.ts';
import { type Block, codeBlocks } from './code-blocks.ts';

/** Lines taken away and put in, of all blocks, that are told apart line by line: the time grows with it. */
const maxEdits = 2000;
/** Rows that are listed where they are more. */
const maxRows = 20_000;
const maxLine = 2000;
/** Rows around a difference. */
const context = 3;

/** @throws DamagedReportError */
export function align({ first, second, comparison, whole }: TaskOf<'align'>): ComparedLines {
  const names = changedNames(comparison);
  const mine = codeBlocks(first, names);
  const theirs = codeBlocks(second, null);
  // One against one is meant so, whatever they are called.
  if (first?.name?.includes('->') && mine.length === 1 && theirs.length === 1) mine[0]!.key = theirs[0]!.key;
  const { rows, isCut } = alignedBlocks(mine, theirs);
  if (rows.some(({ state }) => state !== 'same')) return shown(rows, isCut, whole);
  // Labels are no difference where there is any other.
  const byLabels = alignedBlocks(mine.map(exact), theirs.map(exact));
  return shown(byLabels.rows, byLabels.isCut, whole);
}

const exact = ({ key, lines }: Block): Block => ({ key, lines: lines.map(({ text }) => ({ text, meant: text })) });

/** Blocks of one key beside each other, the others where their neighbours are. */
function alignedBlocks(first: readonly Block[], second: readonly Block[]): { rows: ComparedRow[]; isCut: boolean } {
  let editsLeft = maxEdits;
  let isCut = false;
  const others = new Map(second.map((block) => [block.key, block]));
  const rows: ComparedRow[] = [];
  const paired = new Set(first.filter(({ key }) => others.has(key)).map(({ key }) => key));
  const waiting = [...second];
  const addUntil = (key: string | null) => {
    while (waiting.length > 0 && waiting[0]!.key !== key && !paired.has(waiting[0]!.key)) {
      for (const { text } of waiting.shift()!.lines) rows.push(rowOf(null, text));
    }
  };
  for (const { key, lines } of first) {
    const other = others.get(key);
    if (other === undefined) for (const { text } of lines) rows.push(rowOf(text, null));
    else {
      addUntil(key);
      const aligned = alignedLines(lines, other.lines, editsLeft);
      editsLeft = Math.max(0, editsLeft - aligned.edits);
      isCut ||= !aligned.isFound;
      for (const row of aligned.rows) rows.push(row);
      waiting.splice(waiting.indexOf(other), 1);
    }
  }
  addUntil(null);
  return { rows, isCut };
}

const rowOf = (first: string | null, second: string | null): ComparedRow => ({
  state: first === null ? 'added' : second === null ? 'removed' : 'changed',
  first,
  second,
});

/** What came in place of something stands beside it. Ends that are the same need no search. */
function alignedLines(first: Block['lines'], second: Block['lines'], maxEditLength: number) {
  let start = 0;
  const shorter = Math.min(first.length, second.length);
  while (start < shorter && first[start]!.meant === second[start]!.meant) start++;
  let end = 0;
  while (end < shorter - start && first.at(-1 - end)!.meant === second.at(-1 - end)!.meant) end++;
  const meant = (lines: Block['lines']) => lines.slice(start, lines.length - end).map((line) => line.meant);
  const found = diffArrays(meant(first), meant(second), { maxEditLength });
  const parts = found ?? [
    { count: first.length - start - end, removed: true },
    { count: second.length - start - end, added: true },
  ];
  const rows: ComparedRow[] = [];
  let [at, other, edits, removed] = [0, 0, 0, 0];
  const same = (count: number) => {
    for (let step = 0; step < count; step++) {
      const [mine, theirs] = [first[at++]!, second[other++]!];
      rows.push({ state: mine.isRenamed === true ? 'renamed' : 'same', first: mine.text, second: theirs.text });
    }
  };
  /** What was taken away and what was put in, until now. */
  const put = (added: number) => {
    for (let step = 0; step < Math.max(removed, added); step++) {
      rows.push(
        rowOf(step < removed ? first[at + step]!.text : null, step < added ? second[other + step]!.text : null),
      );
    }
    [at, other, edits, removed] = [at + removed, other + added, edits + removed + added, 0];
  };
  same(start);
  for (const part of parts) {
    if (part.removed === true) removed = part.count;
    else if (part.added === true) put(part.count);
    else {
      put(0);
      same(part.count);
    }
  }
  put(0);
  same(end);
  return { rows, edits, isFound: found !== undefined };
}

const cut = (line: string | null) => (line !== null && line.length > maxLine ? `${line.slice(0, maxLine)}…` : line);

function shown(rows: readonly ComparedRow[], isCut: boolean, whole: boolean): ComparedLines {
  const lines: ComparedLines = { counts: { renamed: 0, changed: 0, removed: 0, added: 0 }, is_cut: isCut, hunks: [] };
  const isWanted = new Uint8Array(rows.length).fill(whole ? 1 : 0);
  // Where names alone changed there is nothing else to show.
  const isDifferent = ({ state }: ComparedRow) => state !== 'same' && state !== 'renamed';
  const isRenamed = !rows.some(isDifferent);
  for (const [place, row] of rows.entries()) {
    if (row.state === 'same') continue;
    lines.counts[row.state]++;
    if (isRenamed || isDifferent(row)) isWanted.fill(1, Math.max(0, place - context), place + context + 1);
  }
  let [first, second, listed] = [1, 1, 0];
  for (const [place, row] of rows.entries()) {
    if (isWanted[place] === 1 && listed < maxRows) {
      if (place === 0 || isWanted[place - 1] === 0) {
        lines.hunks.push({ first_start: first, second_start: second, rows: [] });
      }
      lines.hunks.at(-1)!.rows.push({ state: row.state, first: cut(row.first), second: cut(row.second) });
      listed++;
    } else if (isWanted[place] === 1) lines.is_cut = true;
    if (row.first !== null) first++;
    if (row.second !== null) second++;
  }
  return lines;
}
