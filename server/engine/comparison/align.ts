// Puts two texts side by side, line by line: manifests, or smali with names that changed taken as one. Knows no file.
import { diffArrays } from 'diff';
import type { ComparedLines, ComparedRow } from '../../contract/engine/comparison.ts';
import type { TaskOf } from '../../contract/process-line/tasks.ts';
import { changedNames } from './changed-names.ts';
import { type Block, codeBlocks } from './code-blocks.ts';

/** Lines taken away and put in, of all blocks, that are told apart line by line: the time grows with it. */
const maxEdits = 4000;
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
  let rows = alignedBlocks(mine, theirs);
  // Only labels differ, which are no difference where there is any other.
  if (rows.every(({ state }) => state === 'same')) rows = alignedBlocks(mine.map(exact), theirs.map(exact));
  return shown(rows, whole);
}

const exact = ({ key, lines }: Block): Block => ({ key, lines: lines.map(({ text }) => ({ text, meant: text })) });

/** Blocks of one key beside each other, the others where their neighbours are. */
function alignedBlocks(first: readonly Block[], second: readonly Block[]): ComparedRow[] {
  let editsLeft = maxEdits;
  const others = new Map(second.map((block) => [block.key, block]));
  const rows: ComparedRow[] = [];
  const paired = new Set(first.filter(({ key }) => others.has(key)).map(({ key }) => key));
  const waiting = [...second];
  const addUntil = (key: string | null) => {
    while (waiting.length > 0 && waiting[0]!.key !== key && !paired.has(waiting[0]!.key)) {
      rows.push(...waiting.shift()!.lines.map(({ text }) => rowOf(null, text)));
    }
  };
  for (const { key, lines } of first) {
    const other = others.get(key);
    if (other === undefined) rows.push(...lines.map(({ text }) => rowOf(text, null)));
    else {
      addUntil(key);
      const { rows: aligned, edits } = alignedLines(lines, other.lines, editsLeft);
      editsLeft = Math.max(0, editsLeft - edits);
      rows.push(...aligned);
      waiting.splice(waiting.indexOf(other), 1);
    }
  }
  addUntil(null);
  return rows;
}

const rowOf = (first: string | null, second: string | null): ComparedRow => ({
  state: first === null ? 'added' : second === null ? 'removed' : 'changed',
  first,
  second,
});

/** What came in place of something stands beside it. */
function alignedLines(first: Block['lines'], second: Block['lines'], maxEditLength: number) {
  const meant = (lines: Block['lines']) => lines.map((line) => line.meant);
  const parts = diffArrays(meant(first), meant(second), { maxEditLength }) ?? [
    { count: first.length, removed: true },
    { count: second.length, added: true },
  ];
  const rows: ComparedRow[] = [];
  let [at, other, edits] = [0, 0, 0];
  for (const [place, { count, removed, added }] of parts.entries()) {
    if (removed === true) {
      const beside = parts[place + 1]?.added === true ? parts[place + 1]!.count : 0;
      for (let step = 0; step < Math.max(count, beside); step++) {
        rows.push(
          rowOf(step < count ? first[at + step]!.text : null, step < beside ? second[other + step]!.text : null),
        );
      }
      at += count;
      other += beside;
      edits += count + beside;
    } else if (added === true) {
      if (parts[place - 1]?.removed === true) continue;
      for (let step = 0; step < count; step++) rows.push(rowOf(null, second[other + step]!.text));
      other += count;
      edits += count;
    } else {
      for (let step = 0; step < count; step++) {
        const [mine, theirs] = [first[at++]!, second[other++]!];
        const state = mine.isRenamed === true ? 'renamed' : 'same';
        rows.push({ state, first: mine.text, second: theirs.text });
      }
    }
  }
  return { rows, edits };
}

const cut = (line: string | null) => (line !== null && line.length > maxLine ? `${line.slice(0, maxLine)}…` : line);

function shown(rows: readonly ComparedRow[], whole: boolean): ComparedLines {
  const lines: ComparedLines = { counts: { renamed: 0, changed: 0, removed: 0, added: 0 }, is_cut: false, hunks: [] };
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
