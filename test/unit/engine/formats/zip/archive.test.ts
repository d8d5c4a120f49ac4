import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { Findings } from '../../../../../server/engine/findings.ts';
import { FormatError } from '../../../../../server/engine/formats/byte-reader.ts';
import { openZip, type ZipArchive, type ZipLimits } from '../../../../../server/engine/formats/zip/archive.ts';
import { type ByteSource, fileSource, memorySource } from '../../../../../server/vault/byte-source.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';
import { buildZip, type ZipPlan } from '../../../../fixtures/zip-builder.ts';

function open(plan: ZipPlan | Uint8Array, limits?: Partial<ZipLimits>): { zip: ZipArchive; findings: Findings } {
  const findings = new Findings();
  const bytes = plan instanceof Uint8Array ? plan : buildZip(plan);
  return { zip: openZip(memorySource(bytes), findings, limits), findings };
}

const codes = (findings: Findings) => findings.list().map(({ code }) => code);
const text = (zip: ZipArchive, name: string) => Buffer.from(zip.read(zip.get(name)!)).toString();
const isFormatError = (code: string) => (error: unknown) => error instanceof FormatError && error.code === code;

test('stored and deflated entries are read, in the order of the directory, without a finding', () => {
  const { zip, findings } = open({
    entries: [
      { name: 'b.txt', content: 'stored' },
      { name: 'a.txt', content: 'deflated '.repeat(100), method: 8 },
      { name: 'empty', content: '' },
      { name: 'empty-deflated', content: '', method: 8 },
      { name: 'folder/', content: '' },
      { name: 'ümläut', content: 'x', alignment: 4 },
    ],
    comment: Buffer.from('a comment'),
  });
  assert.deepEqual(
    zip.entries.map(({ index, name, effectiveMethod }) => [index, name, effectiveMethod]),
    [
      [0, 'b.txt', 'stored'],
      [1, 'a.txt', 'deflated'],
      [2, 'empty', 'stored'],
      [3, 'empty-deflated', 'deflated'],
      [4, 'folder/', 'stored'],
      [5, 'ümläut', 'stored'],
    ],
  );
  assert.equal(text(zip, 'b.txt'), 'stored');
  assert.equal(text(zip, 'a.txt'), 'deflated '.repeat(100));
  assert.equal(text(zip, 'empty'), '');
  assert.equal(text(zip, 'empty-deflated'), '');
  assert.equal(text(zip, 'ümläut'), 'x');
  assert.equal(zip.dataOffsetOf(zip.get('ümläut')!) % 4, 0);
  assert.equal(Buffer.from(zip.comment).toString(), 'a comment');
  assert.equal(zip.get('missing'), undefined);
  assert.deepEqual(findings.list(), []);
});

for (const [name, path] of Object.entries(realApks)) {
  const unzip = systemTool('unzip');
  test(`every entry of ${name} has the bytes and the order that unzip gives`, { skip: unzip.skip }, () => {
    const source = fileSource(path);
    const findings = new Findings();
    const zip = openZip(source, findings);
    const listed = execFileSync(unzip.path!, ['-Z1', path], { encoding: 'utf8' }).trimEnd().split('\n');
    assert.deepEqual(
      zip.entries.map((entry) => entry.name),
      listed,
    );
    const all = createHash('sha256');
    for (const entry of zip.entries) all.update(zip.read(entry));
    const expected = createHash('sha256').update(execFileSync(unzip.path!, ['-p', path], { maxBuffer: 2 ** 28 }));
    assert.equal(all.digest('hex'), expected.digest('hex'));
    assert.deepEqual(findings.list(), []);
    source.close();
  });
}

test('content comes in pieces with the same bytes as at once', async () => {
  const content = Buffer.from(Array.from({ length: 70_000 }, (_, i) => `${i} `).join(''));
  const { zip, findings } = open({
    entries: [
      { name: 'deflated', content, method: 8 },
      { name: 'stored', content },
    ],
  });
  for (const entry of zip.entries) {
    const pieces: Uint8Array[] = [];
    for await (const piece of zip.chunks(entry, 4096)) pieces.push(piece);
    assert.ok(pieces.length > 10 && pieces.every((piece) => piece.length <= 4096));
    assert.ok(Buffer.concat(pieces).equals(content));
  }
  assert.deepEqual(findings.list(), []);
});

test('a consumer may leave the pieces early', async () => {
  const { zip } = open({ entries: [{ name: 'a', content: Buffer.alloc(1_000_000, 'abc'), method: 8 }] });
  for await (const piece of zip.chunks(zip.entries[0]!, 1024)) {
    assert.equal(piece.length, 1024);
    break;
  }
  assert.equal(zip.read(zip.entries[0]!).length, 1_000_000);
});

