// Files and streams as the Java reference describes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone } from '../../../../../fixtures/dynamic/phone.ts';

const { make } = new Phone();
const folder = '/sdcard/io';
const file = (name: string): JavaObject => make('java.io.File', folder, name);
const bytes = (text: string): JavaObject => make('java.io.ByteArrayInputStream', Buffer.from(text));
make('java.io.File', folder).call('mkdirs');

function write(name: string, text: string): JavaObject {
  const stream = make('java.io.FileOutputStream', file(name));
  stream.call('write([B)V', Buffer.from(text));
  stream.call('close');
  return file(name);
}

test('a File knows the parts of its path without looking', () => {
  const path = make('java.io.File', '/a/b/', '../c.txt');
  assert.equal(path.call('getPath'), '/a/b/../c.txt');
  assert.equal(path.call('getName'), 'c.txt');
  assert.equal(path.call('getParent'), '/a/b/..');
  assert.equal(path.call('getCanonicalPath'), '/a/c.txt');
  assert.equal(path.call('exists'), false);
  assert.equal(path.call('length'), 0n);
  assert.throws(() => make('java.io.File', null), { message: /^java\.lang\.NullPointerException/ });
});

test('files are written, listed, renamed and deleted', () => {
  const one = write('one', 'content');
  assert.equal(one.call('length'), 7n);
  assert.equal(one.call('isFile'), true);
  assert.deepEqual(make('java.io.File', folder).call('list'), ['one']);
  assert.equal(one.call('renameTo', file('two')), true);
  assert.equal(one.call('exists'), false);
  assert.equal(file('two').call('delete'), true);
  assert.equal(file('two').call('delete'), false);
  assert.throws(() => make('java.io.FileInputStream', file('two')), { message: /^java\.io\.FileNotFoundException/ });
});

test('a stream is read byte by byte, in pieces and to its end', () => {
  const stream = bytes('abcdef');
  assert.equal(stream.call('read'), 97);
  assert.equal(stream.call('available'), 5);
  stream.call('mark', 10);
  assert.equal(stream.call('skip', 2n), 2n);
  assert.equal(stream.call('read'), 100);
  stream.call('reset');
  assert.equal(stream.call('read'), 98);
  assert.deepEqual(stream.call('readAllBytes'), Buffer.from('cdef'));
  assert.equal(stream.call('read'), -1);
});

test('data streams write big-endian numbers and modified UTF-8', () => {
  const target = make('java.io.ByteArrayOutputStream');
  const data = make('java.io.DataOutputStream', target);
  data.call('writeInt', 0x01020304);
  data.call('writeUTF', 'ä\0');
  data.call('writeDouble', 1.5);
  const written = target.call('toByteArray') as Buffer;
  assert.deepEqual(written.subarray(0, 10), Buffer.from([1, 2, 3, 4, 0, 4, 0xc3, 0xa4, 0xc0, 0x80]));
  const read = make('java.io.DataInputStream', make('java.io.ByteArrayInputStream', written));
  assert.equal(read.call('readInt'), 0x01020304);
  assert.equal(read.call('readUTF'), 'ä\0');
  assert.equal(read.call('readDouble'), 1.5);
  assert.throws(() => read.call('readByte'), { message: /^java\.io\.EOFException/ });
});

test('a BufferedReader gives lines without their ends', () => {
  const reader = make('java.io.BufferedReader', make('java.io.InputStreamReader', bytes('one\r\ntwo\n\nlast')));
  const lines = Array.from({ length: 5 }, () => reader.call('readLine'));
  assert.deepEqual(lines, ['one', 'two', '', 'last', null]);
});

test('a PrintWriter writes values as texts', () => {
  const text = make('java.io.StringWriter');
  const writer = make('java.io.PrintWriter', text);
  writer.call('print(I)V', 7);
  writer.call('println(Ljava/lang/String;)V', null);
  writer.call('print(C)V', 'x');
  writer.call('flush');
  assert.equal(String(text), '7null\nx');
});

test('a RandomAccessFile reads and writes at any place', () => {
  write('random', 'abcdef');
  const random = make('java.io.RandomAccessFile', file('random'), 'rw');
  random.call('seek', 2n);
  random.call('write([B)V', Buffer.from('XY'));
  assert.equal(random.call('getFilePointer'), 4n);
  random.call('seek', 0n);
  assert.equal(random.call('readLine'), 'abXYef');
  random.call('setLength', 3n);
  assert.equal(random.call('length'), 3n);
});

test('what was written as objects is read as equal objects', () => {
  const target = make('java.io.ByteArrayOutputStream');
  const list = make('java.util.ArrayList');
  list.call('add(Ljava/lang/Object;)Z', 'a');
  list.call('add(Ljava/lang/Object;)Z', 7);
  make('java.io.ObjectOutputStream', target).call('writeObject', list);
  const written = make('java.io.ByteArrayInputStream', target.call('toByteArray') as Buffer);
  assert.deepEqual(make('java.io.ObjectInputStream', written).get('readObject').elements, ['a', 7]);
});
