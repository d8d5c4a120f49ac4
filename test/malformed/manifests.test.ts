// Whole APKs with the tricks that hinder tools from reading a manifest or code: the report is what Android sees, and
// a finding names the trick.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzeStatic } from '../../server/engine/static/static-report.ts';
import { memorySource } from '../../server/vault/byte-source.ts';
import { buildTable, type TableOptions } from '../fixtures/arsc-builder.ts';
import { type AttributeValue, type AxmlOptions, buildAxml, element, type Piece } from '../fixtures/axml-builder.ts';
import { chunk, u32 } from '../fixtures/chunk-writer.ts';
import { buildDex, headerFields } from '../fixtures/dex-builder.ts';
import { buildZip, type ZipEntryPlan } from '../fixtures/zip-builder.ts';

const manifestSize = 11 * 1024 * 1024;

function manifestOf(options: AxmlOptions = {}, label: AttributeValue = 'Example', layout = {}): Uint8Array {
  const application = { ...element('application', { 'android:label': label }), ...layout };
  const attributes = { package: 'com.example.app', 'android:versionCode': 7 };
  return buildAxml({ ...element('manifest', attributes, application), ...layout }, options);
}

const manifestEntry = (content: Uint8Array, changes: Partial<ZipEntryPlan> = {}): ZipEntryPlan => ({
  name: 'AndroidManifest.xml',
  content,
  method: 8,
  ...changes,
});

const dex = () =>
  buildDex({ classes: [{ descriptor: 'Lcom/example/app/Main;', superclass: 'Ljava/lang/Object;' }] }) as Buffer;

/** Every chunk of a manifest with another one behind it, of a type that Android does not know. */
const withChunks = (size: number) => (pieces: Piece[]) =>
  pieces.flatMap((piece, index): Piece[] =>
    index === 0 ? [piece, { kind: 'text', bytes: chunk(0x0777, u32(size), Buffer.alloc(size, 0xcc)) }] : [piece],
  );

/** A namespace behind the root's end, whose header and size are of no use to anybody. */
const withLateNamespace = (pieces: Piece[]): Piece[] => {
  const late = Buffer.alloc(0x4000, 0x5a);
  late.writeUInt16LE(0x0100, 0);
  late.writeUInt16LE(0x1c00, 2);
  late.writeUInt32LE(late.length, 4);
  return [...pieces, { kind: 'text', bytes: late }];
};

/** An attribute in front of every element's own whose name and text are in no pool, as packers put it there. */
const withForeignAttributes = (pieces: Piece[]): Piece[] =>
  pieces.map((piece) => {
    if (piece.kind !== 'start') return piece;
    const attribute = Buffer.concat([u32(0x7ffffff0, 0x7ffffff1, 0x7ffffff2), Buffer.from([8, 0, 0, 0x12]), u32(1)]);
    const bytes = Buffer.concat([piece.bytes.subarray(0, 36), attribute, piece.bytes.subarray(36)]);
    bytes.writeUInt32LE(bytes.length, 4);
    bytes.writeUInt16LE(bytes.readUInt16LE(28) + 1, 28);
    return { ...piece, bytes };
  });

const withoutHeader = (manifest: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(manifest);
  bytes.writeUInt16LE(0, 2);
  return bytes;
};

const reference = (data: number) => ({ type: 1, data });
const cycle = buildTable([
  {
    types: [
      {
        name: 'string',
        entries: ['first', 'second'],
        values: [{ values: { 0: reference(0x7f010001), 1: reference(0x7f010000) } }],
      },
    ],
  },
]);

const labelTable = (options: TableOptions): Uint8Array =>
  buildTable([{ types: [{ name: 'string', entries: ['label'], values: [{ values: { 0: 'Example' } }] }] }], options);
const labelled = manifestEntry(manifestOf({}, reference(0x7f010000)));

