// The tables that say how the project stands to OWASP ASVS and Electron's checklist: they are whole, and name tests that are.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { treeRoot } from '../../architecture/import-boundaries.ts';

interface Row {
  id: string;
  level: string;
  state: string;
  how: string;
  shownBy: string;
}

/** The rows of all tables in a file. @param columns that each row has */
function rowsOf(file: string, columns: number): string[][] {
  const lines = readFileSync(join(treeRoot, 'test/security', file), 'utf8').split('\n');
  return lines
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const cells = line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|'));
      assert.equal(cells.length, columns, line);
      return cells;
    });
}

const asvs: Row[] = rowsOf('asvs-level-2.md', 6).map(([id, level, , state, how, shownBy]) => ({
  id: id!,
  level: level!,
  state: state!,
  how: how!,
  shownBy: shownBy!,
}));
const electron: Row[] = rowsOf('electron-checklist.md', 5).map(([id, , state, how, shownBy]) => ({
  id: id!,
  level: '',
  state: state!,
  how: how!,
  shownBy: shownBy!,
}));

/** `file`: “title”; “title” */
const namedTests = (shownBy: string) =>
  [...shownBy.matchAll(/`([^`]+)`: ((?:“.*?”(?:; )?)+)/g)].flatMap(([, file, titles]) =>
    [...titles!.matchAll(/“(.*?)”/g)].map((title) => ({ file: file!, title: title[1]! })),
  );

/** Per section of ASVS 5.0.0 the numbers of its points of level 1, then of level 2. */
const sections: Record<string, [string, string]> = {
  '1.1': ['', '1 2'],
  '1.2': ['1 2 3 4 5', '6 7 8 9'],
  '1.3': ['1 2', '3 4 5 6 7 8 9 10 11'],
  '1.4': ['', '1 2 3'],
  '1.5': ['1', '2'],
  '2.1': ['1', '2 3'],
  '2.2': ['1 2', '3'],
  '2.3': ['1', '2 3 4'],
  '2.4': ['', '1'],
  '3.2': ['1 2', ''],
  '3.3': ['1', '2 3 4'],
  '3.4': ['1 2', '3 4 5 6'],
  '3.5': ['1 2 3', '4 5'],
  '3.7': ['', '1 2'],
  '4.1': ['1', '2 3'],
  '4.2': ['', '1'],
  '4.3': ['', '1 2'],
  '4.4': ['1', '2 3 4'],
  '5.1': ['', '1'],
  '5.2': ['1 2', '3'],
  '5.3': ['1 2', ''],
  '5.4': ['', '1 2 3'],
  '6.1': ['1', '2 3'],
  '6.2': ['1 2 3 4 5 6 7 8', '9 10 11 12'],
  '6.3': ['1 2', '3 4'],
  '6.4': ['1 2', '3 4'],
  '6.5': ['', '1 2 3 4 5'],
  '6.6': ['', '1 2 3'],
  '6.8': ['', '1 2 3 4'],
  '7.1': ['', '1 2 3'],
  '7.2': ['1 2 3 4', ''],
  '7.3': ['', '1 2'],
  '7.4': ['1 2', '3 4 5'],
  '7.5': ['', '1 2'],
  '7.6': ['', '1 2'],
  '8.1': ['1', '2'],
  '8.2': ['1 2', '3'],
  '8.3': ['1', ''],
  '8.4': ['', '1'],
  '9.1': ['1 2 3', ''],
  '9.2': ['1', '2 3 4'],
  '10.1': ['', '1 2'],
  '10.2': ['', '1 2'],
  '10.3': ['', '1 2 3 4'],
  '10.4': ['1 2 3 4 5', '6 7 8 9 10 11'],
  '10.5': ['', '1 2 3 4 5'],
  '10.6': ['', '1 2'],
  '10.7': ['', '1 2 3'],
  '11.1': ['', '1 2'],
  '11.2': ['', '1 2 3'],
  '11.3': ['1 2', '3'],
  '11.4': ['1', '2 3 4'],
  '11.5': ['', '1'],
  '11.6': ['', '1'],
  '12.1': ['1', '2 3'],
  '12.2': ['1 2', ''],
  '12.3': ['', '1 2 3 4'],
  '13.1': ['', '1'],
  '13.2': ['', '1 2 3 4 5'],
  '13.3': ['', '1 2'],
  '13.4': ['1', '2 3 4 5'],
  '14.1': ['', '1 2'],
  '14.2': ['1', '2 3 4'],
  '14.3': ['1', '2 3'],
  '15.1': ['1', '2 3'],
  '15.2': ['1', '2 3'],
  '15.3': ['1', '2 3 4 5 6 7'],
  '16.1': ['', '1'],
  '16.2': ['', '1 2 3 4 5'],
  '16.3': ['', '1 2 3 4'],
  '16.4': ['', '1 2 3'],
  '16.5': ['', '1 2 3'],
  '17.1': ['', '1'],
  '17.2': ['', '1 2 3 4'],
  '17.3': ['', '1 2'],
};

test('every point of ASVS 5.0.0 of levels 1 and 2 stands in its table, once', () => {
  const expected = Object.entries(sections).flatMap(([section, levels]) =>
    levels.flatMap((numbers, index) =>
      numbers
        .split(' ')
        .filter(Boolean)
        .map((number) => `${section}.${number} at level ${index + 1}`),
    ),
  );
  assert.equal(expected.length, 253);
  assert.deepEqual(asvs.map(({ id, level }) => `${id} at level ${level}`).sort(), expected.sort());
});

test('every point of Electron’s checklist stands in its table, once', () => {
  assert.deepEqual(
    electron.map(({ id }) => Number(id)),
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
});

test('what holds names a test that shows it, what does not says why', () => {
  for (const { id, state, how, shownBy } of [...asvs, ...electron]) {
    assert.ok(['holds', 'partly', 'open', 'not applicable'].includes(state), id);
    if (state === 'holds' || state === 'partly') assert.ok(namedTests(shownBy).length > 0, `${id} names no test`);
    if (state !== 'holds') assert.ok(how.length > 10, `${id} says nothing of why`);
  }
});

test('every test that a table names is there', () => {
  const missing = [...asvs, ...electron].flatMap(({ id, shownBy }) =>
    namedTests(shownBy)
      .filter(({ file, title }) => {
        const source = readFileSync(join(treeRoot, 'test', file), 'utf8').replaceAll("\\'", "'");
        return !["'", '`', '"'].some((quote) => source.includes(`${quote}${title}${quote}`));
      })
      .map(({ file, title }) => `${id}: ${file} has no “${title}”`),
  );
  assert.deepEqual(missing, []);
});
