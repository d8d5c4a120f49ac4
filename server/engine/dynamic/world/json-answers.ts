// What servers answer in JSON: the usual fields, and those that the app has missed in earlier answers. Knows no machine.

import type { JsonKind } from '../java/hooks.ts';
import { plausibleText } from './plausible-text.ts';

/** Names learned; an object over a word list is not a question. */
const maxNames = 24;
const maxNameLength = 200;
/** Objects in each other, and answers remembered. */
const maxDepth = 3;
const maxAnswers = 500;
/** Values of one answer: lists of lists of everything grow fast. */
const maxValues = 2_000;

/** Readers put lines together as they like. */
const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

export class JsonAnswers {
  readonly #kinds = new Map<string, JsonKind>();
  /** Where each answer came from. */
  readonly #places = new Map<string, string>();
  /** How many more values the answer in the making may have. */
  #left = 0;
  readonly #shapes = new Map<string, 'object' | 'list'>();

  /** A name looked for in an object that has none such, or something else under it. */
  missed(name: string, kind: JsonKind): void {
    if (this.#kinds.has(name) || (this.#kinds.size < maxNames && name.length <= maxNameLength)) {
      this.#kinds.set(name, kind);
    }
  }

  /** Remembers what a place answered, in case the app reads it as JSON. */
  answered(place: string, text: string): void {
    if (this.#places.size < maxAnswers) this.#places.set(withoutSpace(text), place);
  }

  /** A text that the app reads as JSON: what answered so does it with an object or a list from now on. */
  read(text: string, shape: 'object' | 'list'): void {
    const place = this.#places.size === 0 ? undefined : this.#places.get(withoutSpace(text));
    if (place !== undefined) this.#shapes.set(place, shape);
  }

  /** What the app reads answers of a place as; undefined where it has not tried. */
  shapeOf(place: string): 'object' | 'list' | undefined {
    return this.#shapes.get(place);
  }

  /** @param values what texts say, the first everywhere, each of them in an object of every list */
  object(values: readonly string[]): Record<string, unknown> {
    this.#left = maxValues;
    const result = this.#named('list', values, 1);
    const data = this.#named('object', values, 1);
    const usual = { success: true, code: 0, message: '', id: '1', data, result, status: values[0] };
    return { ...this.#fields(values, 1), ...usual };
  }

  list(values: readonly string[]): unknown[] {
    this.#left = maxValues;
    return values.map((value) => this.#fields([value, ...values.filter((each) => each !== value)], 1));
  }

  #fields(values: readonly string[], depth: number): Record<string, unknown> {
    this.#left -= this.#kinds.size;
    if (this.#left < 0) return {};
    return Object.fromEntries([...this.#kinds].map(([name, kind]) => [name, this.#valueOf(name, kind, values, depth)]));
  }

  #named(kind: JsonKind, values: readonly string[], depth: number): unknown {
    return this.#kinds.size === 0 ? (kind === 'list' ? [] : {}) : this.#valueOf('', kind, values, depth);
  }

  #valueOf(name: string, kind: JsonKind, values: readonly string[], depth: number): unknown {
    if (kind === 'number') return 1;
    if (kind === 'flag') return true;
    if (kind === 'text') return plausibleText(name) ?? values[0];
    if (depth >= maxDepth) return kind === 'list' ? [] : {};
    if (kind === 'object') return this.#fields(values, depth + 1);
    const elements = depth === 1 ? values : values.slice(0, 1);
    return elements.map((value) => this.#fields([value], depth + 1));
  }
}
