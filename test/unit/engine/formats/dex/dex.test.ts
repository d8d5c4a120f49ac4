// The dex parser on built files: valid ones, and malformed ones that must stay readable.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { FormatError } from '../../../../../server/engine/formats/byte-reader.ts';
import { classData, methodsOf } from '../../../../../server/engine/formats/dex/class-data.ts';
import { codeAt } from '../../../../../server/engine/formats/dex/code-item.ts';
import { scanCode } from '../../../../../server/engine/formats/dex/code-scan.ts';
import { type Dex, openDex, openDexContainer } from '../../../../../server/engine/formats/dex/dex.ts';
import { checkDigests } from '../../../../../server/engine/formats/dex/digests.ts';
import { smaliOf } from '../../../../../server/engine/formats/dex/smali.ts';
import { buildDex, type DexSpec, headerFields, mutf8, sealDex, withWord } from '../../../../fixtures/dex-builder.ts';

const returnVoid = 0x0e;
const sample: DexSpec = {
  strings: ['https://example.com/', 'nul\0inside', 'Grüße \u{1f600}'],
  classes: [
    {
      descriptor: 'Lcom/example/A;',
      superclass: 'Ljava/lang/Object;',
      interfaces: ['Ljava/lang/Runnable;'],
      sourceFile: 'A.java',
      fields: [
        { name: 'count', type: 'I', accessFlags: 0x9 },
        { name: 'name', type: 'Ljava/lang/String;', accessFlags: 0x1 },
      ],
      methods: [
        {
          name: 'load',
          descriptor: '(Ljava/lang/String;J)V',
          code: { registers: 3, ins: 3, units: [returnVoid] },
        },
        { name: 'run', descriptor: '()V', isVirtual: true, code: { registers: 1, ins: 1, units: [returnVoid] } },
        { name: 'hidden', descriptor: '()I', isVirtual: true, accessFlags: 0x101 },
      ],
    },
    { descriptor: 'Lcom/example/B;', superclass: 'Lcom/example/A;' },
  ],
};

function open(bytes: Uint8Array): { dex: Dex; codes: () => string[] } {
  const findings = new Findings();
  const dex = openDex(bytes, findings, 'classes.dex');
  return { dex, codes: () => [...new Set(findings.list().map((finding) => finding.code))] };
}

/** Reads everything there is to read, as a report on all classes would. */
function readAll(dex: Dex): void {
  for (let index = 0; index < dex.stringCount; index++) dex.string(index);
  for (let index = 0; index < dex.methodCount; index++) dex.method(index);
  for (let index = 0; index < dex.fieldCount; index++) dex.field(index);
  for (let index = 0; index < dex.classCount; index++) smaliOf(dex, index);
}

const allStrings = (dex: Dex) => Array.from({ length: dex.stringCount }, (_, index) => dex.stringOrNull(index));

test('a valid file opens without a finding and names its classes, fields and methods', () => {
  const { dex, codes } = open(buildDex(sample));
  const index = dex.classByDescriptor('Lcom/example/A;');
  const data = classData(dex, index);
  assert.deepEqual(
    methodsOf(dex, index).map((method) => dex.method(method.methodIndex)),
    ['Lcom/example/A;->load(Ljava/lang/String;J)V', 'Lcom/example/A;->hidden()I', 'Lcom/example/A;->run()V'],
  );
  assert.deepEqual(
    data.staticFields.map((field) => dex.field(field.fieldIndex)),
    ['Lcom/example/A;->count:I'],
  );
  assert.deepEqual(
    data.instanceFields.map((field) => dex.field(field.fieldIndex)),
    ['Lcom/example/A;->name:Ljava/lang/String;'],
  );
  const definition = dex.classDef(index);
  assert.equal(dex.type(definition.superclassIndex), 'Ljava/lang/Object;');
  assert.deepEqual(
    dex.typeList(definition.interfacesOffset).map((type) => dex.type(type)),
    ['Ljava/lang/Runnable;'],
  );
  assert.equal(dex.string(definition.sourceFileIndex), 'A.java');
  assert.equal(dex.classByDescriptor('Lcom/example/None;'), -1);
  checkDigests(dex);
  readAll(dex);
  assert.deepEqual(codes(), []);
});

