import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleOf } from '../../../../../../server/engine/dynamic/java/regex/example.ts';
import { CompiledPattern } from '../../../../../../server/engine/dynamic/java/regex/matcher-engine.ts';
import { parsePattern } from '../../../../../../server/engine/dynamic/java/regex/parser.ts';

test('of a pattern a text is made that it matches', () => {
  const patterns = [
    'abc',
    '[a-f0-9]{32}',
    '(\\d+)-\\1',
    'x|y',
    '^\\w+@[\\w.]+\\.(com|org)$',
    '(?i)start\\s*=\\s*"[^"]+"',
    '[^\\x00-\\x60]',
    '(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.|$)){4}',
  ];
  for (const pattern of patterns) {
    const text = exampleOf(pattern, 0);
    assert.ok(text !== null, pattern);
    const compiled = new CompiledPattern(parsePattern(pattern, 0));
    assert.ok(compiled.matchAt(text, 0, 0, text.length, true) !== null, `${pattern} of ${text}`);
  }
});

test('a pattern that is none, or matches long texts only, has no example', () => {
  assert.deepEqual([exampleOf('(', 0), exampleOf('a{5000}', 0), exampleOf('(?:b{900}){900}', 0)], [null, null, null]);
});
