import assert from 'node:assert/strict';
import { test } from 'node:test';
import Sqids from 'sqids';
import { PublicIds, SingleIds } from '../../../server/services/public-ids.ts';

const ids = new PublicIds('a salt');

test('an id has 16 letters and digits, whatever the number', () => {
  for (const number of [0, 1, 2, 61, 62, 1000, 4_294_967_296, Number.MAX_SAFE_INTEGER]) {
    const id = ids.encode('apk', number);
    assert.match(id, /^[0-9A-Za-z]{16}$/);
    assert.equal(ids.decode('apk', id), number);
  }
});

test('a number is written as Sqids writes it', () => {
  const letters = 'ZYXWVUTSRQPONMLKJIHGFEDCBA0123456789abcdefghijklmnopqrstuvwxyz';
  const sqids = new Sqids({ alphabet: letters, minLength: 16, blocklist: new Set() });
  const single = new SingleIds(letters);
  const large = [3720, 3721, 226_981, 2 ** 32, 2 ** 40 + 61, Number.MAX_SAFE_INTEGER];
  for (const number of [...Array(2000).keys(), ...large]) assert.equal(single.encode(number), sqids.encode([number]));
});

test('ten thousand ids differ from each other', () => {
  const made = new Set(Array.from({ length: 10_000 }, (_, number) => ids.encode('apk', number)));
  assert.equal(made.size, 10_000);
});

test('the same salt gives the same ids for ever', () => {
  assert.equal(new PublicIds('a salt').encode('apk', 7), ids.encode('apk', 7));
  assert.equal(ids.encode('apk', 1), '9RUmxbEHfcRrj5PW');
});

test('ids of another installation or of another kind of record mean nothing', () => {
  const other = new PublicIds('another salt');
  let understood = 0;
  for (let number = 0; number < 200; number++) {
    if (ids.decode('apk', other.encode('apk', number)) === number) understood += 1;
    if (ids.decode('job', ids.encode('apk', number)) === number) understood += 1;
  }
  assert.equal(understood, 0);
});

test('what this installation would write otherwise is no id', () => {
  const id = ids.encode('apk', 7);
  const broken = [
    '',
    'x',
    id.slice(1),
    `${id}a`,
    id.toLowerCase(),
    `${id.slice(0, -1)}!`,
    'a'.repeat(16),
    'a'.repeat(5000),
  ];
  for (const text of broken) if (text !== id) assert.equal(ids.decode('apk', text), null, text);
});

test('a list of numbers is no id of a record', () => {
  const cursor = ids.encode('cursor', 0, 17, 300, 0xffffffff);
  assert.deepEqual(ids.decodeAll('cursor', cursor), [0, 17, 300, 0xffffffff]);
  assert.equal(ids.decode('cursor', cursor), null);
});