test('a file reads the same from any address in memory', () => {
  const bytes = buildDex(sample);
  for (let shift = 0; shift < 4; shift++) {
    const holder = new Uint8Array(bytes.length + 8);
    holder.set(bytes, shift);
    const { dex, codes } = open(holder.subarray(shift, shift + bytes.length));
    assert.equal(dex.className(0), 'Lcom/example/A;');
    readAll(dex);
    assert.deepEqual(codes(), []);
  }
});

test('strings keep embedded zeros and surrogate pairs', () => {
  const { dex, codes } = open(buildDex(sample));
  const strings = allStrings(dex);
  for (const text of sample.strings!) assert.ok(strings.includes(text as string), JSON.stringify(text));
  assert.deepEqual(codes(), []);
});

test('a lone surrogate stays as it is', () => {
  const { dex } = open(buildDex({ strings: ['a\ud800b', '\udc00'] }));
  assert.deepEqual(allStrings(dex), ['a\ud800b', '\udc00']);
});

test('malformed MUTF-8 reads with a replacement per bad byte and a finding, a four-byte sequence as its character', () => {
  for (const [bytes, text] of [
    [[0x41, 0xff, 0x42], 'A\ufffdB'],
    [[0x41, 0x80], 'A\ufffd'],
    [[0xe4, 0xb8], '\ufffd\ufffd'],
    [[0xc3], '\ufffd'],
    [[0xf0, 0x9f, 0x98, 0x80], '\u{1f600}'],
  ] as const) {
    const { dex, codes } = open(buildDex({ strings: [Uint8Array.from(bytes)] }));
    assert.equal(dex.string(0), text);
    assert.ok(codes().includes('dex-string-encoding'));
  }
});

test('a string whose declared length is wrong reads in full, with a finding', () => {
  const bytes = buildDex({ strings: ['abc'] });
  bytes[bytes.readUInt32LE(bytes.readUInt32LE(headerFields.stringOffset))] = 2;
  const { dex, codes } = open(sealDex(bytes));
  assert.equal(dex.string(0), 'abc');
  assert.deepEqual(codes(), ['dex-string-length']);
});

test('a string offset outside the file leaves the other strings at their indexes', () => {
  const bytes = buildDex({ strings: ['a', 'b', 'c'] });
  const { dex } = open(withWord(bytes, bytes.readUInt32LE(headerFields.stringOffset) + 4, 0xfffffff0));
  assert.deepEqual(allStrings(dex), ['a', null, 'c']);
  assert.equal(dex.string(1), 'string@1');
});

test('indexes past the tables read as placeholders', () => {
  const { dex } = open(buildDex(sample));
  assert.equal(dex.string(9999), 'string@9999');
  assert.equal(dex.type(9999), 'type@9999');
  assert.equal(dex.method(9999), 'method@9999');
  assert.equal(dex.field(9999), 'field@9999');
  assert.equal(dex.protoDescriptor(9999), 'proto@9999');
  assert.throws(() => dex.classDef(9999), RangeError);
});

test('a wrong checksum and signature are findings', () => {
  const bytes = buildDex(sample);
  bytes[bytes.length - 1]! ^= 1;
  const { dex, codes } = open(bytes);
  checkDigests(dex);
  assert.deepEqual(codes(), ['dex-checksum', 'dex-signature']);
});

