import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setJavaHooks } from '../../../../../server/engine/dynamic/java/hooks.ts';
import { javaModels } from '../../../../../server/engine/dynamic/java/models.ts';
import type { CollectionState } from '../../../../../server/engine/dynamic/java/util/collection-state.ts';
import type { HeapObject } from '../../../../../server/engine/dynamic/machine/heap.ts';
import { createMachine } from '../../../../../server/engine/dynamic/machine/machine.ts';

test('of a large collection that lacks a text only the first elements are looked at', () => {
  const machine = createMachine({ dexFiles: [], models: [javaModels] });
  const seen: string[] = [];
  setJavaHooks(machine, {
    sought: (_text, others) => {
      seen.push(...others());
    },
  });
  let taken = 0;
  const isFine = machine.run(() => {
    const words = machine.construct('Ljava/util/LinkedHashSet;', '<init>()V') as HeapObject;
    for (let index = 0; index < 500; index++) {
      machine.call(words, 'add(Ljava/lang/Object;)Z', machine.string(`word ${index}`));
    }
    const state = words.native as CollectionState;
    const cursor = state.cursor(machine);
    state.cursor = () => ({
      hasNext: () => cursor.hasNext(),
      next: () => {
        taken++;
        return cursor.next();
      },
      remove: () => cursor.remove(),
    });
    machine.call(words, 'contains(Ljava/lang/Object;)Z', machine.string('wanted'));
  });
  assert.ok(isFine);
  assert.deepEqual([seen[0], seen.at(-1), seen.length], ['word 0', 'word 15', 16]);
  assert.ok(taken <= 17);
});
