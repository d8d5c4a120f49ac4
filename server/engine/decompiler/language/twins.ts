// Knows no text.
import type { Local } from '../expressions/tree.ts';

/** Tells whether two copies of code are the same but for their addresses and the names of what each declares. */
export class Twins {
  readonly #pairs = new Map<unknown, unknown>();

  areAlike(a: unknown, b: unknown): boolean {
    if (Object.is(a, b)) return true;
    if (Array.isArray(a)) {
      return Array.isArray(b) && a.length === b.length && a.every((each, index) => this.areAlike(each, b[index]));
    }
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
    const keys = Object.keys(one);
    if (keys.length !== Object.keys(other).length) return false;
    this.#pair(one, other);
    return keys.every((key) => this.#isAlike(key, one[key], other[key]));
  }

  /** Notes what both declare: a variable or a label. */
  #pair(one: Record<string, unknown>, other: Record<string, unknown>): void {
    const isDeclared = (each: Record<string, unknown>) =>
      each.kind === 'declare' || each.isDeclaration === true || 'handler' in each;
    if (isDeclared(one) && isDeclared(other) && one.local !== null && other.local !== null) {
      const [first, second] = [one.local as Local, other.local as Local];
      if (first.type === second.type) this.#pairs.set(first, second);
    }
    if ('label' in one && one.kind !== 'jump') this.#pairs.set(one.label, other.label);
  }

  #isAlike(key: string, one: unknown, other: unknown): boolean {
    if (key === 'at' || key === 'handler') return true;
    if (key !== 'local' && key !== 'label') return this.areAlike(one, other);
    return this.#pairs.has(one) ? this.#pairs.get(one) === other : one === other;
  }
}
