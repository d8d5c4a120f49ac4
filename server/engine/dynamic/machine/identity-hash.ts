// The numbers by which objects are told apart: a fixed sequence in each run. Knows no class.
import type { HeapObject } from './heap.ts';
import type { Machine } from './model.ts';

/** What `System.identityHashCode` says: the same in every run. */
export function identityHash(machine: Machine, object: HeapObject): number {
  if (object.identityHash === 0) {
    // Spread as a device's addresses are, and never 0.
    const sequence = machine.state('core.identity-hash', () => ({ last: 0 }));
    sequence.last = (Math.imul(sequence.last, 1103515245) + 12345) & 0x7fffffff;
    object.identityHash = (sequence.last & 0xfffffff) | 1;
  }
  return object.identityHash;
}