for (const [name, field, value, code] of [
  ['an unknown version', 4, 0x00393939, 'dex-version'],
  ['a swapped endian tag', headerFields.endianTag, 0x78563412, 'dex-endian-tag'],
  ['a wrong header size', headerFields.headerSize, 0x80, 'dex-header-size'],
  ['a declared size past the end', headerFields.fileSize, 0x7fffffff, 'dex-truncated'],
  ['a declared size before the end', headerFields.fileSize, 0x80, 'dex-trailing-data'],
] as const) {
  test(`${name} is a finding and the classes stay readable`, () => {
    const { dex, codes } = open(withWord(buildDex(sample), field, value));
    assert.equal(dex.className(0), 'Lcom/example/A;');
    readAll(dex);
    assert.deepEqual(codes(), [code]);
  });
}

test('what is no dex, or less than a header, is refused', () => {
  const refused = (bytes: Uint8Array, code: string) =>
    assert.throws(
      () => open(bytes),
      (error: unknown) => error instanceof FormatError && error.code === code,
    );
  refused(new Uint8Array(0), 'dex-magic');
  refused(Buffer.from('PK\x03\x04'), 'dex-magic');
  refused(buildDex(sample).subarray(0, 0x6f), 'truncated');
});

for (const table of ['string', 'type', 'proto', 'field', 'method', 'class'] as const) {
  test(`a huge ${table} count is cut to the file, with a finding`, () => {
    const { dex, codes } = open(withWord(buildDex(sample), headerFields[`${table}Count`], 0xffffffff));
    assert.ok(codes().includes('dex-table-outside'));
    readAll(dex);
  });

  test(`a ${table} table outside the file is empty, with a finding`, () => {
    const { dex, codes } = open(withWord(buildDex(sample), headerFields[`${table}Offset`], 0xfffffff0));
    assert.ok(codes().includes('dex-table-outside'));
    readAll(dex);
  });

  test(`a ${table} table at an odd address still reads`, () => {
    const bytes = buildDex(sample);
    const offset = bytes.readUInt32LE(headerFields[`${table}Offset`]);
    readAll(open(withWord(bytes, headerFields[`${table}Offset`], offset + 1)).dex);
  });
}

test('tables that overlap are a finding', () => {
  const bytes = buildDex(sample);
  const { codes } = open(withWord(bytes, headerFields.fieldOffset, bytes.readUInt32LE(headerFields.methodOffset)));
  assert.ok(codes().includes('dex-overlap'));
});

test('a file cut anywhere, or with any header word set to garbage, is read to its end without an error', () => {
  const bytes = buildDex(sample);
  for (let length = 0x70; length < bytes.length; length += 7) readAll(open(Buffer.from(bytes.subarray(0, length))).dex);
  for (let field = 8; field < 0x70; field += 4) {
    for (const value of [0, 1, 0x70, bytes.length - 1, 0x7fffffff, 0xffffffff]) {
      readAll(open(withWord(bytes, field, value)).dex);
    }
  }
});

test('a file with any single data byte changed is read to its end without an error', () => {
  const bytes = buildDex(sample);
  for (let at = 0x70; at < bytes.length; at++) {
    for (const value of [0x00, 0x7f, 0xff]) {
      const changed = Buffer.from(bytes);
      changed[at] = value;
      readAll(open(changed).dex);
    }
  }
});

test('a code item that declares more units than the file holds keeps those that are there', () => {
  const { dex, codes } = open(
    buildDex({
      classes: [
        {
          descriptor: 'LA;',
          methods: [{ name: 'm', descriptor: '()V', code: { units: [0, 0, returnVoid], declaredUnits: 0x40000000 } }],
        },
      ],
    }),
  );
  const code = codeAt(dex, methodsOf(dex, 0)[0]!.codeOffset)!;
  assert.deepEqual([...code.units.subarray(0, 3)], [0, 0, returnVoid]);
  assert.deepEqual(codes(), ['dex-code-truncated']);
});

