// Buffers, charsets and paths as java.nio describes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { call, get, make } = phone;

test('a ByteBuffer has a position, a limit and an order of bytes', () => {
  const buffer = get('java.nio.ByteBuffer.allocate', 8);
  buffer.get('putInt(I)Ljava/nio/ByteBuffer;', 0x01020304).call('put(B)Ljava/nio/ByteBuffer;', 5);
  assert.deepEqual([buffer.call('position'), buffer.call('limit'), buffer.call('capacity')], [5, 8, 8]);
  buffer.call('flip');
  assert.equal(buffer.call('remaining'), 5);
  buffer.call('order', phone.constant('java.nio.ByteOrder', 'LITTLE_ENDIAN') as JavaObject);
  assert.equal(buffer.call('getInt()I'), 0x04030201);
  assert.equal(buffer.call('get()B'), 5);
  assert.throws(() => buffer.call('get()B'), { message: /^java\.nio\.BufferUnderflowException/ });
  buffer.call('clear');
  assert.equal(buffer.call('remaining'), 8);
});

test('a wrapped array and its buffer are the same bytes', () => {
  const buffer = get('java.nio.ByteBuffer.wrap', Buffer.from('abc'));
  buffer.call('put(IB)Ljava/nio/ByteBuffer;', 1, 0x58);
  assert.deepEqual(buffer.call('array'), Buffer.from('aXc'));
  assert.throws(() => call('java.nio.ByteBuffer.wrap', null), { message: /^java\.lang\.NullPointerException/ });
});

test('a Charset is found by any of its names, and decodes', () => {
  const latin = get('java.nio.charset.Charset.forName', 'latin1');
  assert.equal(latin.call('name'), 'ISO-8859-1');
  assert.equal(String(latin.get('decode', get('java.nio.ByteBuffer.wrap', Buffer.from([0xe4])))), 'ä');
  assert.equal(call('java.nio.charset.Charset.isSupported', 'no-such'), false);
  assert.throws(() => call('java.nio.charset.Charset.forName', 'no-such'), { message: /UnsupportedCharsetException/ });
});

test('paths are resolved and normalised, files read and written whole', () => {
  const path = get('java.nio.file.Paths.get', '/data/local/tmp', ['nio', '..', 'n.txt']);
  const file = path.get('normalize');
  assert.equal(String(file), '/data/local/tmp/n.txt');
  assert.equal(String(path.get('getFileName')), 'n.txt');
  call('java.nio.file.Files.write', file, Buffer.from('one\ntwo'), []);
  assert.deepEqual(get('java.nio.file.Files.readAllLines', file).elements, ['one', 'two']);
  assert.equal(call('java.nio.file.Files.size', file), 7n);
  assert.equal(call('java.nio.file.Files.deleteIfExists', file), true);
  assert.throws(() => call('java.nio.file.Files.readAllBytes', file), {
    message: /^java\.nio\.file\.NoSuchFileException/,
  });
  assert.equal(make('java.io.File', '/a').get('toPath').call('startsWith', '/a'), true);
});