test('a prefix is read from a fraction of the packed bytes', () => {
  const content = Buffer.concat(
    Array.from({ length: 200_000 }, (_, i) => Buffer.from(createHash('md5').update(`${i}`).digest().subarray(0, 5))),
  );
  const bytes = buildZip({
    entries: [
      { name: 'big', content, method: 8 },
      { name: 'raw', content },
      { name: 's', content: 'abc', method: 8 },
    ],
  });
  let readBytes = 0;
  const inner = memorySource(bytes);
  const source: ByteSource = {
    ...inner,
    read(offset, length) {
      const result = inner.read(offset, length);
      readBytes += result.length;
      return result;
    },
  };
  const zip = openZip(source, new Findings());
  readBytes = 0;
  assert.ok(Buffer.from(zip.readPrefix(zip.get('big')!, 16)).equals(content.subarray(0, 16)));
  assert.ok(Buffer.from(zip.readPrefix(zip.get('raw')!, 16)).equals(content.subarray(0, 16)));
  assert.ok(readBytes < 2000, `${readBytes} bytes were read`);
  assert.ok(Buffer.from(zip.readPrefix(zip.get('big')!, 300_000)).equals(content.subarray(0, 300_000)));
  assert.equal(Buffer.from(zip.readPrefix(zip.get('s')!, 100)).toString(), 'abc');
});

test('data descriptors and ZIP64 fields are understood', () => {
  const { zip, findings } = open({
    entries: [
      { name: 'a', content: 'streamed', method: 8, hasDescriptor: true },
      { name: 'b', content: 'large numbers', method: 8, isZip64: true },
    ],
    isZip64: true,
  });
  assert.equal(text(zip, 'a'), 'streamed');
  assert.equal(text(zip, 'b'), 'large numbers');
  assert.equal(zip.get('b')!.size, 13);
  assert.deepEqual(findings.list(), []);
});

test('a ZIP64 end record that neither size nor offset call for is not looked at, as Android does not', () => {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(1n, 32);
  record.writeBigUInt64LE(48n, 40);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  const entries = ['a', 'b', 'c'].map((name) => ({ name, content: name }));
  const { zip, findings } = open({
    entries,
    afterDirectory: Buffer.concat([record, locator]),
    end: { entryCount: 0xffff },
  });
  assert.deepEqual(
    zip.entries.map(({ name }) => name),
    ['a', 'b', 'c'],
  );
  assert.deepEqual(codes(findings), ['zip-entry-count-mismatch']);
});

test('an archive of 65,535 entries opens with all of them', () => {
  const entries = Array.from({ length: 65_535 }, (_, i) => ({ name: `e${i}`, content: `${i}` }));
  const { zip, findings } = open({ entries });
  assert.equal(zip.entries.length, 65_535);
  assert.equal(text(zip, 'e65534'), '65534');
  assert.deepEqual(findings.list(), []);
});

test('the signing block and other bytes before the directory belong to no entry', () => {
  const { zip, findings } = open({
    entries: [{ name: 'a', content: '1' }],
    beforeDirectory: Buffer.from('APK Sig Block 42'),
  });
  assert.equal(text(zip, 'a'), '1');
  assert.equal(zip.centralDirectoryOffset, 30 + 1 + 1 + 16);
  assert.equal(zip.endOfCentralDirectoryOffset, zip.centralDirectoryOffset + zip.centralDirectorySize);
  assert.deepEqual(findings.list(), []);
});

for (const [what, bytes] of [
  ['an empty file', Buffer.alloc(0)],
  ['a file of 21 bytes', Buffer.alloc(21)],
  ['a text', Buffer.from('hello '.repeat(1000))],
  ['a truncated archive', buildZip({ entries: [{ name: 'a', content: 'x'.repeat(500) }] }).subarray(0, 400)],
  ['an end record alone that declares entries', buildZip({ entries: [], end: { entryCount: 7, directorySize: 300 } })],
  [
    'a directory outside the file',
    buildZip({ entries: [{ name: 'a' }], end: { directoryOffset: 0x7fffffff, directorySize: 9 } }),
  ],
  ['a tail full of end record signatures', Buffer.from('PK\x05\x06'.repeat(20_000), 'latin1')],
] as const) {
  test(`${what} is refused as not a ZIP`, () => {
    assert.throws(() => open(bytes), isFormatError('not-a-zip'));
  });
}

test('a sparse file of 4 GB is refused after reading its end alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zip-'));
  try {
    const path = join(folder, 'sparse');
    const descriptor = openSync(path, 'w');
    writeSync(descriptor, 'PK\x03\x04');
    ftruncateSync(descriptor, 4 * 2 ** 30 + 5);
    closeSync(descriptor);
    const source = fileSource(path);
    let readBytes = 0;
    const counting: ByteSource = {
      ...source,
      read(offset, length) {
        readBytes += length;
        return source.read(offset, length);
      },
    };
    assert.throws(() => openZip(counting, new Findings()), /truncated/);
    assert.ok(readBytes < 70_000);
    source.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a directory larger than the limit is refused before it is read', () => {
  const bytes = buildZip({ entries: [{ name: 'a'.repeat(1000) }] });
  assert.throws(() => open(bytes, { maxDirectorySize: 500 }), isFormatError('zip-limit'));
});

