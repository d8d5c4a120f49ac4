// Instructions: their table, decoder, androguard's notation, and the walk that looks for marked references.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { androguardNotation, pythonLiteral } from '../../../../../server/engine/formats/dex/androguard-notation.ts';
import { classData, methodsOf } from '../../../../../server/engine/formats/dex/class-data.ts';
import { codeAt } from '../../../../../server/engine/formats/dex/code-item.ts';
import { forEachString, scanCode } from '../../../../../server/engine/formats/dex/code-scan.ts';
import { type Dex, openDex } from '../../../../../server/engine/formats/dex/dex.ts';
import { instructionAt, instructionsOf } from '../../../../../server/engine/formats/dex/instruction.ts';
import { opcodes } from '../../../../../server/engine/formats/dex/opcodes.ts';
import { buildDex, type CodeSpec, type DexSpec, type Pool, uleb128 } from '../../../../fixtures/dex-builder.ts';
import golden from '../../../../golden/dex/androguard-instructions.json' with { type: 'json' };
import { everyOpcodeDex } from '../../../../golden/dex/every-opcode.ts';

function open(bytes: Uint8Array): { dex: Dex; findings: Findings } {
  const findings = new Findings();
  return { dex: openDex(bytes, findings, 'classes.dex'), findings };
}

const oneMethod = (code: CodeSpec): DexSpec => ({
  classes: [{ descriptor: 'LA;', methods: [{ name: 'm', descriptor: '()V', code }] }],
});

function instructionsIn(dex: Dex) {
  return methodsOf(dex, 0).flatMap((method) => [...instructionsOf(codeAt(dex, method.codeOffset)!.units)]);
}

/** The tool puts strings in double quotes and escapes nothing; reports keep the single quotes of the original's. */
const withoutString = (text: string) => text.replace(/^(const-string\S* v\d+, ).*$/, '$1…');
/** The tool prints array data as a Python byte array first. */
const withoutArrayLiteral = (text: string) => text.replace(/^(fill-array-data-payload ).* \| (.*)$/, '$1$2');

test('every opcode and payload prints as androguard prints it', () => {
  const { dex } = open(everyOpcodeDex());
  for (const method of methodsOf(dex, 0)) {
    const name = dex.methodName(method.methodIndex);
    const printed = [...instructionsOf(codeAt(dex, method.codeOffset)!.units)].map((item) =>
      androguardNotation(dex, item),
    );
    const expected = golden[name as keyof typeof golden].map(withoutArrayLiteral);
    assert.deepEqual(printed.map(withoutString), expected.map(withoutString), name);
  }
});

test('a string constant prints in single quotes', () => {
  const { dex } = open(buildDex(oneMethod({ units: (pool) => [0x021a, pool.string('https'), 0x0e] })));
  assert.equal(androguardNotation(dex, instructionsIn(dex)[0]!), "const-string v2, 'https'");
});

test('strings are quoted and escaped as Python does it', () => {
  for (const [text, literal] of [
    ["it's", `"it's"`],
    [`both ' and "`, `'both \\' and "'`],
    ['a\\b\n\r\t\0\x1f\x7f', "'a\\\\b\\n\\r\\t\\x00\\x1f\\x7f'"],
    ['Grüße 中文 \u{1f600}', "'Grüße 中文 \u{1f600}'"],
    ['\u00a0\u00ad\u2028\ud800', "'\\xa0\\xad\\u2028\\ud800'"],
  ] as const) {
    assert.equal(pythonLiteral(text), literal);
  }
});

test('references that point outside their tables print as placeholders', () => {
  const { dex } = open(
    buildDex(oneMethod({ units: [0x001a, 0xfff0, 0x001c, 0xfff1, 0x0060, 0xfff2, 0x0071, 0xfff3, 0] })),
  );
  assert.deepEqual(
    instructionsIn(dex).map((instruction) => androguardNotation(dex, instruction)),
    [
      "const-string v0, 'AG:IS: invalid string'",
      'const-class v0, type@65521',
      'sget v0, field@65522->field@65522 field@65522',
      'invoke-static method@65523',
    ],
  );
});

test('a reference with long names prints in bounded text, a method with more parameters than Android allows too', () => {
  const long = `L${'a'.repeat(60_000)};`;
  const descriptor = `(${'I'.repeat(300)}${long})V`;
  const { dex, findings } = open(
    buildDex(
      oneMethod({
        units: (pool) => [0x001c, pool.type(long), 0x0071, pool.method('LB;', 'b'.repeat(60_000), descriptor), 0],
      }),
    ),
  );
  const [type, method] = instructionsIn(dex).map((instruction) => androguardNotation(dex, instruction));
  assert.match(type!, /^const-class v0, La{4000,5000}…$/);
  assert.match(method!, /^invoke-static LB;->b{4000,5000}…\((?:I ){254}I\)V$/);
  assert.ok(findings.has('dex-type-list'));
});

