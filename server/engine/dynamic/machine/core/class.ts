// java.lang.Class. Knows no members but by way of reflection's models.
import type { HeapObject } from '../heap.ts';
import type { LinkedClass } from '../linked-class.ts';
import type { Models } from '../model.ts';

export const classModels: Models = {
  'Ljava/lang/Class;': {
    methods: {
      'getName()Ljava/lang/String;': (machine, self: HeapObject) => machine.string((self.native as LinkedClass).name),
    },
  },
};
