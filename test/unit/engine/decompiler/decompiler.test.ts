// What holds for the source of every class, whatever it says; that it runs as the code does is held by the round trip.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decompileDexes } from '../../../../server/engine/decompiler/decompiler.ts';

const programs = readFileSync(new URL('../../../fixtures/dynamic/compiled/programs.dex', import.meta.url));
const files = [...decompileDexes([programs])];

test('every method of the compiled programs has a body, every value a type, and no control flow a dispatch variable', () => {
  for (const { path, lost, unresolved, dispatched } of files) {
    assert.deepEqual({ path, lost, unresolved, dispatched }, { path, lost: 0, unresolved: 0, dispatched: 0 });
  }
});

test('a span of a symbol covers its name in the text, and declarations are marked', () => {
  const { source, spans } = files.find(({ path }) => path === 'Classes.java')!;
  for (const { start, end, symbol, address } of spans) {
    if (symbol?.includes('->main(') !== true || address !== undefined) continue;
    assert.equal(source.slice(start, end), 'main');
  }
  assert.ok(spans.some(({ symbol, isDeclaration }) => symbol === 'LClasses;' && isDeclaration === true));
});

test('monitors of the compiled programs are entered and left by synchronized alone', () => {
  const text = files.map(({ source }) => source).join('');
  assert.match(text, /synchronized \(\w+\) \{/);
  assert.doesNotMatch(text, /monitor-(?:enter|exit)/);
});

test('a class inside of another comes with the file of its top-level class alone', () => {
  const [file, ...others] = [...decompileDexes([programs], { only: 'LClasses$Planet;' })];
  assert.equal(file?.path, 'Classes.java');
  assert.deepEqual(others, []);
  assert.match(file!.source, /static enum Planet/);
});

test('bytes that are no dex file, and a dex that is cut anywhere, give fewer files and no error', () => {
  assert.deepEqual([...decompileDexes([Buffer.from('no dex at all')])], []);
  for (const length of [0x70, 0x1000, 0x4000, programs.length - 100]) {
    for (const { source } of decompileDexes([programs.subarray(0, length)])) assert.ok(source.length > 0);
  }
});
