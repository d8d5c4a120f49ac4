// java.util.Observable and its Observer. Knows no collection.
import type { HeapObject } from '../../machine/heap.ts';
import type { ModelClass, NativeMethod } from '../../machine/model.ts';
import { type Reference, required } from '../values.ts';

const OBSERVABLE = 'Ljava/util/Observable;';
const OBSERVER = 'Ljava/util/Observer;';

interface Watched {
  readonly observers: HeapObject[];
  isChanged: boolean;
}

const of = (self: HeapObject): Watched => {
  self.native ??= { observers: [], isChanged: false } satisfies Watched;
  return self.native as Watched;
};

const setChanged =
  (isChanged: boolean): NativeMethod =>
  (_machine, self) => {
    of(self).isChanged = isChanged;
  };

/** Tells the latest observer first. */
const tell: NativeMethod = (machine, self, argument: Reference = null) => {
  const watched = of(self);
  if (machine.call(self, 'hasChanged()Z') === 0) return;
  machine.call(self, 'clearChanged()V');
  for (const observer of [...watched.observers].reverse()) {
    machine.call(observer, `update(${OBSERVABLE}Ljava/lang/Object;)V`, self, argument);
  }
};

export const observableModels: Record<string, ModelClass> = {
  [OBSERVER]: { isInterface: true, abstractMethods: [`update(${OBSERVABLE}Ljava/lang/Object;)V`] },
  [OBSERVABLE]: {
    methods: {
      '<init>()V': () => undefined,
      [`addObserver(${OBSERVER})V`]: (machine, self, observer: Reference) => {
        const { observers } = of(self);
        const added = required(machine, observer);
        if (!observers.includes(added)) observers.push(added);
      },
      [`deleteObserver(${OBSERVER})V`]: (_machine, self, observer: Reference) => {
        const { observers } = of(self);
        const at = observer === null ? -1 : observers.indexOf(observer);
        if (at >= 0) observers.splice(at, 1);
      },
      'deleteObservers()V': (_machine, self) => {
        of(self).observers.length = 0;
      },
      'countObservers()I': (_machine, self) => of(self).observers.length,
      'setChanged()V': setChanged(true),
      'clearChanged()V': setChanged(false),
      'hasChanged()Z': (_machine, self) => of(self).isChanged,
      'notifyObservers()V': tell,
      'notifyObservers(Ljava/lang/Object;)V': tell,
    },
  },
};