test('entries past the limit are left out and reported', () => {
  const { zip, findings } = open({ entries: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }, { maxEntries: 2 });
  assert.equal(zip.entries.length, 2);
  assert.deepEqual(codes(findings), ['zip-too-many-entries']);
});

test('a flat bomb is stopped by its ratio and reported', async () => {
  const content = Buffer.alloc(40 * 1024 * 1024);
  const { zip, findings } = open({ entries: [{ name: 'zeros', content, method: 8 }] });
  assert.throws(() => zip.read(zip.entries[0]!), isFormatError('zip-bomb'));
  await assert.rejects(async () => {
    for await (const _ of zip.chunks(zip.entries[0]!)) {
      // Only the end matters.
    }
  }, isFormatError('zip-bomb'));
  assert.ok(findings.has('zip-bomb'));
  assert.equal(zip.readPrefix(zip.entries[0]!, 4).length, 4);
});

test('an archive that unpacks to more than its budget is stopped, however it is spread over entries', () => {
  const packed = deflateRawSync(Buffer.alloc(100_000));
  const entries = Array.from({ length: 20 }, (_, i) => ({ name: `e${i}`, method: 8, packed, size: 100_000, crc32: 0 }));
  const { zip } = open({ entries }, { maxTotalOutput: 1_000_000 });
  for (const entry of zip.entries.slice(0, 10)) zip.read(entry);
  zip.read(zip.entries[0]!);
  assert.equal(zip.budget.spent, 1_000_000);
  assert.throws(() => zip.read(zip.entries[10]!), isFormatError('zip-bomb'));
});

test('thousands of entries that stand for the same bytes and lie about their size cost as much as they unpack to', () => {
  const content = Buffer.alloc(5_000_000, 'abc ');
  const packed = deflateRawSync(content);
  const shared = { content: '', method: 8, size: 5_000_000, packed, isDirectoryOnly: true, localHeaderOffset: 0 };
  const entries = Array.from({ length: 5000 }, (_, index) => ({ name: `a${index}`, ...shared }));
  const bytes = buildZip({
    entries: [{ name: 'small', content: 'x', method: 8 }, { name: 'b', content, method: 8 }, ...entries],
  });
  const { zip, findings } = open(bytes);
  const start = process.cpuUsage();
  for (const entry of zip.entries.slice(2)) {
    if (zip.budget.spent > zip.budget.limit) break;
    try {
      zip.read(entry);
    } catch (error) {
      assert.ok(isFormatError('zip-bomb')(error));
    }
  }
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 5_000_000, `${user + system} microseconds`);
  assert.ok(findings.has('zip-size-mismatch'));
});

test('damaged entries count against the budget, so that they are no way around it', () => {
  const packed = deflateRawSync(Buffer.alloc(1_000_000)).subarray(0, 900);
  const entries = Array.from({ length: 20 }, (_, i) => ({ name: `e${i}`, method: 8, packed, size: 1_000_000 }));
  const { zip } = open({ entries }, { maxTotalOutput: 3_000_000 });
  const reasons = zip.entries.map((entry) => {
    try {
      return zip.read(entry).length;
    } catch (error) {
      return (error as FormatError).code;
    }
  });
  assert.equal(reasons[0], 'zip-entry-corrupt');
  assert.equal(reasons[19], 'zip-bomb');
});

test('an entry larger than asked for is refused, not cut', () => {
  const { zip } = open({
    entries: [
      { name: 'a', content: 'x'.repeat(100) },
      { name: 'b', content: 'x'.repeat(100), method: 8, size: 10 },
    ],
  });
  assert.throws(() => zip.read(zip.entries[0]!, 99), isFormatError('zip-entry-too-large'));
  assert.throws(() => zip.read(zip.entries[1]!, 99), isFormatError('zip-entry-too-large'));
  assert.equal(zip.read(zip.entries[0]!, 100).length, 100);
});

test('an archive that zip wrote with data descriptors is read', { skip: systemTool('zip').skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'zip-'));
  try {
    writeFileSync(join(folder, 'a.txt'), 'one '.repeat(1000));
    execFileSync(systemTool('zip').path!, ['-q', '-fd', 'out.zip', 'a.txt'], { cwd: folder });
    const findings = new Findings();
    const zip = openZip(fileSource(join(folder, 'out.zip')), findings);
    assert.equal(text(zip, 'a.txt'), 'one '.repeat(1000));
    assert.deepEqual(findings.list(), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
