// Code that nobody's compiler makes: bounded, and where it is cut or cannot be Java, said in the source with its smali beside it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecompiledProgram, decompileDexes } from '../../../../server/engine/decompiler/decompiler.ts';
import { Findings } from '../../../../server/engine/findings.ts';
import { openDexContainer } from '../../../../server/engine/formats/dex/dex.ts';
import { buildDex, type ClassSpec, type CodeSpec, uleb128 } from '../../../fixtures/dex-builder.ts';

const filesOf = (...classes: ClassSpec[]) => [...decompileDexes([buildDex({ classes })])];
const sumOf = (files: ReturnType<typeof filesOf>, key: 'methods' | 'lost') =>
  files.reduce((sum, file) => sum + file[key], 0);

/** The file of a class with one static method, `m()I`. */
function decompiledMethod(code: CodeSpec) {
  const [file] = filesOf({
    descriptor: 'LA;',
    methods: [{ name: 'm', descriptor: '()I', accessFlags: 9, code: { registers: 4, ...code } }],
  });
  assert.equal(file!.methods, 1);
  return file!;
}

/** It has no body that runs, and its code stands beside the reason. */
function assertMarked({ lost, source }: { lost: number; source: string }, reason: RegExp): void {
  assert.equal(lost, 1);
  assert.match(source, /\/\/ Not decompiled: /);
  assert.match(source, reason);
  assert.match(source, /throw new IllegalStateException\("not decompiled"\)/);
  assert.match(source, /\/\/ +\.registers/);
}

const nop = 0x0000;
const returnV0 = 0x000f;
const constV0 = 0x1012; // const/4 v0, 1
const addV0V0 = [0x00d8, 0x0100]; // add-int/lit8 v0, v0, 1

test('a method of 65,535 instructions has all of them, or is cut and marked', () => {
  const long = decompiledMethod({ units: [constV0, ...Array<number>(65_533).fill(nop), returnV0] });
  assert.equal(long.lost, 0);
  assert.match(long.source, /return 1;/);
  const sums = Array.from({ length: 32_000 }, () => addV0V0).flat();
  const summed = decompiledMethod({ units: [constV0, ...sums, returnV0] });
  if (summed.lost > 0) assertMarked(summed, /Not decompiled/);
  else assert.ok(summed.source.length > 1000 || /return 32001;/.test(summed.source));
  assertMarked(decompiledMethod({ units: [constV0, ...Array<number>(140_000).fill(nop), returnV0] }), /code units/);
});

/** invoke-static {}, the method itself */
const call = [0x0071, 0x0000, 0x0000];
const moveException = 0x020d;

/** Catch-all handlers at addresses, and where each stands in the list. */
function handlerList(addresses: readonly number[]): { bytes: number[]; offsets: number[] } {
  const offsets: number[] = [];
  const bytes = [...uleb128(addresses.length)];
  for (const address of addresses) {
    offsets.push(bytes.length);
    bytes.push(0, ...uleb128(address));
  }
  return { bytes, offsets };
}

