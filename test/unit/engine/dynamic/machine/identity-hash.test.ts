import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';

test('objects have the same hashes in every run of a process, as reports are the same', () => {
  const hashes = () => {
    const { machine } = testMachine([]);
    return [1, 2].map(() => machine.hashCode(machine.allocate('Ljava/lang/Object;')));
  };
  const [first, second] = hashes();
  assert.notEqual(first, second);
  assert.deepEqual(hashes(), [first, second]);
});
