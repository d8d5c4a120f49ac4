// Reads and writes JSON as Android's org.json does. Knows the trees, not the objects.
// https://developer.android.com/reference/org/json/JSONTokener
import type { HeapObject, JavaString, Taint } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { doubleText } from '../lang/number-text.ts';
import { instance, type Reference } from '../values.ts';

/** The `native` of a JSONObject: insertion order, as Android's. */
export interface JsonObject {
  entries: Map<string, Reference>;
  /** Taint of keys and of puts under a tainted branch. */
  taint: Taint;
}

/** The `native` of a JSONArray. */
export type JsonArray = Reference[];

/** Nested objects and arrays; Android's own overflows its stack a little later. */
const MAXIMUM_DEPTH = 500;

export function jsonException(machine: Machine, message: string) {
  return machine.exception('Lorg/json/JSONException;', message);
}

export function newObject(machine: Machine): HeapObject {
  return instance(machine, 'Lorg/json/JSONObject;', { entries: new Map(), taint: 0 } satisfies JsonObject);
}

export function newArray(machine: Machine, elements: JsonArray): HeapObject {
  return instance(machine, 'Lorg/json/JSONArray;', elements);
}

export const theNull = (machine: Machine): HeapObject =>
  machine.getStatic('Lorg/json/JSONObject;', 'NULL') as HeapObject;

/** Reads values from a text, tolerant as Android's tokener is: comments, single quotes, bare words. */
export class JsonReader {
  at = 0;
  readonly text: string;
  readonly #machine: Machine;
  readonly #taint: Taint;

  constructor(machine: Machine, text: string, taint: Taint) {
    this.#machine = machine;
    this.text = text.startsWith('\ufeff') ? text.slice(1) : text;
    this.#taint = taint;
  }

  /**
   * The next value: JSONObject, JSONArray, String, Boolean, Integer, Long, Double or NULL. @throws JavaThrow
   * JSONException
   */
  value(depth = 0): HeapObject {
    const character = this.nextClean();
    if (character === '') throw this.fault('End of input');
    if (depth > MAXIMUM_DEPTH) throw this.fault('Too deep');
    this.#machine.charge(48);
    if (character === '{') return this.#object(depth);
    if (character === '[') return this.#array(depth);
    if (character === '"' || character === "'") return this.#machine.string(this.string(character), this.#taint);
    this.at--;
    return this.#literal();
  }

