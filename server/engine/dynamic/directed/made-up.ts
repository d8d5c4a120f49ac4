// Values that stand for those that a forced run lacks, by their type; their taint says that they are made up. Knows no code
// that asks for them.
import type { Dex } from '../../formats/dex/dex.ts';
import type { App } from '../android/components/app.ts';
import type { TaintedValue } from '../machine/direction.ts';
import { HeapObject, JavaThrow, type Taint, type Value } from '../machine/heap.ts';
import type { MachineHost } from '../machine/machine.ts';

const madeUpTag = 'made up';
const abstractOrInterface = 0x400 | 0x200;
const anyText = 'made up';
/** Subclasses that are tried for one that can be made. */
const maxTried = 4;

export class MadeUp {
  readonly #machine: MachineHost;
  readonly #app: App;
  readonly #dexFiles: readonly Dex[];
  readonly #taint: Taint;
  #subclasses: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(machine: MachineHost, app: App, dexFiles: readonly Dex[]) {
    this.#machine = machine;
    this.#app = app;
    this.#dexFiles = dexFiles;
    this.#taint = machine.source(madeUpTag, '');
  }

  /** A value of a type; null where no object of it can be made. */
  value(descriptor: string): TaintedValue | null {
    const value = this.#valueOf(descriptor);
    return value === undefined ? null : { value, taint: this.#taint };
  }

  /** Whether a value, or a part of it, is made up, and not only chosen by one that is. */
  isMadeUp(value: Value, taint: Taint): boolean {
    const all = value instanceof HeapObject ? this.#machine.union(taint, this.#machine.deepTaint(value)) : taint;
    return all !== 0 && !this.#machine.isImplicit(all) && this.#machine.tagsOf(all).includes(madeUpTag);
  }

  #valueOf(descriptor: string): Value | undefined {
    const machine = this.#machine;
    switch (descriptor) {
      case 'V':
        return null;
      case 'J':
        return 1n;
      case 'Ljava/lang/String;':
      case 'Ljava/lang/CharSequence;':
      case 'Ljava/lang/Object;':
        return machine.string(anyText, this.#taint);
      case 'Landroid/content/Context;':
        return this.#app.application ?? undefined;
      case 'Landroid/app/Activity;':
        return this.#app.activities.at(-1)?.object;
      default:
        if (descriptor.length === 1) return 1;
        return this.#object(descriptor);
    }
  }

  #object(descriptor: string): HeapObject | undefined {
    const running = [...this.#app.activities, ...this.#app.services.values()].find(
      ({ object }) => object.cls.descriptor === descriptor,
    );
    if (running !== undefined) return running.object;
    try {
      const cls = this.#machine.findClass(descriptor);
      if (cls?.isApp !== true) return this.#platformObject(descriptor);
      if ((cls.accessFlags & abstractOrInterface) === 0) return this.#tainted(this.#machine.allocate(descriptor));
    } catch (error) {
      if (!(error instanceof JavaThrow)) throw error;
      return undefined;
    }
    for (const subclass of (this.#subclassesOf(descriptor) ?? []).slice(0, maxTried)) {
      const made = this.#object(subclass);
      if (made !== undefined) return made;
    }
    return undefined;
  }

  #platformObject(descriptor: string): HeapObject | undefined {
    const made = this.#machine.typedDefault(descriptor) ?? this.#machine.allocate(descriptor);
    return made instanceof HeapObject ? this.#tainted(made) : undefined;
  }

  #tainted(object: HeapObject): HeapObject {
    object.taint = this.#machine.union(object.taint, this.#taint);
    return object;
  }

  #subclassesOf(descriptor: string): readonly string[] | undefined {
    this.#subclasses ??= directSubclasses(this.#dexFiles);
    return this.#subclasses.get(descriptor);
  }
}

/** By class or interface, those that extend or implement it directly. */
function directSubclasses(dexFiles: readonly Dex[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const dex of dexFiles) {
    for (let index = 0; index < dex.classCount; index++) {
      const { superclassIndex, interfacesOffset } = dex.classDef(index);
      for (const type of [superclassIndex, ...dex.typeList(interfacesOffset)]) {
        if (type >= dex.typeCount) continue;
        const known = found.get(dex.type(type));
        if (known === undefined) found.set(dex.type(type), [dex.className(index)]);
        else known.push(dex.className(index));
      }
    }
  }
  return found;
}
