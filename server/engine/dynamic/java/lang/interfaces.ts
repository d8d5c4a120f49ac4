// Interfaces and annotations of java.lang, java.io and java.util that have no behaviour of their own. Knows no implementations.
import type { HeapObject } from '../../machine/heap.ts';
import type { ModelClass } from '../../machine/model.ts';
import { elementsOf } from '../util/iteration.ts';
import { instance, type Reference, required } from '../values.ts';

const marker: ModelClass = { isInterface: true };

export const interfaceModels: Record<string, ModelClass> = {
  'Ljava/lang/Cloneable;': marker,
  'Ljava/io/Serializable;': marker,
  'Ljava/io/Externalizable;': { isInterface: true, implements: ['Ljava/io/Serializable;'] },
  'Ljava/util/RandomAccess;': marker,
  'Ljava/util/EventListener;': marker,
  'Ljava/lang/Comparable;': { isInterface: true, abstractMethods: ['compareTo(Ljava/lang/Object;)I'] },
  'Ljava/lang/Runnable;': { isInterface: true, abstractMethods: ['run()V'] },
  'Ljava/lang/AutoCloseable;': { isInterface: true, abstractMethods: ['close()V'] },
  'Ljava/io/Closeable;': {
    isInterface: true,
    implements: ['Ljava/lang/AutoCloseable;'],
    abstractMethods: ['close()V'],
  },
  'Ljava/io/Flushable;': { isInterface: true, abstractMethods: ['flush()V'] },
  'Ljava/lang/Appendable;': {
    isInterface: true,
    abstractMethods: ['append(C)Ljava/lang/Appendable;', 'append(Ljava/lang/CharSequence;)Ljava/lang/Appendable;'],
  },
  'Ljava/lang/Readable;': { isInterface: true, abstractMethods: ['read(Ljava/nio/CharBuffer;)I'] },
  'Ljava/lang/Iterable;': {
    isInterface: true,
    abstractMethods: ['iterator()Ljava/util/Iterator;'],
    methods: {
      'forEach(Ljava/util/function/Consumer;)V': (machine, self, consumer: HeapObject) => {
        for (const element of elementsOf(machine, self)) {
          machine.call(required(machine, consumer), 'accept(Ljava/lang/Object;)V', element);
        }
      },
      'spliterator()Ljava/util/Spliterator;': (machine, self) =>
        instance(machine, 'Ljava/util/Spliterators$OverElements;', { elements: elementsOf(machine, self), at: 0 }),
    },
  },
  'Ljava/lang/annotation/Annotation;': marker,
  'Ljava/lang/Override;': marker,
  'Ljava/lang/Deprecated;': marker,
  'Ljava/util/EventObject;': {
    implements: ['Ljava/io/Serializable;'],
    methods: {
      '<init>(Ljava/lang/Object;)V': (machine, self, source: Reference) => machine.setField(self, 'source', source),
      'getSource()Ljava/lang/Object;': (machine, self) => machine.getField(self, 'source'),
    },
    fields: ['source:Ljava/lang/Object;'],
  },
  // Records of desugared and recent apps.
  'Ljava/lang/Record;': { isAbstract: true, methods: { '<init>()V': () => undefined } },
};
