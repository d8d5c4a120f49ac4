// What servers answer in JSON: the usual fields, and those that the app has missed in earlier answers. Knows no machine.
import type { JsonKind } from '../java/hooks.ts';
import { plausibleText } from './plausible-text.ts';

/** Names learned at most; an app that looks for more goes through a word list. */
const maxNames = 24;
const maxNameLength = 200;
/** Objects in each other. */
const maxDepth = 3;
/** Places whose answers are read as JSON. */
const maxPlaces = 500;
/** Characters of names and texts in one answer: nested lists grow fast, and texts may be encoded answers themselves. */
const maxLength = 1 << 15;

export type JsonShape = 'object' | 'list';

export class JsonAnswers {
  readonly #kinds = new Map<string, JsonKind>();
  /** How many more characters the answer in the making may have. */
  #left = 0;
  readonly #shapes = new Map<string, JsonShape>();

  /** A name that the app looked for in an object where it is missing or of another kind. */
  missed(name: string, kind: JsonKind): void {
    if (this.#kinds.has(name) || (this.#kinds.size < maxNames && name.length <= maxNameLength)) {
      this.#kinds.set(name, kind);
    }
  }

  /** The app parsed an answer of this place as JSON: from now on it answers with an object or a list. */
  read(place: string, shape: JsonShape): void {
    if (this.#shapes.size < maxPlaces) this.#shapes.set(place, shape);
  }

  /** The shape of JSON that the app expects of a place; undefined where it has not tried to parse any. */
  shapeOf(place: string): JsonShape | undefined {
    return this.#shapes.get(place);
  }

  /**
   * @param values of the texts: the first one everywhere, each of them in one object of every list
   * @param status value of the field of that name
   */
  answer(shape: JsonShape, values: readonly string[], status: string): unknown {
    this.#left = maxLength;
    return shape === 'list' ? this.#list(values) : this.#object(values, status);
  }

  /** An object with the usual fields only. */
  usual(status: string): Record<string, unknown> {
    return { success: true, code: 0, message: '', id: '1', data: {}, result: [], status };
  }

  #object(values: readonly string[], status: string): Record<string, unknown> {
    const asked = this.#fields(values, 1);
    const result = this.#named('list', values, 1);
    const data = this.#named('object', values, 1);
    // Names that the app asked for come before the usual ones.
    return { ...this.usual(status), data, result, ...asked };
  }

  #list(values: readonly string[]): unknown[] {
    return values.map((value) => this.#fields([value, ...values.filter((each) => each !== value)], 1));
  }

  #fields(values: readonly string[], depth: number): Record<string, unknown> {
    const known = [...this.#kinds].filter(([name]) => this.#fits(name));
    return Object.fromEntries(known.map(([name, kind]) => [name, this.#valueOf(name, kind, values, depth)]));
  }

  /** Takes room for a name or a text; false where the answer is full. */
  #fits(text: string): boolean {
    this.#left -= text.length + 1;
    return this.#left >= 0;
  }

  #named(kind: JsonKind, values: readonly string[], depth: number): unknown {
    return this.#kinds.size === 0 ? (kind === 'list' ? [] : {}) : this.#valueOf('', kind, values, depth);
  }

  #valueOf(name: string, kind: JsonKind, values: readonly string[], depth: number): unknown {
    if (kind === 'number') return 1;
    if (kind === 'flag') return true;
    if (kind === 'text') {
      const text = plausibleText(name) ?? values[0] ?? '';
      return this.#fits(text) ? text : '';
    }
    const elements = depth === 1 ? values : values.slice(0, 1);
    if (kind === 'texts') return elements.filter((text) => this.#fits(text));
    if (depth >= maxDepth) return kind === 'list' ? [] : {};
    if (kind === 'object') return this.#fields(values, depth + 1);
    return elements.map((value) => this.#fields([value], depth + 1));
  }
}