test('strings and prototypes that repeat the same bytes are decoded up to a bound, and the rest are placeholders', () => {
  const { dex, findings } = open(
    buildDex({ strings: ['x'.repeat(100_000), ...Array.from({ length: 5000 }, (_, n) => `s${n}`)] }),
  );
  const longest = Array.from({ length: dex.stringCount }, (_, index) => index).find(
    (index) => dex.string(index).length > 1000,
  )!;
  const again = openDex(Uint8Array.from(dex.bytes), findings, 'classes.dex');
  again.stringOffsets.fill(again.stringOffsets[longest]!);
  let characters = 0;
  for (let index = 0; index < again.stringCount; index++) characters += again.string(index).length;
  assert.ok(characters < 3_000_000, String(characters));
  assert.equal(again.string(again.stringCount - 1), `string@${again.stringCount - 1}`);
  assert.ok(findings.has('dex-text-limit'));
});

test('every format is as long as its name says, and opcodes without a meaning are one unit', () => {
  for (const opcode of opcodes)
    assert.equal(opcode.length, opcode.isUnused ? 1 : Number(opcode.format[0]), opcode.mnemonic);
  assert.equal(opcodes.filter((opcode) => opcode.isUnused).length, 32);
});

test('branches that end in the past decode to their target', () => {
  const units = Uint16Array.from([0, 0, 0xfe28, 0x0038, 0xfffd]);
  assert.equal(instructionAt(units, 2).target, 0);
  assert.equal(instructionAt(units, 3).target, 0);
});

test('an instruction that runs past the end of its code is marked and its missing operands read as 0', () => {
  const instruction = instructionAt(Uint16Array.from([0x0018, 0xffff]), 0);
  assert.ok(instruction.isTruncated);
  assert.equal(instruction.literal, 0xffffn);
});

test('payloads that declare more than the code holds are cut to it', () => {
  for (const units of [
    [0x0100, 0xffff, 0, 0, 1, 0],
    [0x0200, 0xffff, 1, 0],
    [0x0300, 0xffff, 0xffff, 0xffff, 7],
    [0x0100],
    [0x0200],
    [0x0300, 1],
  ]) {
    const list = [...instructionsOf(Uint16Array.from(units))];
    assert.equal(list.length, 1);
    assert.ok(list[0]!.isTruncated && list[0]!.payload !== null);
  }
});

const wanted = (pool: Pool) => pool.method('Landroid/telephony/SmsManager;', 'send', '()V');
const scanned: DexSpec = {
  strings: ['https://example.com/', 'other'],
  classes: [
    {
      descriptor: 'Lcom/example/A;',
      methods: [
        { name: 'first', descriptor: '()V', code: { units: (pool) => [0x0071, wanted(pool), 0, 0x0e] } },
        { name: 'jni', descriptor: '()V', accessFlags: 0x109 },
        {
          name: 'second',
          descriptor: '()V',
          code: {
            units: (pool) => [
              0x001a,
              pool.string('https://example.com/'),
              0x001b,
              pool.string('other'),
              0,
              0x0077,
              wanted(pool),
              0,
              0x0022,
              pool.type('Ldalvik/system/DexClassLoader;'),
              0x0060,
              pool.field('Landroid/os/Build;', 'SERIAL', 'Ljava/lang/String;'),
              0x0e,
              0,
              // A payload whose data looks like a call of what is wanted.
              0x0300,
              2,
              3,
              0,
              0x0071,
              wanted(pool),
              0,
            ],
          },
        },
      ],
    },
  ],
};

test('the scan reports exactly the instructions that refer to what is marked', () => {
  const { dex, findings } = open(buildDex(scanned));
  const marks = (count: number, isWanted: (index: number) => boolean) =>
    Uint8Array.from({ length: count }, (_, index) => Number(isWanted(index)));
  const interest = {
    methods: marks(dex.methodCount, (index) => dex.methodName(index) === 'send'),
    strings: marks(dex.stringCount, (index) => ['https://example.com/', 'other'].includes(dex.string(index))),
    types: marks(dex.typeCount, (index) => dex.type(index) === 'Ldalvik/system/DexClassLoader;'),
    fields: marks(dex.fieldCount, (index) => dex.fieldName(index) === 'SERIAL'),
  };
  const hits: string[] = [];
  const counts = scanCode(dex, interest, (classIndex, methodIndex, codeOffset, at, opcode, index) => {
    const instruction = instructionAt(codeAt(dex, codeOffset)!.units, at);
    assert.equal(instruction.opcode.value, opcode);
    assert.equal(instruction.index, index);
    hits.push(
      `${dex.className(classIndex)}${dex.methodName(methodIndex)} ${at} ${androguardNotation(dex, instruction)}`,
    );
  });
  assert.deepEqual(hits, [
    'Lcom/example/A;first 0 invoke-static Landroid/telephony/SmsManager;->send()V',
    "Lcom/example/A;second 0 const-string v0, 'https://example.com/'",
    "Lcom/example/A;second 2 const-string/jumbo v0, 'other'",
    'Lcom/example/A;second 5 invoke-static/range v0 ... v-1, Landroid/telephony/SmsManager;->send()V',
    'Lcom/example/A;second 8 new-instance v0, Ldalvik/system/DexClassLoader;',
    'Lcom/example/A;second 10 sget v0, Landroid/os/Build;->SERIAL Ljava/lang/String;',
  ]);
  assert.deepEqual(counts, { classes: 1, methods: 3, methodsWithoutCode: 1, nativeMethods: 1, instructions: 10 });
  assert.deepEqual(findings.list(), []);
});

