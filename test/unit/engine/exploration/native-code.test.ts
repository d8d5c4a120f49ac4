// Functions of native libraries, their instructions, and what these refer to. The bytes are what GNU as 2.44 makes of the
// text beside them; addresses and mnemonics are those of objdump.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { prepareDisassembler } from '../../../../server/engine/exploration/native/disassembler.ts';
import { nativeCodeOf, nativeFunctionsOf } from '../../../../server/engine/exploration/native/native-code.ts';
import { nativeMethodsOf } from '../../../../server/engine/exploration/native/native-methods.ts';
import { OpenedApp } from '../../../../server/engine/exploration/opened-app.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildElf, type ElfPlan } from '../../../fixtures/elf-builder.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

before(prepareDisassembler);

const path = 'lib/arm64-v8a/liba.so';
const appWith = (content: Uint8Array) => new OpenedApp(memorySource(buildZip({ entries: [{ name: path, content }] })));
const functionsOf = (app: OpenedApp, more = {}) =>
  nativeFunctionsOf(app, { path, search: '', jni: false, offset: 0, limit: 2000, ...more });
const codeOf = (app: OpenedApp, address: number, limit = 100) => nativeCodeOf(app, { path, address, limit });
const textOf = (app: OpenedApp, address: number) =>
  codeOf(app, address).instructions.map(({ address: at, mnemonic, operands, reference }) =>
    [at.toString(16), mnemonic, operands, ...(reference === null ? [] : [`${reference.kind} ${reference.text}`])].join(
      ' ',
    ),
  );

/** Code at 0x11000, a text at 0x11100, and at 0x11200 a word that is the address of an import. */
function libraryOf(plan: ElfPlan, code: string, low = 0): OpenedApp {
  const constants = Buffer.alloc(0x210);
  constants.set(Buffer.from(code.replace(/\s/g, ''), 'hex'));
  constants.write('https://c2.example/gate\0', 0x100);
  const symbols = [
    { name: 'connect', isDefined: false },
    { name: 'Java_a_B_c', isDefined: true, value: 0x11000 + low, size: 0 },
  ];
  return appWith(buildElf({ ...plan, symbols, constants, constantsAt: 0x1000, importedWord: 0x11200 }));
}

test('AArch64: strings by ADRP and ADD, imports by their stubs and by the word the linker fills, functions only called', () => {
  const app = libraryOf(
    {},
    `fd7bbfa9 00000090 00000491 0a000094 05000094 400000b4 ffffffff fd7bc1a8 c0035fd6
     01000090 210041f9 20003fd6 c0035fd6 10000090 110241f9 10020891 20021fd6`,
  );
  assert.deepEqual(textOf(app, 0x11000), [
    '11000 stp x29, x30, [sp, #-0x10]!',
    '11004 adrp x0, #0x11000',
    '11008 add x0, x0, #0x100 string https://c2.example/gate',
    '1100c bl #0x11034 import connect',
    '11010 bl #0x11024 function sub_11024',
    '11014 cbz x0, #0x1101c code ',
    '11018 .word 0xffffffff',
    '1101c ldp x29, x30, [sp], #0x10',
    '11020 ret ',
  ]);
  assert.deepEqual(textOf(app, 0x11024).slice(0, 3), [
    '11024 adrp x1, #0x11000',
    '11028 ldr x1, [x1, #0x200] import connect',
    '1102c blr x1 import connect',
  ]);
  const { results, instruction_set } = functionsOf(app);
  assert.equal(instruction_set, 'arm64');
  assert.deepEqual(
    results
      .map(({ address, name, kind, size }) => [address, name, kind, size])
      .filter(([, , , size]) => size !== 0x1000),
    [
      [0x11000, 'Java_a_B_c', 'export', 0x24],
      [0x11024, 'sub_11024', 'called', 0x210 - 0x24],
      [null, 'connect', 'import', 0],
    ],
  );
  assert.deepEqual(results[0]!.java, { class: 'La/B;', method: 'c', parameters: null });
  assert.deepEqual(
    ['0x11008', 'CONN', 'java_'].map((search) => functionsOf(app, { search }).results.map(({ name }) => name)),
    [['Java_a_B_c'], ['connect'], ['Java_a_B_c']],
  );
  assert.deepEqual(
    [functionsOf(app, { jni: true }), functionsOf(app, { kind: 'import' })].map(({ count }) => count),
    [1, 1],
  );
});