  fault(message: string) {
    return jsonException(this.#machine, `${message} at character ${this.at} of ${this.text.slice(0, 1000)}`);
  }

  /** The next character that is no space and no comment, '' at the end. */
  nextClean(): string {
    const { text } = this;
    while (this.at < text.length) {
      const character = text[this.at++]!;
      if (/[\t\n\r ]/.test(character)) continue;
      if (character === '/' && text[this.at] === '*') {
        const end = text.indexOf('*/', this.at + 1);
        if (end < 0) throw this.fault('Unterminated comment');
        this.at = end + 2;
      } else if ((character === '/' && text[this.at] === '/') || character === '#') {
        const end = text.indexOf('\n', this.at);
        this.at = end < 0 ? text.length : end + 1;
      } else return character;
    }
    return '';
  }

  /** After an opening quote. */
  string(quote: string): string {
    const { text } = this;
    let result = '';
    let start = this.at;
    for (; this.at < text.length; this.at++) {
      const character = text[this.at]!;
      if (character === quote) {
        result += text.slice(start, this.at++);
        return result;
      }
      if (character === '\\') {
        result += text.slice(start, this.at++);
        result += this.#escape();
        start = this.at + 1;
      }
    }
    throw this.fault('Unterminated string');
  }

  #escape(): string {
    const letter = this.text[this.at];
    if (letter === undefined) throw this.fault('Unterminated escape sequence');
    if (letter === 'u') {
      const hex = this.text.slice(this.at + 1, this.at + 5);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.fault('Invalid escape sequence');
      this.at += 4;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    return { t: '\t', b: '\b', n: '\n', r: '\r', f: '\f' }[letter] ?? letter;
  }

  #object(depth: number): HeapObject {
    const object = newObject(this.#machine);
    const state = object.native as JsonObject;
    state.taint = this.#taint;
    let character = this.nextClean();
    if (character === '}') return object;
    if (character !== '') this.at--;
    for (;;) {
      const key = this.value(depth + 1);
      const name = this.#machine.toText(key).text;
      if (key === theNull(this.#machine)) throw this.fault('Names cannot be null');
      const separator = this.nextClean();
      if (separator !== ':' && separator !== '=') throw this.fault(`Expected ':' after ${name}`);
      if (this.text[this.at] === '>') this.at++;
      state.entries.set(name, this.value(depth + 1));
      character = this.nextClean();
      if (character === '}') return object;
      if (character !== ',' && character !== ';') throw this.fault('Unterminated object');
    }
  }

  #array(depth: number): HeapObject {
    const elements: JsonArray = [];
    let hasTrailing = false;
    for (;;) {
      const character = this.nextClean();
      if (character === '') throw this.fault('Unterminated array');
      if (character === ']') {
        if (hasTrailing) elements.push(null);
        return newArray(this.#machine, elements);
      }
      if (character === ',' || character === ';') {
        elements.push(null);
        hasTrailing = true;
        continue;
      }
      this.at--;
      elements.push(this.value(depth + 1));
      const next = this.nextClean();
      if (next === ']') return newArray(this.#machine, elements);
      if (next !== ',' && next !== ';') throw this.fault('Unterminated array');
      hasTrailing = true;
    }
  }

  #literal(): HeapObject {
    const machine = this.#machine;
    const rest = /^[^{}[\]/\\:,=;#\t\f\n\r ]*/.exec(this.text.slice(this.at, this.at + 100_000))![0];
    this.at += rest.length;
    if (rest === '') throw this.fault('Expected literal value');
    const lower = rest.toLowerCase();
    if (lower === 'null') return theNull(machine);
    if (lower === 'true' || lower === 'false') return machine.box('Z', Number(lower === 'true'), this.#taint);
    const whole = /^-?(?:0[xX][0-9a-fA-F]+|\d+)$/.test(rest) ? integer(rest) : null;
    if (whole !== null && BigInt.asIntN(32, whole) === whole) return machine.box('I', Number(whole), this.#taint);
    if (whole !== null && BigInt.asIntN(64, whole) === whole) return machine.box('J', whole, this.#taint);
    if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(rest)) return machine.box('D', Number(rest), this.#taint);
    return machine.string(rest, this.#taint);
  }
}

/** Hexadecimal and, as in C, octal where it starts with 0. */
function integer(text: string): bigint | null {
  const isNegative = text.startsWith('-');
  const digits = isNegative ? text.slice(1) : text;
  if (digits.length > 40) return null;
  let value: bigint;
  if (/^0[xX]/.test(digits)) value = BigInt(digits);
  else if (/^0[0-7]+$/.test(digits)) value = BigInt(`0o${digits.slice(1)}`);
  else value = BigInt(digits);
  return isNegative ? -value : value;
}

/** A number as JSON has it. @throws JavaThrow JSONException for NaN and infinities */
export function numberText(machine: Machine, object: HeapObject): string {
  const value = machine.unbox(object);
  if (typeof value === 'bigint') return String(value);
  if (
    typeof value === 'number' &&
    !object.cls.descriptor.includes('Double') &&
    !object.cls.descriptor.includes('Float')
  ) {
    return String(value);
  }
  if (value === null) return machine.toText(object).text;
  if (!Number.isFinite(value)) throw jsonException(machine, `Forbidden numeric value: ${doubleText(value)}`);
  if (Object.is(value, -0)) return '-0';
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return String(BigInt(value));
  return machine.toText(object).text;
}

/** A string in quotes with Android's escapes: `/` too. */
export function quoted(text: string): string {
  let result = '"';
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    const escaped = ESCAPES[character];
    if (escaped !== undefined) result += escaped;
    else if (character.charCodeAt(0) <= 0x1f) result += `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    else result += character;
  }
  return `${result}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\t': '\\t',
  '\b': '\\b',
  '\n': '\\n',
  '\r': '\\r',
  '\f': '\\f',
};

/** Writes values with the union of their taints. */
export class JsonWriter {
  text = '';
  taint: Taint = 0;
  readonly #machine: Machine;
  readonly #indent: number;

  constructor(machine: Machine, indent: number) {
    this.#machine = machine;
    this.#indent = indent;
  }

  value(value: Reference, depth = 0): void {
    const machine = this.#machine;
    if (depth > MAXIMUM_DEPTH) throw machine.exception('Ljava/lang/StackOverflowError;');
    if (value === null || value === theNull(machine)) {
      this.text += 'null';
      return;
    }
    this.taint = machine.union(this.taint, value.taint);
    const { descriptor } = value.cls;
    if (descriptor === 'Lorg/json/JSONObject;') this.#object(value.native as JsonObject, depth);
    else if (descriptor === 'Lorg/json/JSONArray;') this.#array(value.native as JsonArray, depth);
    else if (descriptor === 'Ljava/lang/Boolean;') this.text += machine.unbox(value) !== 0 ? 'true' : 'false';
    else if (machine.isInstance(value, 'Ljava/lang/Number;')) this.text += numberText(machine, value);
    else {
      const text: JavaString = machine.toText(value);
      this.taint = machine.union(this.taint, text.taint);
      this.text += quoted(text.text);
    }
  }

  #line(depth: number): void {
    if (this.#indent > 0) this.text += `\n${' '.repeat(this.#indent * depth)}`;
  }

  #object(state: JsonObject, depth: number): void {
    this.taint = this.#machine.union(this.taint, state.taint);
    this.text += '{';
    let isFirst = true;
    for (const [name, value] of state.entries) {
      if (!isFirst) this.text += ',';
      isFirst = false;
      this.#line(depth + 1);
      this.text += quoted(name) + (this.#indent > 0 ? ': ' : ':');
      this.value(value, depth + 1);
    }
    if (!isFirst) this.#line(depth);
    this.text += '}';
  }

  #array(elements: JsonArray, depth: number): void {
    this.text += '[';
    for (const [index, value] of elements.entries()) {
      if (index > 0) this.text += ',';
      this.#line(depth + 1);
      this.value(value, depth + 1);
    }
    if (elements.length > 0) this.#line(depth);
    this.text += ']';
  }
}
