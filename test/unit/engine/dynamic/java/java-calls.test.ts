// The core library's models give what a real Java library gave for the same calls.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { javaModels } from '../../../../../server/engine/dynamic/java/models.ts';
import type { ClassInfo, MethodInfo } from '../../../../../server/engine/dynamic/machine/class-info.ts';
import {
  type HeapObject,
  JavaArray,
  JavaThrow,
  type Value,
} from '../../../../../server/engine/dynamic/machine/heap.ts';
import { createMachine } from '../../../../../server/engine/dynamic/machine/machine.ts';
import type { Machine } from '../../../../../server/engine/dynamic/machine/model.ts';

const FIXTURES = new URL('../../../../fixtures/dynamic/java/', import.meta.url);
const GOLDEN = new URL('../../../../golden/dynamic-java/', import.meta.url);
const STATIC = 8;

const linesOf = (url: URL): string[] =>
  readFileSync(url, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** What may differ, and why. */
const DIFFERENT = [
  // Classes behind the scenes have names of their own, and show themselves as they like.
  /	(getTimeZone|getInstance|getEncoder|getUrlDecoder)\(/,
  /	java\.util\.GregorianCalendar	<init>/,
  /	javax\.crypto\.spec\.SecretKeySpec	<init>/,
];

function findMethod(cls: ClassInfo | null, signature: string): MethodInfo | null {
  if (cls === null) return null;
  const own = cls.methods.get(signature);
  if (own !== undefined) return own;
  for (const parent of [cls.superclass, ...cls.interfaces]) {
    const found = findMethod(parent, signature);
    if (found !== null) return found;
  }
  return null;
}

class Script {
  readonly #machine: Machine;
  readonly #values = new Map<string, Value>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  run(line: string): string {
    const machine = this.#machine;
    const [name, className, signature, ...texts] = line.split('\t') as [string, string, string, ...string[]];
    const descriptor = `L${className.replaceAll('.', '/')};`;
    const types = signature.slice(signature.indexOf('(') + 1, signature.indexOf(')')).match(/\[*(?:L[^;]*;|.)/g) ?? [];
    const receivers = texts.length - types.length;
    const args = texts.map((text, index) =>
      types[index - receivers]?.startsWith('L') ? this.#boxed(text) : this.#value(text),
    );
    try {
      let result: Value;
      if (signature.startsWith('<init>')) result = machine.construct(descriptor, signature, ...args);
      else {
        const method = findMethod(machine.classOf(descriptor), signature);
        const isStatic = method !== null && (method.accessFlags & STATIC) !== 0;
        // A call on what an earlier exception left null.
        if (!isStatic && args[0] === null) return '! java.lang.NullPointerException';
        result = isStatic
          ? machine.callStatic(descriptor, signature, ...args)
          : machine.call(args[0] as HeapObject, signature, ...args.slice(1));
      }
      this.#values.set(name, result);
      const shown = this.#show(
        result,
        signature.startsWith('<init>') ? descriptor : signature.slice(signature.indexOf(')') + 1),
      );
      return shown.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
    } catch (error) {
      if (!(error instanceof JavaThrow)) throw error;
      this.#values.set(name, null);
      return `! ${error.throwable.cls.name}`;
    }
  }

  #value(text: string): Value {
    const machine = this.#machine;
    if (text.startsWith('$')) return this.#values.get(text.slice(1)) ?? null;
    if (text === 'null') return null;
    const rest = text.slice(2).replaceAll('\\n', '\n').replaceAll('\\t', '\t');
    switch (text[0]) {
      case 's':
        return machine.string(rest);
      case 'J':
        return BigInt(rest);
      case 'F':
        return Math.fround(Number(rest));
      case 'B':
        return machine.byteArray(Buffer.from(rest, 'hex'));
      case 'a':
        return machine.objectArray(
          'Ljava/lang/Object;',
          (rest === '' ? [] : rest.split(';')).map((item) => this.#boxed(item)),
        );
      default:
        return Number(rest);
    }
  }

  #boxed(item: string): HeapObject | null {
    const value = this.#value(item);
    if (typeof value === 'object') return value;
    return this.#machine.box(item[0]!, value);
  }

  #show(value: Value, returns: string): string {
    const machine = this.#machine;
    const statics = (cls: string, type: string): string =>
      machine.toText(machine.callStatic(cls, `toString(${type})Ljava/lang/String;`, value) as HeapObject).text;
    if (returns === 'V' || value === null) return 'null';
    if (typeof value !== 'object') {
      if (returns === 'Z') return value !== 0 ? 'true' : 'false';
      if (returns === 'C') return String.fromCharCode(Number(value));
      if (returns === 'D') return statics('Ljava/lang/Double;', 'D');
      return returns === 'F' ? statics('Ljava/lang/Float;', 'F') : String(value);
    }
    if (value instanceof JavaArray) {
      const type = value.cls.descriptor;
      if (type === '[B') return `hex ${Buffer.from((value.elements as Int8Array).buffer).toString('hex')}`;
      return statics('Ljava/util/Arrays;', type.startsWith('[L') ? '[Ljava/lang/Object;' : type);
    }
    const text = machine.toText(value).text;
    return /@[0-9a-f]+$/.test(text) ? value.cls.name : text;
  }
}

test('every call of the script gives what a real Java library gives', () => {
  const machine = createMachine({
    dexFiles: [],
    models: [javaModels],
    startDate: Date.UTC(2026, 10, 21),
    onFailure: (error) => {
      throw error;
    },
  });
  const calls = linesOf(new URL('calls.txt', FIXTURES));
  // The first line is the command that made the others, of which some are empty.
  const golden = readFileSync(new URL('calls.txt', GOLDEN), 'utf8').split('\n').slice(1, -1);
  const wrong: string[] = [];
  const isFine = machine.run(() => {
    const script = new Script(machine);
    for (const [index, line] of calls.entries()) {
      const result = script.run(line);
      if (result !== golden[index] && !DIFFERENT.some((pattern) => pattern.test(line))) {
        wrong.push(`${line}\n  Java: ${golden[index]}\n  here: ${result}`);
      }
    }
  });
  assert.ok(isFine);
  assert.equal(calls.length, golden.length);
  assert.deepEqual(wrong, []);
});