/** Every handler is there, or the method is marked. */
function assertCaught(file: ReturnType<typeof decompiledMethod>, count: number): void {
  if (file.lost > 0) assertMarked(file, /Not decompiled/);
  else assert.equal(file.source.match(/catch \(Throwable /g)?.length, count);
}

const tryCount = 1000;

test('a thousand tries, one behind the other, each with a handler of its own, keep them all or are cut and marked', () => {
  const body = [constV0, ...Array.from({ length: tryCount }, () => call).flat(), returnV0];
  const handlers = Array.from({ length: tryCount }, () => [moveException, returnV0]).flat();
  const { bytes, offsets } = handlerList(Array.from({ length: tryCount }, (_, index) => body.length + 2 * index));
  const tries = offsets.map((handler, index) => ({ start: 1 + 3 * index, count: 3, handler }));
  assertCaught(decompiledMethod({ units: [...body, ...handlers], tries, handlers: bytes }), tryCount);
});

test('a thousand tries, each in the handler of the one before, keep all handlers or are cut and marked', () => {
  const body = [constV0, ...call, returnV0];
  const handler = [moveException, ...call, returnV0];
  const { bytes, offsets } = handlerList(Array.from({ length: tryCount }, (_, index) => body.length + 5 * index));
  const tries = offsets.map((each, index) => ({ start: 1 + 5 * index, count: 3, handler: each }));
  const units = [...body, ...Array.from({ length: tryCount }, () => handler).flat()];
  assertCaught(decompiledMethod({ units, tries, handlers: bytes }), tryCount);
});

test('classes that extend or contain each other in a circle come out once each', () => {
  const method = {
    name: 'm',
    descriptor: '()I',
    accessFlags: 1,
    isVirtual: true,
    code: { registers: 2, ins: 1, units: [constV0, returnV0] },
  };
  const other = { ...method, descriptor: '()J', code: { registers: 3, ins: 1, units: [0x0016, 0x0001, 0x0010] } };
  const files = filesOf(
    { descriptor: 'LA;', superclass: 'LB;', interfaces: ['LA;', 'LB;'], methods: [method, other] },
    { descriptor: 'LB;', superclass: 'LC;', methods: [other, method] },
    { descriptor: 'LC;', superclass: 'LA;', methods: [method] },
    { descriptor: 'LD;', superclass: 'LD;', methods: [method] },
  );
  assert.deepEqual(files.map(({ path }) => path).sort(), ['A.java', 'B.java', 'C.java', 'D.java']);
  assert.equal(sumOf(files, 'methods'), 6);
});

test('names of every code point become names that Java takes, and no two the same', () => {
  const units = Array.from({ length: 0x800 }, (_, index) => index * 32 + (index % 32)).filter(
    (unit) => !(unit >= 0xd800 && unit < 0xe000) && !'/;[.<>(:'.includes(String.fromCharCode(unit)) && unit !== 0,
  );
  const names = [
    ...units.map((unit) => `n${String.fromCharCode(unit)}`),
    'a b',
    'a\u00a0b',
    '1',
    '-',
    'int',
    '\u{1f600}',
    '*/',
    '\\u002a/',
  ];
  const files = filesOf({
    descriptor: 'LA;',
    fields: names.map((name) => ({ name, type: 'I', accessFlags: 9 })),
  });
  const declared = files[0]!.source.split('\n').flatMap((line) => line.match(/ int ([^\s;=]+)(?: =.*)?;$/)?.[1] ?? []);
  assert.equal(declared.length, names.length);
  assert.equal(new Set(declared).size, names.length);
  for (const name of declared)
    assert.match(name, /^[\p{L}\p{Nl}\p{Sc}\p{Pc}][\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Mn}\p{Mc}\p{Nd}]*$/u);
  // Nothing of a name ends the comment that it stands in, or is a line of its own.
  assert.doesNotMatch(files[0]!.source, /\\u002a/);
});

test('control flow that a dispatcher has flattened is whole', () => {
  // v0 is the state, v1 the result; a packed-switch on v0 goes to one of 200 blocks, each sets the next state and jumps back.
  const cases = 200;
  const head = [0x0012, 0x0112]; // const/4 v0, 0; const/4 v1, 0
  const dispatch = head.length;
  const switchLength = 3;
  const blockAt = (index: number) => dispatch + switchLength + 1 + index * 6;
  // add-int/lit8 v1, v1, 1; const/16 v0, next; goto/16 dispatch
  const blocks = Array.from({ length: cases }, (_, index) => {
    const next = (index * 7 + 3) % (cases + 1);
    return [0x01d8, 0x0101, 0x0013, next, 0x0029, (dispatch - (blockAt(index) + 4)) & 0xffff];
  }).flat();
  const end = dispatch + switchLength + 1 + blocks.length;
  const table = end + (end % 2);
  const units = [
    ...head,
    ...[0x002b, (table - dispatch) & 0xffff, (table - dispatch) >>> 16],
    0x010f, // return v1
    ...blocks,
    ...(end % 2 === 1 ? [nop] : []),
    ...[0x0100, cases, 0, 0],
    ...Array.from({ length: cases }, (_, index) => [(blockAt(index) - dispatch) & 0xffff, 0]).flat(),
  ];
  const file = decompiledMethod({ units });
  assert.equal(file.lost, 0);
  assert.equal(file.source.match(/\bcase \d+:/g)?.length, cases);
});

