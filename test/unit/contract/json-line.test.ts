// JSON lines as Python, and whoever else knows more line breaks than one, read them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { jsonLine } from '../../../server/contract/json-line.ts';

const python = { skip: spawnSync('python3', ['--version']).status === 0 ? false : 'python3 is not installed' };
/** Every character of the first planes that could be one, and their neighbours. */
const hostile = `${String.fromCharCode(...Array.from({ length: 0x100 }, (_, code) => code))}\u2027\u2028\u2029\u202a\ufeff`;
const lines = [{ [`name${hostile}`]: hostile }, { a: ['\u0085', { b: '\u2028\u2029' }] }, 'plain'];

test('a line says what it was made of, and is one line', () => {
  for (const value of lines) {
    const line = jsonLine(value);
    assert.deepEqual(JSON.parse(line), value);
    assert.equal(line.split(/\r\n|[\n\v\f\r\x1c-\x1e\u0085\u2028\u2029]/).length, 2);
  }
  assert.equal(jsonLine('a\u0085b\u2028c\u2029'), '"a\\u0085b\\u2028c\\u2029"\n');
});

test('Python’s splitlines finds as many lines as were written', python, () => {
  const script =
    'import json, sys\nfor line in sys.stdin.buffer.read().decode().splitlines(): json.loads(line); print(1)';
  const { stdout, stderr } = spawnSync('python3', ['-c', script], {
    input: lines.map(jsonLine).join(''),
    encoding: 'utf8',
  });
  assert.equal(stdout.trim().split('\n').length, lines.length, stderr);
});
