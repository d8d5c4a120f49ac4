import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunEnd } from '../../../../../server/engine/dynamic/machine/limits.ts';
import {
  type FileHandle,
  maxFileBytes,
  virtualFiles,
} from '../../../../../server/engine/dynamic/machine/virtual-files.ts';
import { Findings } from '../../../../../server/engine/findings.ts';
import { classData } from '../../../../../server/engine/formats/dex/class-data.ts';
import { openDex } from '../../../../../server/engine/formats/dex/dex.ts';
import { opcodes } from '../../../../../server/engine/formats/dex/opcodes.ts';
import { buildDex, type CodeSpec } from '../../../../fixtures/dex-builder.ts';
import { committedDex, JavaError, testMachine, textOf } from '../../../../fixtures/dynamic/machine/test-machine.ts';

const dex = committedDex('bounds');
const endsBy = (limit: string) => (error: unknown) => error instanceof RunEnd && error.limit === limit;

test('an endless loop ends at the limit of instructions', () => {
  const { call } = testMachine([dex], { limits: { instructions: 500_000 } });
  assert.throws(() => call('Lp/Bounds;', 'endless()V'), endsBy('instructions'));
});

test('a loop that throws and catches for ever ends at the limit of instructions', () => {
  const { call } = testMachine([dex], { limits: { instructions: 500_000 } });
  assert.throws(() => call('Lp/Bounds;', 'throwing()V'), endsBy('instructions'));
});

test('a loop of hours of real time ends at its limit', () => {
  const { call } = testMachine([dex], { limits: { cpuMilliseconds: 50, instructions: 1e12 } });
  assert.throws(() => call('Lp/Bounds;', 'endless()V'), endsBy('cpu-time'));
});

test('methods of the platform that make much in few instructions end at the limit of the processor', () => {
  const { machine } = testMachine([dex], { limits: { cpuMilliseconds: 5 } });
  const making = () => {
    for (let round = 0; round < 1_000_000; round++) machine.charge(1 << 20);
  };
  assert.throws(() => machine.run(making), endsBy('cpu-time'));
});

test('files that are written to far beyond their ends count for the heap', () => {
  const { machine } = testMachine([], { limits: { heapBytes: 300 * 1024 * 1024 } });
  const files = virtualFiles(machine);
  const fill = (path: string) => {
    const handle = files.open(machine, path, 'rw') as FileHandle;
    handle.position = maxFileBytes - 1;
    handle.write(machine, new Uint8Array(1), 0);
  };
  assert.throws(() => {
    for (let file = 0; file < 10; file++) fill(`/file${file}`);
  }, endsBy('heap'));
});

test('a program that keeps all it makes ends at the limit of the heap', () => {
  const { call } = testMachine([dex], { limits: { heapBytes: 300 * 1024 * 1024 } });
  assert.throws(() => call('Lp/Bounds;', 'memory()V'), endsBy('heap'));
});

test('a program that drops what it makes goes on', () => {
  const { call } = testMachine([dex], { limits: { heapBytes: 500 * 1024 * 1024 } });
  assert.doesNotThrow(() => call('Lp/Bounds;', 'garbage(I)V', 800));
});

test('recursion by way of models works as deep as programs go, and then is a StackOverflowError', () => {
  const { call } = testMachine([dex]);
  assert.equal(textOf(call('Lp/Bounds;', 'chain(I)Ljava/lang/String;', 200)), `${'.'.repeat(200)}null`);
  assert.throws(() => call('Lp/Bounds;', 'chain(I)Ljava/lang/String;', 5000), {
    message: /^java.lang.StackOverflowError/,
  });
});

test('after the end of a run the machine is in order and can run on', () => {
  const { call, machine } = testMachine([dex], { limits: { instructions: 500_000 } });
  assert.throws(() => call('Lp/Bounds;', 'endless()V'), endsBy('instructions'));
  assert.equal(machine.stackTrace().length, 0);
});

