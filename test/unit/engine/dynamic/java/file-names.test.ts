import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementsOf } from '../../../../../server/engine/dynamic/java/util/iteration.ts';
import type { HeapObject } from '../../../../../server/engine/dynamic/machine/heap.ts';
import { virtualFiles } from '../../../../../server/engine/dynamic/machine/virtual-files.ts';
import { testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';

const PATH = 'Ljava/nio/file/Path;';

/** The names in a folder of files that a pattern of `Files.newDirectoryStream` chooses. */
function chosen(names: readonly string[], glob: string): string[] {
  const { machine } = testMachine([]);
  for (const name of names) virtualFiles(machine).addFile(`/folder/${name}`, new Uint8Array(1));
  const folder = machine.callStatic(
    'Ljava/nio/file/Paths;',
    `get(Ljava/lang/String;[Ljava/lang/String;)${PATH}`,
    machine.string('/folder'),
    machine.objectArray('Ljava/lang/String;', []),
  );
  const stream = machine.callStatic(
    'Ljava/nio/file/Files;',
    `newDirectoryStream(${PATH}Ljava/lang/String;)Ljava/nio/file/DirectoryStream;`,
    folder,
    machine.string(glob),
  ) as HeapObject;
  return elementsOf(machine, stream).map((path) => machine.toText(path).text.replace('/folder/', ''));
}

test('patterns of names choose by stars, single characters and alternatives', () => {
  const names = ['a.jpg', 'b.png', 'c.txt', 'dd.txt', 'plus+.txt'];
  assert.deepEqual(chosen(names, '*.{jpg,png}'), ['a.jpg', 'b.png']);
  assert.deepEqual(chosen(names, '{*.jpg,*.png,*.pdf,*.doc,d*.txt}'), ['a.jpg', 'b.png', 'dd.txt']);
  assert.deepEqual(chosen(names, '?.txt'), ['c.txt']);
  assert.deepEqual(chosen(names, 'plus+.*'), ['plus+.txt']);
});

test('hostile patterns of names choose nothing, quickly', () => {
  const names = [`${'a'.repeat(20_000)}c`];
  assert.deepEqual(chosen(names, `${'{a,a}'.repeat(40)}b`), []);
  assert.deepEqual(chosen(names, `${'*a'.repeat(60)}b`), []);
  assert.deepEqual(chosen(names, `${'{'.repeat(20_000)}b`), []);
});
