import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Value } from '../../../../../server/engine/dynamic/machine/heap.ts';
import { opcodes } from '../../../../../server/engine/formats/dex/opcodes.ts';
import { buildDex, type MethodSpec } from '../../../../fixtures/dex-builder.ts';
import { JavaError, testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';

// The golden is what a Java virtual machine prints for test/fixtures/dynamic/machine/ArithmeticGolden.java:
// javac -d /tmp ArithmeticGolden.java && java -cp /tmp ArithmeticGolden > test/golden/dynamic/arithmetic.txt
const golden = new Map(
  readFileSync(join(import.meta.dirname, '../../../../golden/dynamic/arithmetic.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', ...values] = line.split(' ');
      return [name, values] as const;
    }),
);

const view = new DataView(new ArrayBuffer(8));

function parse(type: string, text: string): number | bigint {
  switch (type) {
    case 'J':
      return BigInt(text);
    case 'F':
      view.setUint32(0, Number.parseInt(text, 16));
      return view.getFloat32(0);
    case 'D':
      view.setBigUint64(0, BigInt(`0x${text}`));
      return view.getFloat64(0);
    default:
      return Number(text);
  }
}

/** As the golden has it: floating point by its bits. */
function print(type: string, value: Value): string {
  if (type === 'F') {
    if (Number.isNaN(value as number)) return '7fc00000';
    view.setFloat32(0, value as number);
    return view.getUint32(0).toString(16);
  }
  if (type === 'D') {
    if (Number.isNaN(value as number)) return '7ff8000000000000';
    view.setFloat64(0, value as number);
    return view.getBigUint64(0).toString(16);
  }
  return String(value);
}

const letters: Record<string, string> = {
  int: 'I',
  long: 'J',
  float: 'F',
  double: 'D',
  byte: 'I',
  char: 'I',
  short: 'I',
};
const operands = (type: string) => golden.get(`operands:${type}`)!.map((text) => parse(type, text));
const isWide = (type: string) => type === 'J' || type === 'D';
const returnOf = (type: string) => (isWide(type) ? 0x10 : 0x0f);

interface Case {
  readonly name: string;
  readonly method: MethodSpec;
  readonly types: readonly string[];
  readonly returns: string;
  /** Literal for which the method was made, of a column of the golden. */
  readonly column?: number;
}

const firstArgument = 2;

function method(name: string, types: readonly string[], returns: string, units: readonly number[]): MethodSpec {
  const ins = types.reduce((sum, type) => sum + (isWide(type) ? 2 : 1), 0);
  return {
    name,
    descriptor: `(${types.join('')})${returns}`,
    accessFlags: 0x9,
    code: { registers: firstArgument + ins, ins, outs: 0, units },
  };
}

const cases: Case[] = [];
for (const { mnemonic, value, format } of opcodes) {
  const base = mnemonic.replace('/2addr', '');
  const rows = golden.get(base);
  if (rows === undefined) continue;
  const second = firstArgument + 1;
  if (mnemonic.startsWith('if-')) {
    const types = format === '22t' ? ['I', 'I'] : ['I'];
    const first = format === '22t' ? (firstArgument | (second << 4)) << 8 : firstArgument << 8;
    cases.push({
      name: mnemonic,
      types,
      returns: 'I',
      method: method(`m${value}`, types, 'I', [value | first, 4, 0x0012, 0x000f, 0x1012, 0x000f]),
    });
  } else if (format === '22b' || format === '22s') {
    const literals = golden.get(format === '22b' ? 'operands:lit8' : 'operands:lit16')!.map(Number);
    for (const [column, literal] of literals.entries()) {
      const units =
        format === '22b'
          ? [value, firstArgument | ((literal & 0xff) << 8)]
          : [value | (firstArgument << 12), literal & 0xffff];
      cases.push({
        name: mnemonic,
        types: ['I'],
        returns: 'I',
        column,
        method: method(`m${value}_${column}`, ['I'], 'I', [...units, 0x000f]),
      });
    }
  } else if (format === '12x' && !mnemonic.endsWith('/2addr')) {
    const conversion = /^(\w+)-to-(\w+)$/.exec(mnemonic);
    const from = letters[conversion === null ? mnemonic.split('-')[1]! : conversion[1]!]!;
    const to = conversion === null ? from : letters[conversion[2]!]!;
    const units = [value | (firstArgument << 12), returnOf(to)];
    cases.push({ name: mnemonic, types: [from], returns: to, method: method(`m${value}`, [from], to, units) });
  } else {
    const [word = '', kind = ''] = base.split('-');
    const type = letters[kind]!;
    const types = [type, /^(shl|shr|ushr)$/.test(word) ? 'I' : type];
    const returns = word.startsWith('cmp') ? 'I' : type;
    const other = firstArgument + (isWide(type) ? 2 : 1);
    const units = mnemonic.endsWith('/2addr')
      ? [value | ((firstArgument | (other << 4)) << 8), returnOf(type) | (firstArgument << 8)]
      : [value, firstArgument | (other << 8), returnOf(returns)];
    cases.push({ name: mnemonic, types, returns, method: method(`m${value}`, types, returns, units) });
  }
}

const { call } = testMachine([
  buildDex({
    classes: [
      { descriptor: 'LA;', accessFlags: 1, superclass: 'Ljava/lang/Object;', methods: cases.map((one) => one.method) },
    ],
  }),
]);

function result(one: Case, args: readonly (number | bigint)[]): string {
  try {
    return print(one.returns, call('LA;', `${one.method.name}${one.method.descriptor}`, ...args));
  } catch (error) {
    if (error instanceof JavaError && error.message === 'java.lang.ArithmeticException: divide by zero') return '!';
    throw error;
  }
}

for (const name of new Set(cases.map((one) => one.name))) {
  test(`${name} computes what a Java virtual machine does`, () => {
    const actual: string[] = [];
    for (const one of cases.filter((candidate) => candidate.name === name)) {
      const [left = [], right] = one.types.map(operands);
      for (const a of left) for (const b of right ?? [null]) actual.push(result(one, b === null ? [a] : [a, b]));
    }
    assert.deepEqual(actual, golden.get(name.replace('/2addr', '')));
  });
}

test('every arithmetic, conversion, comparison and branch instruction is among them', () => {
  const tried = new Set(cases.map((one) => one.name));
  const missing = opcodes.filter(
    ({ value, isUnused, mnemonic }) =>
      !isUnused && ((value >= 0x2d && value <= 0x3d) || (value >= 0x7b && value <= 0xe2)) && !tried.has(mnemonic),
  );
  assert.deepEqual(
    missing.map(({ mnemonic }) => mnemonic),
    [],
  );
});