test('x86-64: addresses from RIP on, a byte that is no instruction is skipped', () => {
  const app = libraryOf(
    { machine: 62 },
    `55 488d3df8000000 e817000000 e808000000 4885c0 7401 06 5d c3 488b05df010000 ffd0 c3 ff25d6010000 e9d1000000`,
  );
  assert.deepEqual(textOf(app, 0x11000), [
    '11000 push rbp',
    '11001 lea rdi, [rip + 0xf8] string https://c2.example/gate',
    '11008 call 0x11024 import connect',
    '1100d call 0x1101a function sub_1101a',
    '11012 test rax, rax',
    '11015 je 0x11018 code ',
    '11017 .byte 0x06',
    '11018 pop rbp',
    '11019 ret ',
  ]);
  assert.deepEqual(textOf(app, 0x1101a).slice(0, 2), [
    '1101a mov rax, qword ptr [rip + 0x1df] import connect',
    '11021 call rax import connect',
  ]);
});

test('Thumb by the low bit of a symbol, ARM behind BLX; strings by literals and the program counter', () => {
  const app = libraryOf(
    { machine: 40, is64: false },
    `10b5 0348 7844 00f00ce8 00f003f8 10bd f8000000 0149 7944 0968 0847 e6010000 04c04fe2 00c08fe2 d4f1bce5`,
    1,
  );
  assert.deepEqual(textOf(app, 0x11000).slice(0, 6), [
    '11000 push {r4, lr}',
    '11002 ldr r0, [pc, #0xc] data ',
    '11004 add r0, pc string https://c2.example/gate',
    '11006 blx #0x11020 import connect',
    '1100a bl #0x11014 import connect',
    '1100e pop {r4, pc}',
  ]);
  assert.deepEqual(textOf(app, 0x11014).slice(2, 4), [
    '11018 ldr r1, [r1] import connect',
    '1101a bx r1 import connect',
  ]);
  // ARM, since BLX leads there.
  assert.equal(codeOf(app, 0x11000).instruction_set, 'thumb');
});

test('code comes by page, each knowing what the registers hold from the pages before', () => {
  const app = libraryOf({}, 'fd7bbfa9 00000090 00000491 c0035fd6');
  const first = codeOf(app, 0x11000, 2);
  assert.deepEqual([first.instructions.length, first.next], [2, 0x11008]);
  const { instructions, function: found } = codeOf(app, first.next!, 1);
  assert.equal(instructions[0]!.reference!.text, 'https://c2.example/gate');
  assert.deepEqual([instructions[0]!.bytes, found!.name], ['00000491', 'Java_a_B_c']);
});

test('a value that another way leads around is not told', () => {
  // adrp x0, 0x11000; cbz x1, 1f; adrp x0, 0x12000; 1: add x0, x0, #0x100
  const app = libraryOf({}, '00000090 410000b4 000000b0 00000491 c0035fd6');
  assert.equal(codeOf(app, 0x11000).instructions[3]!.reference, null);
});

test('what is no library, no loaded code or no known machine is refused', () => {
  assert.throws(() => functionsOf(appWith(Buffer.from('text'))), { code: 'unreadable' });
  assert.throws(() => codeOf(libraryOf({}, ''), 0x99999999), { code: 'not-found' });
  assert.throws(() => codeOf(libraryOf({ machine: 8 }, ''), 0x11000), { code: 'unreadable' });
  assert.throws(() => nativeCodeOf(appWith(buildElf({})), { path: 'lib/no.so', address: 0, limit: 1 }), {
    code: 'not-found',
  });
});

test('exported functions are found by the class whose methods they implement', () => {
  const symbols = ['JNI_OnLoad', 'Java_a_B_c', 'Java_a_B_d__I', 'Java_a_Other_c'].map((name, index) => ({
    name,
    isDefined: true,
    value: 0x11000 + index * 4,
  }));
  const app = appWith(buildElf({ symbols, constants: Buffer.alloc(64), constantsAt: 0x1000 }));
  const found = nativeMethodsOf(app, { class: 'La/B;' });
  assert.deepEqual(
    found.results.map(({ method, parameters, address }) => [method, parameters, address]),
    [
      ['c', null, 0x11004],
      ['d', 'I', 0x11008],
    ],
  );
  assert.deepEqual([found.libraries, found.registering, found.is_cut], [1, [path], false]);
});

for (const abi of ['arm64-v8a', 'armeabi-v7a', 'x86', 'x86_64']) {
  test(`a real library for ${abi}: functions that no symbol names, imports named at their calls`, () => {
    const app = appWith(readFileSync(join(dirname(dirname(realApks.minicap)), `${abi}/lib/android-30/minicap.so`)));
    const { results } = functionsOf(app);
    const imports = new Set(results.filter(({ kind }) => kind === 'import').map(({ name }) => name));
    const called = new Set<string>();
    for (const { address } of results.filter((one) => one.address !== null)) {
      for (const { reference } of codeOf(app, address!, 1000).instructions) {
        if (reference?.kind === 'import') called.add(reference.text);
      }
    }
    assert.ok(results.filter(({ kind }) => kind === 'unwound').length > 15);
    assert.ok(called.size >= 40 && [...called].every((name) => imports.has(name)));
  });
}
