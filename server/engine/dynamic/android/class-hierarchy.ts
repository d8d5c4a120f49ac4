// What the framework's classes extend and implement, for those that nothing models. Reads its table when it is asked first.
import { readFileSync } from 'node:fs';
import type { PlatformClass } from '../machine/model.ts';

/** Class names by what they extend, or implement. */
interface Table {
  extends: Record<string, string[]>;
  implements: Record<string, string[]>;
}

let classes: Map<string, PlatformClass> | null = null;

const descriptorOf = (name: string): string => `L${name};`;

function read(): Map<string, PlatformClass> {
  const path = new URL('../../../../resources/android-classes.json', import.meta.url);
  const table = JSON.parse(readFileSync(path, 'utf8')) as Table;
  const found = new Map<string, { superclass: string | null; interfaces: string[] }>();
  const entry = (name: string) => {
    const descriptor = descriptorOf(name);
    let known = found.get(descriptor);
    if (known === undefined) {
      known = { superclass: null, interfaces: [] };
      found.set(descriptor, known);
    }
    return known;
  };
  for (const [superclass, names] of Object.entries(table.extends)) {
    for (const name of names) entry(name).superclass = descriptorOf(superclass);
  }
  for (const [type, names] of Object.entries(table.implements)) {
    for (const name of names) entry(name).interfaces.push(descriptorOf(type));
  }
  return found;
}

/** Null for a class that extends Object alone, or that the table does not have. */
export function frameworkClass(descriptor: string): PlatformClass | null {
  classes ??= read();
  return classes.get(descriptor) ?? null;
}