test('registers that are not there, values that nothing wrote and jumps into nowhere are marked', () => {
  assertMarked(decompiledMethod({ registers: 1, units: [0x5112, returnV0] }), /register v1 of 1/);
  assertMarked(decompiledMethod({ units: [0x010f] }), /nothing was written/);
  assertMarked(decompiledMethod({ units: [0x7f28, returnV0] }), /branch to/);
  assertMarked(decompiledMethod({ units: [constV0, 0x002b, 0x0100, 0x0000, returnV0] }), /switch without its table/);
  assertMarked(decompiledMethod({ units: [0x0022, 0xffff, 0x000f] }), /no type/);
});

test('code that is cut off is marked', () => {
  assertMarked(decompiledMethod({ units: [0x0014, 0x0001] }), /Not decompiled/);
  assertMarked(decompiledMethod({ units: [constV0] }), /Not decompiled/);
  assertMarked(decompiledMethod({ units: [0x0071] }), /Not decompiled/);
});

test('a file whose work is over has the heads of all its methods, which say what is missing and why, and the whole if asked for', () => {
  const count = 20_000;
  const dexes = openDexContainer(buildDex({ classes: [manyMethods(count)] }), new Findings(), 'classes.dex');
  const program = new DecompiledProgram(dexes);
  const first = program.file('LA;', 'first');
  assert.ok(first.late > 0 && first.late === first.lost && first.late < count, String(first.late));
  assert.equal(
    first.source.match(/\/\/ Not decompiled: the file takes more than 42000 steps of work\.$/gm)?.length,
    first.late,
  );
  assert.match(first.source, /int m0\(\) \{\n +return 1;/);
  assert.match(first.source, /public static int m19999\(\) \{\n +\/\/ Not decompiled/);
  const whole = program.file('LA;');
  assert.deepEqual([whole.methods, whole.lost, whole.late], [count, 0, 0]);
});

test('a file is cut at the same place in each run', () => {
  const dex = buildDex({ classes: [manyMethods(20_000)] });
  const cut = () => new DecompiledProgram(openDexContainer(dex, new Findings(), 'classes.dex')).file('LA;', 'first');
  assert.equal(cut().source, cut().source);
});

test('what of a whole file takes more work than there is for it has its smali beside the reason', () => {
  const sums = Array.from({ length: 30_000 }, () => addV0V0).flat();
  const code = { registers: 4, units: [constV0, ...sums, returnV0] };
  const methods = Array.from({ length: 12 }, (_, index) => ({
    name: `m${index}`,
    descriptor: '()I',
    accessFlags: 9,
    code,
  }));
  const [file] = filesOf({ descriptor: 'LA;', methods });
  assert.ok(file!.lost > 0 && file!.lost < 12, String(file!.lost));
  assert.equal(file!.late, 0);
  assert.match(
    file!.source,
    /Not decompiled: the file takes more than 600000 steps of work\. What the code is in smali:\n/,
  );
});

function manyMethods(count: number): ClassSpec {
  const code = { registers: 1, units: [constV0, returnV0] };
  return {
    descriptor: 'LA;',
    methods: Array.from({ length: count }, (_, index) => ({
      name: `m${index}`,
      descriptor: '()I',
      accessFlags: 9,
      code,
    })),
  };
}
