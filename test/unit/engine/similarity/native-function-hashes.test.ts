// Hashes of native functions: the same wherever a function and what it uses stand, others where it does something else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Findings } from '../../../../server/engine/findings.ts';
import { ElfFile } from '../../../../server/engine/formats/elf/elf-file.ts';
import { nativeFunctionHashes } from '../../../../server/engine/similarity/native-function-hashes.ts';
import { buildElf } from '../../../fixtures/elf-builder.ts';
import { realApks } from '../../../fixtures/real-apks.ts';

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, at * 4);
  return bytes;
};
const halves = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, at * 2);
  return bytes;
};
const repeated = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** What a function uses stands so far away; what it does. */
type Code = (distance: number, constant: number) => Buffer;

const machines: { name: string; machine: number; is64: boolean; isThumb?: boolean; code: Code }[] = [
  {
    ...{ name: 'AArch64', machine: 183, is64: true },
    // adrp, add, ldr, bl, movz, and additions of registers.
    code: (distance, constant) =>
      words(
        ...[0x90000000 | (distance << 5), 0x91000000 | (distance << 10), 0xf9400001 | (distance << 10)],
        ...[0x94000000 | distance, 0x52800000 | (constant << 5), ...repeated(16, 0x8b020020), 0xd65f03c0],
      ),
  },
  {
    ...{ name: 'ARM', machine: 40, is64: false },
    // ldr from behind the code, bl, movw, mov, additions of registers.
    code: (distance, constant) =>
      words(
        ...[0xe59f0048, 0xeb000000 | distance, 0xe3000000 | distance, 0xe3a01000 | constant],
        ...[...repeated(15, 0xe0810002), 0xe12fff1e, distance * 4096],
      ),
  },
  {
    ...{ name: 'Thumb', machine: 40, is64: false, isThumb: true },
    // ldr from behind the code, bl, movw, movs, additions of registers.
    code: (distance, constant) =>
      halves(
        ...[0x4810, 0xf000, 0xf800 | distance, 0xf240, distance, 0x2100 | constant],
        ...[...repeated(27, 0x1840), 0x4770, distance * 16, distance * 8],
      ),
  },
  {
    ...{ name: 'x86-64', machine: 62, is64: true },
    // lea from the instruction's place, call, jump, mov, additions of registers.
    code: (distance, constant) =>
      Buffer.concat([
        ...[Buffer.from([0x48, 0x8d, 0x3d]), words(distance), Buffer.from([0xe8]), words(distance)],
        ...[Buffer.from([0x0f, 0x84]), words(distance), Buffer.from([0xb8]), words(constant)],
        ...[...repeated(20, Buffer.from([0x48, 0x01, 0xd8])), Buffer.from([0xc3])],
      ]),
  },
  {
    ...{ name: 'x86', machine: 3, is64: false },
    // add to ebx, lea by it, call, mov, additions of registers.
    code: (distance, constant) =>
      Buffer.concat([
        ...[Buffer.from([0x81, 0xc3]), words(distance), Buffer.from([0x8d, 0x83]), words(distance)],
        ...[Buffer.from([0xe8]), words(distance), Buffer.from([0xb8]), words(constant)],
        ...[...repeated(20, Buffer.from([0x01, 0xd8, 0x90])), Buffer.from([0xc3])],
      ]),
  },
];

const start = 0x2000;

for (const { name, machine, is64, isThumb, code } of machines)
  test(`of ${name} a function is the same elsewhere, and another one with another constant`, () => {
    const hashOf = (before: number, distance: number, constant: number): number[] => {
      const bytes = code(distance, constant);
      const value = 0x10000 + start + before + (isThumb === true ? 1 : 0);
      const elf = buildElf({
        ...{ machine, is64, constantsAt: start, constants: Buffer.concat([Buffer.alloc(before, 0x11), bytes]) },
        symbols: [
          { name: 'f', isDefined: true, value, size: bytes.length },
          { name: 'short', isDefined: true, value: value + 4, size: 8 },
        ],
      });
      return nativeFunctionHashes(new ElfFile(elf, 'lib/x/liba.so', new Findings()), 1_000_000);
    };
    const [hash, ...others] = hashOf(0, 17, 5);
    assert.deepEqual([typeof hash, others], ['number', []]);
    assert.deepEqual(hashOf(64, 99, 5), [hash]);
    assert.notDeepEqual(hashOf(0, 17, 6), [hash]);
  });

/** Of the same source for each kind of processor. */
const programs = join(dirname(realApks.minicap), '..');
const hashesOf = (path: string, most = 10_000_000): Set<number> =>
  new Set(nativeFunctionHashes(new ElfFile(readFileSync(join(programs, path)), path, new Findings()), most));

test('a program that is built to stand anywhere and one that is not have most functions in common, by their tables for unwinding', () => {
  const [anywhere, fixed] = [hashesOf('x86/bin/minicap'), hashesOf('x86/bin/minicap-nopie')];
  const common = [...anywhere].filter((hash) => fixed.has(hash)).length;
  assert.ok(anywhere.size > 500 && common > 0.7 * anywhere.size, `${common} of ${anywhere.size}`);
  const strangers = hashesOf('x86/lib/android-28/minicap.so');
  assert.ok([...strangers].filter((hash) => anywhere.has(hash)).length < 3);
});

test('no more code is read than is asked for, and damaged files end it', () => {
  const few = hashesOf('x86_64/bin/minicap', 20_000).size;
  assert.ok(few > 0 && few < hashesOf('x86_64/bin/minicap').size / 4, String(few));
  const bytes = readFileSync(join(programs, 'x86_64/bin/minicap'));
  for (let at = 64; at < bytes.length; at += 79_999) {
    const damaged = Buffer.from(bytes);
    damaged.fill(0xff, at, at + 64);
    nativeFunctionHashes(new ElfFile(damaged, 'a', new Findings()), 1_000_000);
  }
});
