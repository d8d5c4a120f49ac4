import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { FormatError } from '../../../../../server/engine/formats/byte-reader.ts';
import { readElf } from '../../../../../server/engine/formats/elf/native-library.ts';
import { buildElf, type ElfPlan } from '../../../../fixtures/elf-builder.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';

const readelf = systemTool('readelf');
const prebuilt = join(dirname(dirname(realApks.minicap)));
const libraries = readdirSync(prebuilt, { recursive: true, encoding: 'utf8' })
  .filter((name) => /android-(?:9|19|22|30)\/minicap\.so$|bin\/minicap$/.test(name))
  .sort();

function read(plan: ElfPlan | Uint8Array, path = 'lib/arm64-v8a/libx.so') {
  const findings = new Findings();
  const library = readElf(plan instanceof Uint8Array ? plan : buildElf(plan), path, findings);
  return { library, codes: findings.list().map(({ code }) => code) };
}

/** What readelf says of a file, in our record's terms. */
function readelfRecord(path: string) {
  const output = execFileSync(readelf.path!, ['-W', '-h', '-d', '--dyn-syms', path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const all = (pattern: RegExp) => [...output.matchAll(pattern)].map((match) => match[1]!);
  const symbols = [...output.matchAll(/^\s+\d+: [0-9a-f]+ +\S+ +\S+ +(GLOBAL|WEAK) +\S+ +(?:\[.*?\] +)?(\S+) (\S+)/gm)];
  const names = (isImport: boolean) => [
    ...new Set(
      symbols.filter((match) => (match[2] === 'UND') === isImport).map((match) => match[3]!.replace(/@.*$/, '')),
    ),
  ];
  return {
    machine: all(/Machine: +(.+)$/gm)[0],
    soname: all(/\(SONAME\).*\[(.*)\]$/gm)[0] ?? null,
    needed: all(/\(NEEDED\).*\[(.*)\]$/gm),
    imports: names(true),
    exports: names(false),
    hasTextRelocations: output.includes('(TEXTREL)'),
  };
}

for (const name of libraries) {
  test(`${name} is described as readelf describes it`, { skip: readelf.skip }, () => {
    const path = join(prebuilt, name);
    const { library, codes } = read(readFileSync(path), `lib/${name.split('/')[0]}/minicap.so`);
    const { machine, soname, needed, imports, exports } = library;
    const { hasTextRelocations, ...expected } = readelfRecord(path);
    assert.deepEqual({ machine, soname, needed, imports, exports }, expected);
    assert.equal(library.abi, relative(prebuilt, path).split('/')[0]);
    assert.ok(library.strings.length > 0);
    assert.deepEqual(codes, hasTextRelocations ? ['elf-text-relocations'] : []);
  });
}

test('stripping the section headers changes nothing but the strings’ place', () => {
  const bytes = Buffer.from(readFileSync(join(prebuilt, 'arm64-v8a/lib/android-30/minicap.so')));
  const whole = read(bytes).library;
  bytes.fill(0, 40, 48);
  bytes.fill(0, 58, 64);
  const { library, codes } = read(bytes);
  assert.deepEqual(codes, ['elf-no-section-headers']);
  assert.deepEqual({ ...library, strings: null, sha256: null }, { ...whole, strings: null, sha256: null });
  const missing = whole.strings.filter((text) => !library.strings.some((candidate) => candidate.includes(text)));
  assert.deepEqual(missing, []);
});

for (const is64 of [true, false]) {
  for (const isBigEndian of [true, false]) {
    for (const hash of ['sysv', 'gnu', 'none'] as const) {
      test(`${is64 ? 64 : 32} bits, ${isBigEndian ? 'big' : 'little'}-endian, symbols counted by ${hash}`, () => {
        const plan: ElfPlan = {
          is64,
          isBigEndian,
          hash,
          machine: is64 ? 183 : 40,
          soname: 'libx.so',
          needed: ['liblog.so', 'libc.so'],
          symbols: [
            { name: 'JNI_OnLoad', isDefined: true },
            { name: 'Java_com_example_A_run', isDefined: true },
            { name: 'internal', isDefined: true, binding: 0 },
            { name: 'weak', isDefined: true, binding: 2 },
            { name: 'dlopen', isDefined: false },
            { name: 'ptrace', isDefined: false, binding: 2 },
          ],
          constants: Buffer.from('\0https://example.org/c2\0abc\0hello world\0'),
          hasSections: true,
        };
        const bytes = buildElf(plan);
        const { library, codes } = read(bytes, 'assets/x.so');
        assert.deepEqual(codes, []);
        assert.deepEqual(library, {
          path: 'assets/x.so',
          abi: is64 ? 'arm64-v8a' : 'armeabi-v7a',
          machine: is64 ? 'AArch64' : 'ARM',
          soname: 'libx.so',
          needed: ['liblog.so', 'libc.so'],
          imports: ['dlopen', 'ptrace'],
          exports: ['JNI_OnLoad', 'Java_com_example_A_run', 'weak'],
          jni: { on_load: true, methods: ['Java_com_example_A_run'] },
          strings: ['https://example.org/c2', 'hello world'],
          sha256: createHash('sha256').update(bytes).digest('hex'),
          size: bytes.length,
        });
        assert.deepEqual(read(buildElf({ ...plan, hasSections: false })).library.imports, ['dlopen', 'ptrace']);
      });
    }
  }
}

test('a library in the folder of another ABI is reported', () => {
  assert.deepEqual(read({ hasSections: true }, 'lib/x86/liba.so').codes, ['elf-abi-mismatch']);
  assert.deepEqual(read({ hasSections: true, machine: 40, is64: false }, 'lib/armeabi/liba.so').codes, []);
});

test('UPX, writable code and text relocations are reported', () => {
  const { codes } = read({ hasSections: true, mark: 'UPX!', segmentFlags: 7, hasTextRelocations: true });
  assert.deepEqual(codes, ['elf-text-relocations', 'elf-upx-packed', 'elf-writable-code']);
});

test('section headers that point out of the file are reported and done without', () => {
  const bytes = buildElf({ hasSections: true, soname: 'liba.so', constants: Buffer.from('some constant') });
  bytes.writeBigUInt64LE(0xffffffffn, 40);
  const { library, codes } = read(bytes);
  assert.deepEqual(codes, ['elf-bad-section-headers']);
  assert.equal(library.soname, 'liba.so');
  assert.ok(library.strings.includes('some constant'));
});

test('a declared symbol count beyond the file is cut and reported', () => {
  const bytes = buildElf({ hasSections: true, symbols: [{ name: 'open', isDefined: false }] });
  const at = bytes.indexOf(Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]));
  assert.ok(at > 0);
  bytes.writeUInt32LE(0xffffffff, at + 4);
  const { library, codes } = read(bytes);
  assert.ok(codes.includes('elf-symbol-count'));
  assert.ok(library.imports.includes('open'));
});

