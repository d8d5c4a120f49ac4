// APKs that are malformed at the level of the archive: the tricks that hinder tools, each with what it is.
import { crc32, deflateRawSync } from 'node:zlib';
import { buildZip, type ZipEntryPlan, type ZipPlan } from '../fixtures/zip-builder.ts';

export interface MalformedArchive {
  title: string;
  bytes: Buffer;
  /** The finding codes that opening the archive and reading the manifest must leave behind, sorted. */
  findings: string[];
  /** Whether the manifest can still be read; true unless stated. */
  isReadable?: boolean;
}

/** @param manifest a binary AndroidManifest.xml that an independent tool reads as well */
export function malformedArchives(manifest: Uint8Array): MalformedArchive[] {
  const crc = crc32(manifest);
  const entry: ZipEntryPlan = { name: 'AndroidManifest.xml', content: manifest, method: 8 };
  const code: ZipEntryPlan = { name: 'classes.dex', content: 'dex\n035\0'.padEnd(200, '\0') };
  const archive = (changes: Partial<ZipEntryPlan>, plan: Partial<ZipPlan> = {}, more: ZipEntryPlan[] = []) =>
    buildZip({ entries: [{ ...entry, ...changes }, code, ...more], ...plan });
  const named = (name: string | Uint8Array, changes: Partial<ZipEntryPlan> = {}) =>
    archive({}, {}, [{ name, content: 'x', ...changes }]);
  const list: MalformedArchive[] = [];
  const add = (title: string, bytes: Buffer, findings: string[], isReadable = true) =>
    list.push({ title, bytes, findings: findings.sort(), isReadable });

  add('encryption flag in both headers', archive({ flags: 1 }), ['zip-encrypted-flag']);
  add('encryption flag in the directory alone', archive({ flags: 1, local: { flags: 0 } }), [
    'zip-encrypted-flag',
    'zip-local-header-mismatch',
  ]);
  add('encryption flag in the local header alone', archive({ local: { flags: 1 } }), ['zip-local-header-mismatch']);
  add('marks of strong encryption and of an encrypted directory', archive({ flags: 0x2040 }), ['zip-encrypted-flag']);
  add('unknown method, stored content', archive({ method: 0x4142, isDeflated: false }), ['zip-unknown-method']);
  add(
    'unknown method, stored content, wrong packed size',
    archive({ method: 9, isDeflated: false, compressedSize: 77 }),
    ['zip-unknown-method'],
  );
  add('unknown method, deflated content', archive({ method: 0x1f2f, isDeflated: true }), ['zip-unknown-method']);
  add('unknown method in the local header alone', archive({ local: { method: 0x5555 } }), [
    'zip-local-header-mismatch',
  ]);
  add('stored, with a packed size that lies', archive({ method: 0, compressedSize: 5 }), []);
  add('local header with another name', archive({ local: { name: 'AndroidManifest.xmk' } }), [
    'zip-local-header-mismatch',
  ]);
  add('local header with a longer name', archive({ local: { name: 'AndroidManifest.xml.bak' } }), [
    'zip-local-header-mismatch',
  ]);
  add('local header with other sizes', archive({ local: { size: 3, compressedSize: 4 } }), [
    'zip-local-header-mismatch',
  ]);
  add('local header with another CRC', archive({ local: { crc32: 1 } }), ['zip-local-header-mismatch']);
  add(
    'local header with sizes hidden and no descriptor',
    archive({ local: { size: 0, compressedSize: 0, crc32: 0 } }),
    ['zip-local-header-mismatch'],
  );
  add('local extra field said to be longer than the file', archive({ local: { extraLength: 0xffff } }), [
    'zip-local-header-mismatch',
  ]);
  add('local header without its signature', archive({ local: { signature: 0x11223344 } }), ['zip-bad-start'], false);
  add('wrong CRC in both headers', archive({ crc32: crc ^ 1 }), ['zip-crc-mismatch']);
  add('unpacks to less than declared', archive({ size: manifest.length + 50 }), ['zip-size-mismatch']);
  add('unpacks to more than declared', archive({ size: manifest.length - 5 }), ['zip-size-mismatch']);
  add('a size of four gigabytes', archive({ size: 0xfffffff0 }), ['zip-size-mismatch']);
  add('stored, with a size that reaches past the file', archive({ method: 0, size: 0xfffffff0 }), [
    'zip-size-mismatch',
  ]);
  add('damaged deflate stream', archive({ packed: Buffer.from([0xff, 0xff, 0xff]) }), [], false);
  add('deflate stream that breaks off', archive({ packed: deflateRawSync(manifest).subarray(0, 40) }), [], false);
  add(
    'local header offset outside the archive',
    archive({ localHeaderOffset: 0x7ffffff0 }),
    ['zip-bad-local-offset'],
    false,
  );

  add('duplicate manifest', archive({}, {}, [{ name: 'AndroidManifest.xml', content: 'decoy' }]), [
    'zip-duplicate-entry',
  ]);
  add('a folder of the manifest’s name', named('AndroidManifest.xml/', { content: '' }), [
    'zip-special-name-as-folder',
  ]);
  add('a file in a folder of the manifest’s name', named('AndroidManifest.xml/decoy'), ['zip-special-name-as-folder']);
  add('a folder of the code’s name with content', named('classes.dex/'), [
    'zip-directory-with-data',
    'zip-special-name-as-folder',
  ]);
  add('a file and a folder of one name', archive({}, {}, [{ name: 'a/b' }, { name: 'a/b/' }]), ['zip-file-and-folder']);
  add('a folder with content', named('res/'), ['zip-directory-with-data']);
  add('a name that climbs out', named('../../data/x'), ['zip-path-traversal']);
  add('a name that climbs out the other way', named('a\\..\\..\\x'), ['zip-name-backslash', 'zip-path-traversal']);
  add('an absolute name', named('/etc/passwd'), ['zip-absolute-name']);
  add('a drive’s name', named('C:\\x'), ['zip-absolute-name', 'zip-name-backslash']);
  add('a name with NUL', named('classes2.dex\0.txt'), ['zip-name-nul']);
  add('a name that is not UTF-8', named(Buffer.from([0x61, 0xff, 0xfe])), ['zip-name-encoding']);
  add('an empty name', named(''), ['zip-empty-name']);
  add('a name longer than any path', named('x'.repeat(60_000)), ['zip-long-name']);
  add('dots that do not climb', named('a..b/...c'), []);

  add('fewer entries declared than there are', archive({}, { end: { entryCount: 1 } }), ['zip-entry-count-mismatch']);
  add('more entries declared than there are', archive({}, { end: { entryCount: 9 } }), ['zip-entry-count-mismatch']);
  add('no entries declared', archive({}, { end: { entryCount: 0 } }), ['zip-entry-count-mismatch']);
  add('a directory said to be empty', archive({}, { end: { directorySize: 0 } }), ['zip-directory-size-mismatch']);
  add('a directory said to be of four gigabytes', archive({}, { end: { directorySize: 0xfffffffe } }), [
    'zip-directory-size-mismatch',
  ]);
  add('a directory said to stand past the file', archive({}, { end: { directoryOffset: 0x7fffffff } }), [
    'zip-shifted-offsets',
  ]);
  add('a directory said to be shorter', archive({}, { end: { directorySize: 60 } }), ['zip-directory-size-mismatch']);
  add('bytes between directory and end record', archive({}, { afterDirectory: Buffer.from('garbage') }), []);
  add('bytes before the directory', archive({}, { beforeDirectory: Buffer.alloc(100, 0x41) }), []);
  add('bytes between the entries', archive({}, {}, [{ name: 'a', before: Buffer.alloc(50, 0x42) }]), []);
  add(
    'a local part that the directory does not list',
    archive({}, {}, [{ name: 'hidden', content: 'x', isLocalOnly: true }]),
    [],
  );
  add('data in front, offsets counted from behind it', archive({}, { prefix: Buffer.from('#!/bin/sh\n') }), [
    'zip-bad-start',
    'zip-shifted-offsets',
  ]);
  add(
    'data in front, offsets that include it',
    archive({}, { prefix: Buffer.from('garbage'), offsetsIncludePrefix: true }),
    ['zip-bad-start'],
  );
  add('a DEX file in front', archive({}, { prefix: Buffer.from('dex\n035\0'), offsetsIncludePrefix: true }), [
    'zip-dex-prefix',
  ]);
  add('data behind the end', archive({}, { suffix: Buffer.from('trailing') }), ['zip-trailing-data']);
  add('a comment said to be longer than the file', archive({}, { end: { commentLength: 99 } }), ['zip-trailing-data']);
  add(
    'a comment that holds an end record’s signature',
    archive({}, { comment: Buffer.from('PK\x05\x06 and more that is no record') }),
    ['zip-multiple-end-records'],
  );
  add('a comment that holds a whole end record', archive({}, { comment: buildZip({ entries: [] }) }), [
    'zip-multiple-end-records',
  ]);
  add('ZIP64 end record and fields', archive({ isZip64: true }, { isZip64: true }), []);
  add('ZIP64 with data in front', archive({ isZip64: true }, { isZip64: true, prefix: Buffer.from('garbage') }), [
    'zip-bad-start',
    'zip-shifted-offsets',
  ]);
  add('a data descriptor', archive({ hasDescriptor: true }), []);
  add(
    'two entries over the same bytes',
    archive({}, {}, [{ ...entry, name: 'copy.xml', isDirectoryOnly: true, localHeaderOffset: 0 }]),
    ['zip-overlapping-entries'],
  );
  return list;
}
