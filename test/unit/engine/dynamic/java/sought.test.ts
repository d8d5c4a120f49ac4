import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setJavaHooks } from '../../../../../server/engine/dynamic/java/hooks.ts';
import { javaModels } from '../../../../../server/engine/dynamic/java/models.ts';
import type { HeapObject } from '../../../../../server/engine/dynamic/machine/heap.ts';
import { createMachine } from '../../../../../server/engine/dynamic/machine/machine.ts';

test('of a large collection that lacks a text only the first elements are looked at, however often it is asked', () => {
  const machine = createMachine({ dexFiles: [], models: [javaModels] });
  const seen = new Set<string>();
  setJavaHooks(machine, {
    sought: (_text, others) => {
      for (const each of others()) seen.add(each);
    },
  });
  let spent = 0;
  const isFine = machine.run(() => {
    const words = machine.construct('Ljava/util/HashSet;', '<init>()V') as HeapObject;
    const put = (text: string) => machine.call(words, 'add(Ljava/lang/Object;)Z', machine.string(text));
    for (let index = 0; index < 20_000; index++) put(`word ${index}`);
    const wanted = machine.string('wanted');
    const before = process.cpuUsage().user;
    for (let round = 0; round < 2_000; round++) machine.call(words, 'contains(Ljava/lang/Object;)Z', wanted);
    spent = process.cpuUsage().user - before;
  });
  assert.ok(isFine);
  assert.equal(seen.size, 16);
  assert.ok(spent < 500_000, `${spent}`);
});
