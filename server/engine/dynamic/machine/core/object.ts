// java.lang.Object with its monitors, and the interfaces that the machine itself gives to arrays. Knows no other class.
import { HeapObject, JavaArray } from '../heap.ts';
import { identityHash } from '../identity-hash.ts';
import type { Machine, Models } from '../model.ts';
import { monitorOf } from '../monitors.ts';
import { runtimeOf } from '../runtime.ts';

/** A copy of an array, or of an object's fields. @throws JavaThrow CloneNotSupportedException */
function clone(machine: Machine, self: HeapObject): HeapObject {
  const runtime = runtimeOf(machine);
  if (self instanceof JavaArray) {
    machine.charge(self.elements.length * 8);
    const copy = new JavaArray(self.cls, self.elements.slice());
    copy.elementTaints = self.elementTaints?.slice() ?? null;
    copy.taint = self.taint;
    return copy;
  }
  if (!machine.isInstance(self, 'Ljava/lang/Cloneable;')) {
    throw machine.exception(
      'Ljava/lang/CloneNotSupportedException;',
      `Class ${self.cls.name} doesn't implement Cloneable`,
    );
  }
  runtime.charge(64 + self.fields.length * 8);
  const copy = new HeapObject(self.cls, self.fields.slice());
  copy.fieldTaints = self.fieldTaints?.slice() ?? null;
  copy.native = self.native;
  copy.taint = self.taint;
  return copy;
}

/** @throws JavaThrow IllegalMonitorStateException, InterruptedException */
function wait(machine: Machine, self: HeapObject, milliseconds: bigint) {
  const runtime = runtimeOf(machine);
  const { thread } = runtime;
  const monitor = monitorOf(self);
  if (monitor.owner !== thread) {
    throw machine.exception('Ljava/lang/IllegalMonitorStateException;', 'object not locked by thread before wait()');
  }
  if (milliseconds < 0n) throw machine.exception('Ljava/lang/IllegalArgumentException;', 'timeout < 0');
  const interrupted = () => {
    thread.isInterrupted = false;
    return machine.exception('Ljava/lang/InterruptedException;');
  };
  if (thread.isInterrupted) throw interrupted();
  const held = monitor.count;
  const entry = { thread, isNotified: false };
  monitor.waiting.push(entry);
  monitor.owner = null;
  monitor.count = 0;
  const timeout = milliseconds === 0n ? undefined : Number(milliseconds);
  return machine.blockThen(
    () => entry.isNotified || thread.isInterrupted,
    timeout,
    () => {
      const index = monitor.waiting.indexOf(entry);
      if (index >= 0) monitor.waiting.splice(index, 1);
      return machine.blockThen(
        () => monitor.owner === null,
        undefined,
        () => {
          monitor.owner = thread;
          monitor.count = held;
          if (thread.isInterrupted && !entry.isNotified) throw interrupted();
        },
      );
    },
  );
}

function notify(machine: Machine, self: HeapObject, isAll: boolean): undefined {
  const monitor = monitorOf(self);
  if (monitor.owner !== runtimeOf(machine).thread) {
    throw machine.exception('Ljava/lang/IllegalMonitorStateException;', 'object not locked by thread before notify()');
  }
  for (const entry of monitor.waiting.splice(0, isAll ? monitor.waiting.length : 1)) entry.isNotified = true;
}

export const objectModels: Models = {
  'Ljava/lang/Object;': {
    methods: {
      '<init>()V': () => undefined,
      'getClass()Ljava/lang/Class;': (machine, self) => machine.classObject(self.cls),
      'hashCode()I': identityHash,
      'equals(Ljava/lang/Object;)Z': (_machine, self, other: HeapObject | null) => (self === other ? 1 : 0),
      // The text of an array stands for its content to whoever reads the report, though Java does not print it.
      'toString()Ljava/lang/String;': (machine, self) =>
        machine.string(
          `${self.cls.name}@${(machine.hashCode(self) >>> 0).toString(16)}`,
          self instanceof JavaArray ? machine.deepTaint(self) : 0,
        ),
      'clone()Ljava/lang/Object;': clone,
      'finalize()V': () => undefined,
      'notify()V': (machine, self) => notify(machine, self, false),
      'notifyAll()V': (machine, self) => notify(machine, self, true),
      'wait()V': (machine, self) => wait(machine, self, 0n),
      'wait(J)V': wait,
      'wait(JI)V': (machine, self, milliseconds: bigint, nanoseconds: number) =>
        wait(machine, self, milliseconds + (nanoseconds > 0 ? 1n : 0n)),
    },
  },
  'Ljava/lang/Cloneable;': { isInterface: true },
  'Ljava/io/Serializable;': { isInterface: true },
};
