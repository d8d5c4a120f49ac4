// CSV as spreadsheets of all locales read it: no cell of it is a formula, whatever separates the cells.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { csvRow } from '../../../server/contract/csv.ts';

const python = { skip: spawnSync('python3', ['--version']).status === 0 ? false : 'python3 is not installed' };

test('a table is written as RFC 4180 has it, and text that would be a formula has an apostrophe before it', () => {
  assert.equal(csvRow(['value', 'where', 3, true]), 'value,where,3,true\r\n');
  assert.equal(csvRow(['=HYPERLINK("x")', '@a']), '"\'=HYPERLINK(""x"")",\'@a\r\n');
  assert.equal(csvRow(['a,b\nc', '-1', -1]), '"a,b\nc",\'-1,-1\r\n');
  assert.equal(csvRow(['\ttab', '\rreturn', '\0zero']), '"\'\ttab","\'\rreturn",\'\0zero\r\n');
  assert.equal(csvRow(['a;=1', 'a\t+1', 'a\n"@x']), '"a;\'=1","a\t\'+1","a\n""\'@x"\r\n');
  assert.equal(csvRow([' =1', '＝1', '\ufeff=1', '\u200b-1']), " '=1,'＝1,\ufeff'=1,\u200b'-1\r\n");
});

test('what only looks a little like a formula stays as it is', () => {
  const texts = ['a=b', 'x-y', 'a@b.example', 'text/html', '1+1', "'quoted'", 'https://a.example/?q=1'];
  assert.equal(csvRow(texts), `${texts.join(',')}\r\n`);
});

/** Everything that somebody would try, in every place of a cell. */
const hostile = [
  '',
  'a',
  '"',
  '""',
  'a"',
  ';',
  'a;',
  '\t',
  '\n',
  '\r\n',
  ',',
  ' ',
  ';"',
  '\n"',
  ';""',
  '";',
  ';;',
].flatMap((before) =>
  ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '\t=1', '"=1"'].flatMap((formula) => [
    before + formula,
    before + formula + before,
  ]),
);

test(
  'no cell is a formula where commas, semicolons or tabs separate cells, and by commas nothing else is changed',
  python,
  () => {
    const rows = hostile.flatMap((one, index) => [
      [one, 'next', hostile.at(-index)!],
      ['first', one, 'last'],
    ]);
    const script = `
import csv, io, json, sys, re
asked = json.load(sys.stdin)
text = asked["text"]
for delimiter in ",;\\t":
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        for cell in row:
            seen = cell.strip().strip('"').strip()
            assert not (seen and seen[0] in "=+-@\\uff1d" and not re.fullmatch(r"-?\\d+", cell)), (delimiter, row)
# Whoever splits at the separator and knows nothing of quotes.
for cell in re.split("[;\\t\\r\\n]", text):
    assert not re.match(r'[\\s"]*[=+@\\uff1d-]', cell), cell
back = list(csv.reader(io.StringIO(text, newline="")))
assert len(back) == len(asked["rows"]), (len(back), len(asked["rows"]))
for row, was in zip(back, asked["rows"]):
    assert [cell.replace("'", "") for cell in row] == was, (row, was)
print("ok")
`;
    const input = JSON.stringify({ rows, text: rows.map(csvRow).join('') });
    const { stdout, stderr } = spawnSync('python3', ['-c', script], { input, encoding: 'utf8' });
    assert.equal(stdout.trim(), 'ok', stderr);
  },
);

test('a megabyte of what could begin a formula is written in one pass', () => {
  for (const one of ['=', ' ', '"', ';', ';=', '; ']) {
    const row = csvRow([one.repeat(1_000_000)]);
    assert.ok(row.length >= 1_000_000);
  }
});