test('the scan goes over code at an odd address and reports code that lies outside or runs over', () => {
  const bytes = buildDex(oneMethod({ units: [0x0e] }));
  const { dex } = open(bytes);
  const { codeOffset } = methodsOf(dex, 0)[0]!;
  const entry = bytes.lastIndexOf(Buffer.from(uleb128(codeOffset)));
  const moved = (offset: number) => {
    const changed = Buffer.concat([bytes, Buffer.alloc(64)]);
    Buffer.from(uleb128(offset)).copy(changed, entry);
    return changed;
  };
  const odd = moved(bytes.length + 1);
  odd.writeUInt32LE(2, bytes.length + 1 + 12);
  odd.writeUInt16LE(0x0e, bytes.length + 1 + 16);
  odd.writeUInt16LE(0x1a, bytes.length + 1 + 18);
  assert.equal(uleb128(bytes.length + 1).length, uleb128(codeOffset).length);
  const first = open(odd);
  assert.equal(scanCode(first.dex, {}, () => undefined).instructions, 2);
  assert.ok(first.findings.has('dex-code-overrun'));
  const second = open(moved(bytes.length + 63));
  assert.equal(scanCode(second.dex, {}, () => undefined).instructions, 0);
  assert.ok(second.findings.has('dex-offset-outside'));
});

test('a file whose every method shares one long code is scanned in bounded time, with a finding', () => {
  const code: CodeSpec = { units: Array.from({ length: 200_000 }, () => 0) };
  const methods = Array.from({ length: 5000 }, (_, index) => ({ name: `m${index}`, descriptor: '()V', code }));
  const { dex, findings } = open(buildDex({ classes: [{ descriptor: 'LA;', methods }] }));
  const { instructions } = scanCode(dex, {}, () => undefined);
  assert.ok(instructions < 3_000_000, String(instructions));
  assert.ok(findings.has('dex-code-limit'));
});

test('a file whose every class shares one long list of methods is scanned in bounded time, with a finding', () => {
  const methods = Array.from({ length: 5000 }, (_, index) => ({
    name: `m${index}`,
    descriptor: '()V',
    accessFlags: 0x401,
  }));
  const rest = Array.from({ length: 2000 }, (_, index) => ({ descriptor: `LB${index};` }));
  const bytes = buildDex({ classes: [{ descriptor: 'LA;', methods }, ...rest] });
  const classes = bytes.readUInt32LE(100);
  for (let index = 1; index <= 2000; index++) bytes.copy(bytes, classes + index * 32 + 24, classes + 24, classes + 28);
  const { dex, findings } = open(bytes);
  const counts = scanCode(dex, {}, () => undefined);
  assert.ok(counts.methods < bytes.length * 2, String(counts.methods));
  assert.ok(findings.has('dex-code-limit'));
  assert.equal(classData(dex, 2000).directMethods.length, 5000);
});

test('raw strings come at their indexes, bad ones are left out, and overlapping ones are bounded', () => {
  const spec = { strings: ['a', 'https://example.com/', 'z'] };
  const bytes = buildDex(spec);
  const { dex } = open(bytes);
  const seen: [number, string][] = [];
  forEachString(dex, (raw, start, end, index) => seen.push([index, raw.toString('latin1', start, end)]));
  assert.deepEqual(
    seen,
    spec.strings.map((text, index) => [index, text]),
  );

  const many = buildDex({ strings: ['x'.repeat(50_000), ...Array.from({ length: 3000 }, (_, index) => `y${index}`)] });
  for (let index = 1; index <= 3000; index++) many.copy(many, 0x70 + index * 4, 0x70, 0x74);
  const hostile = open(many);
  let bytesSeen = 0;
  forEachString(hostile.dex, (_, start, end) => {
    bytesSeen += end - start;
  });
  assert.ok(bytesSeen <= many.length * 4);
  assert.ok(hostile.findings.has('dex-string-limit'));
});