test('what is no ELF file, or not even its header, is refused', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('PK\x03\x04 and so on, and on'), buildElf({}).subarray(0, 40)]) {
    assert.throws(() => read(bytes), FormatError);
  }
});

test('strings past the limit are left out, except those that hold addresses', () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `string number ${i}`);
  lines[9_000] = 'http://late.example.org/';
  const { library } = read({ hasSections: true, constants: Buffer.from(lines.join('\0')) });
  assert.equal(library.strings.length, 4001);
  assert.equal(library.strings.at(-1), 'http://late.example.org/');
});

test('symbols whose names overlap are read up to a few times their table, with a finding', () => {
  const symbols = ['a'.repeat(10_000), ...Array.from({ length: 200 }, (_, index) => `b${index}`)];
  const bytes = buildElf({ symbols: symbols.map((name) => ({ name, isDefined: true })) });
  // Symbols of 24 bytes behind the file's header and two of segments; each name begins one letter later in the first.
  const table = 64 + 2 * 56;
  for (let index = 2; index <= 200; index++) bytes.writeUInt32LE(index, table + index * 24);
  const { library, codes } = read(bytes);
  assert.ok(library.exports.join('').length < 4 * bytes.length + 65_536);
  assert.ok(codes.includes('elf-symbol-count'));
});
