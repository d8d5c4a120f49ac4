// Locks of objects: taking, giving back, and who waits. Knows no scheduling.
import type { HeapObject } from './heap.ts';
import type { Frame, JavaThread, Monitor } from './java-thread.ts';
import type { Runtime } from './runtime.ts';

/** The lock of an object, made when somebody first asks for it. */
export function monitorOf(object: HeapObject): Monitor {
  object.monitor ??= { owner: null, count: 0, waiting: [] } satisfies Monitor;
  return object.monitor as Monitor;
}

/** False where another thread holds it: then the running one waits for it and repeats what it did. */
export function enterMonitor(thread: JavaThread, object: HeapObject): boolean {
  const monitor = monitorOf(object);
  if (monitor.owner === null || monitor.owner === thread) {
    monitor.owner = thread;
    monitor.count++;
    return true;
  }
  thread.blocked = {
    ready: () => monitor.owner === null,
    deadline: Number.POSITIVE_INFINITY,
    finish: null,
    model: null,
  };
  return false;
}

/** @throws JavaThrow IllegalMonitorStateException where the thread does not hold it */
export function exitMonitor(vm: Runtime, thread: JavaThread, object: HeapObject): void {
  const monitor = monitorOf(object);
  if (monitor.owner !== thread) {
    throw vm.exception('Ljava/lang/IllegalMonitorStateException;', 'object not locked by thread');
  }
  if (--monitor.count === 0) monitor.owner = null;
}

/** Gives back what a synchronized method's frame holds. */
export function releaseFrameLock(thread: JavaThread, frame: Frame): void {
  const { lock } = frame;
  frame.lock = null;
  if (lock === null) return;
  const monitor = monitorOf(lock);
  if (monitor.owner === thread && --monitor.count === 0) monitor.owner = null;
}
