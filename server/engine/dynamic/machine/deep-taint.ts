// The taint of everything that counts as a value's content. Knows no particular model: it looks through their state.
import { HeapObject, JavaArray, JavaString, type Taint, type Value } from './heap.ts';
import type { LinkedClass } from './linked-class.ts';
import type { Runtime } from './runtime.ts';

/** The state class of a model, such as a collection's, says what counts as its content. */
interface Contents {
  contents(): Iterable<unknown>;
}

/** Things looked at for one value: more than that is a graph of the program's objects, not a message. */
const maxVisited = 4000;

/**
 * Taint of a string, of an array's elements, of what stands in a collection or in a model's state, and of the fields of
 * the app's own data classes: those that extend no screen, service or thread, whose fields lead to the whole app.
 */
export function deepTaint(vm: Runtime, value: Value): Taint {
  if (!(value instanceof HeapObject)) return 0;
  if (value instanceof JavaString) return value.taint;
  let taint = 0;
  const seen = new Set<object>([value]);
  const waiting: object[] = [value];
  const visit = (next: unknown) => {
    if (next === null || typeof next !== 'object' || ArrayBuffer.isView(next) || seen.has(next)) return;
    if (seen.size >= maxVisited) return;
    seen.add(next);
    waiting.push(next);
  };
  while (waiting.length > 0) {
    const here = waiting.pop()!;
    if (!(here instanceof HeapObject)) {
      if (here instanceof Map) {
        for (const [key, content] of here) {
          visit(key);
          visit(content);
        }
      } else if (Array.isArray(here) || here instanceof Set) {
        for (const content of here) visit(content);
      } else if (typeof (here as Partial<Contents>).contents === 'function') {
        for (const content of (here as Contents).contents()) visit(content);
      } else if (Object.getPrototypeOf(here) === Object.prototype) {
        for (const [key, content] of Object.entries(here)) {
          // A number in the state of a model has its taint in the field beside it.
          if (key === 'taint' && typeof content === 'number') taint = vm.taints.union(taint, content);
          else visit(content);
        }
      }
      continue;
    }
    taint = vm.taints.union(taint, vm.ownTaint(here));
    if (here instanceof JavaString) continue;
    if (here instanceof JavaArray) {
      if (Array.isArray(here.elements)) for (const element of here.elements) visit(element);
      continue;
    }
    const cls = here.cls as LinkedClass;
    if (cls.descriptor === 'Ljava/lang/Class;' || cls.descriptor === 'Ljava/lang/Thread;') continue;
    if (cls.isApp && !isData(cls)) continue;
    for (const field of here.fields) visit(field);
    for (const beside of here.fieldTaints ?? []) taint = vm.taints.union(taint, beside ?? 0);
    visit(here.native);
  }
  return taint;
}

/** Threads and loaders hold what they work with, not what they are. */
const dataClasses = /^Ljava\/(?!lang\/(?:Thread|ClassLoader);)/;

/** Whether what an app's class extends is a value of the core library: an object, an enum, a collection, an exception. */
function isData(cls: LinkedClass): boolean {
  for (let type: LinkedClass | null = cls; type !== null; type = type.superclass) {
    if (!type.isApp) return dataClasses.test(type.descriptor);
  }
  return true;
}