/** A machine on one static method `run()I` with this code. */
function withCode(code: CodeSpec) {
  const method = { name: 'run', descriptor: '()I', accessFlags: 0x9, code };
  return testMachine(
    [
      buildDex({
        classes: [{ descriptor: 'LA;', accessFlags: 1, superclass: 'Ljava/lang/Object;', methods: [method] }],
      }),
    ],
    { isTolerant: true, limits: { instructions: 200_000 } },
  );
}

const refused = { name: 'Error', message: /^java.lang.VerifyError/ };

for (const [what, code] of [
  ['a branch into the middle of an instruction', { registers: 1, units: [0x0228, 0x0013, 0x0012, 0x000f] }],
  ['a branch past the end', { registers: 1, units: [0x7f28, 0x000f] }],
  ['a register that the frame does not have', { registers: 1, units: [0x0512, 0x050f] }],
  ['arguments that do not fit', { registers: 1, ins: 1, units: [0x0012, 0x000f] }],
  ['a switch without its table', { registers: 1, units: [0x0012, 0x002b, 0x0003, 0x0000, 0x000f] }],
  ['no code at all', { registers: 1, units: [] }],
] as const) {
  test(`code with ${what} is refused`, () => {
    assert.throws(() => withCode(code).call('LA;', 'run()I'), refused);
  });
}

test('code that runs past its end is refused when it comes there', () => {
  assert.throws(() => withCode({ registers: 1, units: [0x0012] }).call('LA;', 'run()I'), refused);
});

test('opcodes that only an optimised file may hold are refused when they are met', () => {
  for (const { value } of opcodes.filter((opcode) => opcode.isUnused)) {
    assert.throws(() => withCode({ registers: 1, units: [0x0012, value, 0x000f] }).call('LA;', 'run()I'), refused);
  }
});

test('code that confuses numbers and objects comes to an end, and is refused where it cannot go on', () => {
  const confused: CodeSpec[] = [
    // An int as an object, an object as an int, a long as a float, nothing at all as anything.
    {
      registers: 2,
      units: (pool) => [0x1012, 0x106e, pool.method('Ljava/lang/Object;', 'hashCode', '()I'), 0, 0x000a, 0x000f],
    },
    { registers: 2, units: (pool) => [0x001a, pool.string('text'), 0x0090, 0x0000, 0x000f] },
    { registers: 4, units: [0x0016, 0x0001, 0x02a6, 0x0000, 0x020f] },
    { registers: 4, units: [0x0044, 0x0201, 0x000f] },
    { registers: 4, units: [0x1012, 0x0027] },
    { registers: 4, units: [0x1012, 0x001d, 0x000f] },
  ];
  for (const code of confused) {
    try {
      withCode(code).call('LA;', 'run()I');
    } catch (error) {
      assert.ok(error instanceof JavaError, String(error));
      assert.match(error.message, /^java.lang.VerifyError: Verifier rejected A.run: /);
    }
  }
});

test('a callback that does not come to its end is given up, and the next one runs', () => {
  const { machine, call } = testMachine([dex]);
  const isOver = machine.run(() => {
    machine.callStatic('Lp/Bounds;', 'endless()V');
  }, 300_000);
  assert.equal(isOver, false);
  assert.equal(machine.abandonedThreads, 1);
  assert.equal(textOf(call('Lp/Bounds;', 'chain(I)Ljava/lang/String;', 1)), '.null');
});

test('methods that all claim the rest of the file as their code are counted only to a multiple of the file', () => {
  const bytes = Buffer.from(committedDex('programs'));
  const parsed = openDex(bytes, new Findings(), 'classes.dex');
  for (let index = 0; index < parsed.classCount; index++) {
    const { directMethods, virtualMethods } = classData(parsed, index);
    for (const { codeOffset } of [...directMethods, ...virtualMethods]) {
      if (codeOffset !== 0) bytes.writeUInt32LE(0xffffff, codeOffset + 12);
    }
  }
  const { machine } = testMachine([bytes]);
  assert.ok(machine.coverage.instructionsTotal <= 4 * (bytes.length / 2));
});