/** Two dex files in one container of version 041: offsets count from its start. */
function container(): Buffer {
  const parts = [sample, { classes: [{ descriptor: 'Lcom/example/Second;' }] }].map((spec) => {
    const bytes = buildDex({ ...spec, version: '041' });
    // Room for the longer header: everything after it moves by its eight more bytes.
    return { bytes, size: bytes.length + 8 };
  });
  const total = parts.reduce((sum, part) => sum + part.size, 0);
  let start = 0;
  return Buffer.concat(
    parts.map(({ bytes, size }) => {
      const moved = Buffer.concat([bytes.subarray(0, 0x70), Buffer.alloc(8), bytes.subarray(0x70)]);
      const shift = (at: number) => {
        const offset = moved.readUInt32LE(at);
        if (offset !== 0) moved.writeUInt32LE(offset + 8 + start, at);
      };
      for (let table = headerFields.stringOffset; table <= headerFields.classOffset; table += 8) shift(table);
      shift(headerFields.mapOffset);
      const strings = moved.readUInt32LE(headerFields.stringOffset) - start;
      for (let index = 0; index < moved.readUInt32LE(headerFields.stringCount); index++) shift(strings + index * 4);
      const classes = moved.readUInt32LE(headerFields.classOffset) - start;
      for (let index = 0; index < moved.readUInt32LE(headerFields.classCount); index++) {
        for (const word of [3, 6]) shift(classes + index * 32 + word * 4);
      }
      moved.writeUInt32LE(size, headerFields.fileSize);
      moved.writeUInt32LE(0x78, headerFields.headerSize);
      moved.writeUInt32LE(total, 0x70);
      moved.writeUInt32LE(start, 0x74);
      start += size;
      return moved;
    }),
  );
}

test('every dex of a version 041 container opens, its offsets counted from the start of the container', () => {
  const findings = new Findings();
  const parts = openDexContainer(container(), findings, 'classes.dex');
  assert.deepEqual(
    parts.map((dex) => Array.from({ length: dex.classCount }, (_, index) => dex.className(index))),
    [['Lcom/example/A;', 'Lcom/example/B;'], ['Lcom/example/Second;']],
  );
  assert.deepEqual(findings.list(), []);
});

test('a container whose second header is damaged keeps the first dex, with a finding', () => {
  const bytes = container();
  bytes[bytes.readUInt32LE(headerFields.fileSize)] = 0;
  const findings = new Findings();
  assert.equal(openDexContainer(bytes, findings, 'classes.dex').length, 1);
  assert.ok(findings.has('dex-container'));
});

test('a container of a thousand headers over the same tables and code is scanned in bounded time, with findings', () => {
  const code = { units: [...new Array<number>(200_000).fill(0x1012), returnVoid] };
  const methods = [{ name: 'run', descriptor: '()V', code }];
  const body = buildDex({ classes: [{ descriptor: 'LA;', superclass: 'Ljava/lang/Object;', methods }] });
  const total = body.length + 1000 * 0x78;
  const headerAt = (offset: number, size: number): Buffer => {
    const header = Buffer.concat([body.subarray(0, 0x70), Buffer.alloc(8)]);
    header.write('dex\n041\0', 'latin1');
    header.writeUInt32LE(size, headerFields.fileSize);
    header.writeUInt32LE(0x78, headerFields.headerSize);
    header.writeUInt32LE(total, 0x70);
    header.writeUInt32LE(offset, 0x74);
    return header;
  };
  headerAt(0, body.length).copy(body);
  const headers = Array.from({ length: 1000 }, (_, index) => headerAt(body.length + index * 0x78, 0x78));
  const findings = new Findings();
  const parts = openDexContainer(Buffer.concat([body, ...headers]), findings, 'classes.dex');
  const counts = parts.map((dex) => scanCode(dex, {}, () => undefined).instructions);
  assert.ok(counts.reduce((sum, count) => sum + count) < 16 * 400_000);
  assert.ok(findings.has('dex-code-limit'));
});

test('an ordinary file is a container of one', () => {
  assert.equal(openDexContainer(buildDex(sample), new Findings(), 'classes.dex').length, 1);
});

test('modified UTF-8 of the fixture is what the parser reads back', () => {
  assert.deepEqual([...mutf8('\0ü€')], [0xc0, 0x80, 0xc3, 0xbc, 0xe2, 0x82, 0xac]);
});