const tricks: { title: string; entries: ZipEntryPlan[]; code: string; label?: string }[] = [
  {
    title: 'a string count that reaches into the strings',
    entries: [manifestEntry(manifestOf({ pool: { stringCount: 20 } }))],
    code: 'string-pool-count',
  },
  {
    title: 'attributes of 32 bytes behind a gap',
    entries: [manifestEntry(manifestOf({}, 'Example', { attributeGap: 8, attributePadding: 12 }))],
    code: 'axml-attribute-layout',
  },
  {
    title: 'a chunk that nobody knows',
    entries: [manifestEntry(manifestOf({ arrange: withChunks(40) }))],
    code: 'axml-unknown-chunk',
  },
  {
    title: 'a namespace of 16 kB behind the end',
    entries: [manifestEntry(manifestOf({ arrange: withLateNamespace }))],
    code: 'axml-node-header',
  },
  {
    title: 'attributes whose names are in no pool',
    entries: [manifestEntry(manifestOf({ arrange: withForeignAttributes }))],
    code: 'axml-missing-name',
  },
  {
    title: 'extra fields of 60 kB in its headers',
    entries: [manifestEntry(manifestOf(), { extra: Buffer.alloc(60_000, 'JADX') })],
    code: 'zip-extra-field',
  },
  {
    title: 'a manifest of more than ten megabytes',
    entries: [manifestEntry(manifestOf({ arrange: withChunks(manifestSize) }))],
    code: 'axml-unknown-chunk',
  },
  {
    title: 'ten megabytes behind the manifest',
    entries: [manifestEntry(manifestOf({ trailing: Buffer.alloc(manifestSize) }))],
    code: 'axml-trailing-data',
  },
  {
    title: 'a label in a circle of references',
    entries: [manifestEntry(manifestOf({}, reference(0x7f010000))), { name: 'resources.arsc', content: cycle }],
    code: 'arsc-reference-cycle',
    label: '@string/first',
  },
  {
    title: 'a file header that is said to be empty',
    entries: [manifestEntry(withoutHeader(manifestOf()))],
    code: 'axml-header-length',
  },
  {
    title: 'a resource table that claims to be something else',
    entries: [labelled, { name: 'resources.arsc', content: labelTable({ headerType: 9 }) }],
    code: 'arsc-unknown-chunk',
  },
  {
    title: 'a resource table of four gigabytes',
    entries: [labelled, { name: 'resources.arsc', content: labelTable({ fileSize: () => 0xffffffff }) }],
    code: 'arsc-header',
  },
  {
    title: 'a manifest of four gigabytes',
    entries: [manifestEntry(manifestOf(), { size: 0xfffffff0 })],
    code: 'zip-size-mismatch',
  },
  {
    title: 'a compression method that does not exist',
    entries: [manifestEntry(manifestOf(), { method: 0x3039, isDeflated: false })],
    code: 'zip-unknown-method',
  },
  {
    title: 'an entry marked as encrypted',
    entries: [manifestEntry(manifestOf(), { flags: 1 })],
    code: 'zip-encrypted-flag',
  },
  {
    title: 'a decoy in a folder of the manifest’s name',
    entries: [{ name: 'AndroidManifest.xml/AndroidManifest.xml', content: 'decoy' }, manifestEntry(manifestOf())],
    code: 'zip-special-name-as-folder',
  },
  {
    title: 'a second manifest',
    entries: [manifestEntry(manifestOf()), manifestEntry(manifestOf({}, 'Decoy'))],
    code: 'zip-duplicate-entry',
  },
];

for (const { title, entries, code, label = 'Example' } of tricks) {
  test(`${title} leaves the report whole and is a finding`, () => {
    const bytes = buildZip({ entries: [...entries, { name: 'classes.dex', content: dex(), method: 8 }] });
    const { androguard } = analyzeStatic(memorySource(bytes), { fileName: 'sample.apk' });
    assert.deepEqual(
      [androguard.package_name, androguard.version_code, androguard.app_name],
      ['com.example.app', '7', label],
    );
    assert.equal(androguard.code.classes, 1);
    const codes = androguard.findings.map((each) => each.code);
    assert.ok(codes.includes(code), codes.join(' '));
  });
}

for (const size of [0, 0x6f, 0x78, 0xffffffff]) {
  test(`code whose header claims 0x${size.toString(16)} bytes is read as ever, with a finding`, () => {
    const code = dex();
    code.writeUInt32LE(size, headerFields.headerSize);
    const entries = [manifestEntry(manifestOf()), { name: 'classes.dex', content: code, method: 8 }];
    const { androguard } = analyzeStatic(memorySource(buildZip({ entries })), { fileName: 'sample.apk' });
    assert.equal(androguard.code.classes, 1);
    assert.ok(androguard.findings.some((each) => each.code === 'dex-header-size'));
  });
}

const classSize = 32;
const codeTricks: { title: string; change: (code: Buffer, classes: number) => void; code: string }[] = [
  { title: 'without a map', change: (code) => code.writeUInt32LE(0, headerFields.mapOffset), code: 'dex-map' },
  {
    title: 'with a wrong checksum',
    change: (code) => code.writeUInt32LE(7, headerFields.checksum),
    code: 'dex-checksum',
  },
  {
    title: 'whose class is its own superclass',
    change: (code, classes) => code.writeUInt32LE(code.readUInt32LE(classes), classes + 8),
    code: 'dex-class-definition',
  },
  {
    title: 'whose class has its data outside the file',
    change: (code, classes) => code.writeUInt32LE(0xffffff00, classes + classSize - 8),
    code: 'dex-offset-outside',
  },
];

for (const { title, change, code } of codeTricks) {
  test(`code ${title} is read, with a finding`, () => {
    const content = dex();
    change(content, content.readUInt32LE(headerFields.classOffset));
    const entries = [manifestEntry(manifestOf()), { name: 'classes.dex', content, method: 8 }];
    const { androguard } = analyzeStatic(memorySource(buildZip({ entries })), { fileName: 'sample.apk' });
    assert.equal(androguard.code.classes, 1);
    assert.ok(androguard.findings.some((each) => each.code === code));
  });
}
