// Checksums, deflate and archives as java.util.zip describes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { Phone } from '../../../../../fixtures/dynamic/phone.ts';

const { make } = new Phone();
const input = (bytes: Uint8Array) => make('java.io.ByteArrayInputStream', bytes);

test('CRC32 and Adler32 give the known sums', () => {
  const sum = (name: string) => {
    const checksum = make(`java.util.zip.${name}`);
    checksum.call('update([B)V', Buffer.from('123456789'));
    return checksum.call('getValue');
  };
  assert.equal(sum('CRC32'), 0xcbf43926n);
  assert.equal(sum('Adler32'), 0x091e01den);
});

test('a GZIPInputStream unpacks, and refuses what is none', () => {
  const unzip = (bytes: Uint8Array) => make('java.util.zip.GZIPInputStream', input(bytes)).call('readAllBytes');
  assert.deepEqual(unzip(gzipSync('text')), Buffer.from('text'));
  assert.throws(() => unzip(Buffer.from('none at all')), { message: /^java\.util\.zip\.ZipException/ });
});

test('an Inflater without a header reads raw deflate', () => {
  const inflater = make('java.util.zip.Inflater', true);
  const stream = make('java.util.zip.InflaterInputStream', input(deflateRawSync('raw')), inflater);
  assert.deepEqual(stream.call('readAllBytes'), Buffer.from('raw'));
});

test('entries of a ZipOutputStream are read again one by one', () => {
  const target = make('java.io.ByteArrayOutputStream');
  const zip = make('java.util.zip.ZipOutputStream', target);
  for (const name of ['a.txt', 'dir/b.txt']) {
    zip.call('putNextEntry', make('java.util.zip.ZipEntry', name));
    zip.call('write([B)V', Buffer.from(`in ${name}`));
    zip.call('closeEntry');
  }
  zip.call('close');
  const read = make('java.util.zip.ZipInputStream', input(target.call('toByteArray') as Buffer));
  assert.equal(read.get('getNextEntry').call('getName'), 'a.txt');
  assert.equal(read.get('getNextEntry').call('getName'), 'dir/b.txt');
  assert.deepEqual(read.call('readAllBytes'), Buffer.from('in dir/b.txt'));
  assert.equal(read.call('getNextEntry'), null);
});
