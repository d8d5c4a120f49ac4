import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sealing } from '../../../../../server/engine/dynamic/java/hooks.ts';
import { SealedAnswers } from '../../../../../server/engine/dynamic/world/sealed-answers.ts';

const base64: Sealing = { vector: null, seal: (content) => Buffer.from(Buffer.from(content).toString('base64')) };
/** A cipher of sorts: each byte with that of the vector. */
const mixed = (content: Uint8Array, vector: Uint8Array): Buffer =>
  Buffer.from(content.map((byte, index) => byte ^ vector[index % vector.length]!));
const cipher = (vector: Uint8Array): Sealing => ({ vector, seal: (content, own) => mixed(content, own!) });

test('an answer is encrypted in every layer that the app has tried to decrypt', () => {
  const answers = new SealedAnswers();
  const vector = Buffer.from('key');
  const plain = answers.seal('a', 'order');
  assert.equal(plain.toString(), 'order');
  answers.opened(plain, base64);
  assert.ok(answers.isSealed('a'));
  answers.opened(Buffer.from(answers.seal('a', 'order').toString(), 'base64'), cipher(vector));
  const opened = mixed(Buffer.from(answers.seal('a', 'order').toString(), 'base64'), vector);
  assert.equal(opened.toString(), 'order');
  assert.equal(answers.placeOf('order'), 'a');
});

test('an initialisation vector that the app takes from the answer stands before the encrypted bytes', () => {
  const answers = new SealedAnswers();
  const sent = answers.seal('a', 'a long enough order');
  answers.opened(sent.subarray(4), cipher(sent.subarray(0, 4)));
  const sealed = answers.seal('a', 'order');
  assert.equal(mixed(sealed.subarray(4), sealed.subarray(0, 4)).toString(), 'order');
});

test('decrypting what was no answer, or an answer in the known way, changes nothing', () => {
  const answers = new SealedAnswers();
  answers.seal('a', 'order');
  answers.opened(Buffer.from('something else'), base64);
  assert.ok(!answers.isSealed('a'));
  for (let round = 0; round < 20; round++) answers.opened(answers.seal('a', 'order'), base64);
  assert.equal(answers.seal('a', 'order').toString(), Buffer.from('order').toString('base64'));
});

test('answers are encrypted for a bounded number of addresses', () => {
  const answers = new SealedAnswers();
  for (let place = 0; place < 600; place++) answers.opened(answers.seal(String(place), `order ${place}`), base64);
  assert.ok(answers.isSealed('499'));
  assert.ok(!answers.isSealed('500'));
});

test('an answer that is too long is not recognised when the app decrypts it', () => {
  const answers = new SealedAnswers();
  const sent = answers.seal('a', 'x'.repeat((1 << 16) + 4));
  answers.opened(sent.subarray(4), cipher(sent.subarray(0, 4)));
  assert.ok(!answers.isSealed('a'));
});

/** A stream cipher that is the app's own invention. */
const stream = (content: Uint8Array): Buffer =>
  Buffer.from(content.map((byte, at) => byte ^ (((at * 73 + 41) & 0xff) | 0x80)));
const made = (answers: SealedAnswers, content: Uint8Array): void => answers.made(content.length, () => content);

test("an answer that the app's own code decodes to no text is encoded so that it decodes to one", () => {
  const answers = new SealedAnswers();
  made(answers, stream(answers.seal('a', 'first order')));
  assert.equal(stream(answers.seal('a', 'more order!')).toString(), 'more order!');
  // Of a longer one only the beginning is known, until it was seen too.
  const longer = answers.seal('a', 'quite a long order');
  assert.equal(stream(longer).toString().slice(0, 11), 'quite a lon');
  made(answers, stream(longer));
  assert.equal(stream(answers.seal('a', 'quite a long order')).toString(), 'quite a long order');
});

test('a repeating XOR key and a shift of bytes are learned, and used for answers of any length', () => {
  const open = (content: Uint8Array): Buffer =>
    Buffer.from(content.map((byte, at) => byte ^ 'k\x9cy'.charCodeAt(at % 3)));
  const turn = (content: Uint8Array): Buffer => Buffer.from(content.map((byte) => (byte + 100) & 0xff));
  for (const own of [open, turn]) {
    const answers = new SealedAnswers();
    made(answers, own(answers.seal('a', 'the first order')));
    assert.equal(own(answers.seal('a', 'an order that is longer')).toString(), 'an order that is longer');
  }
});

test('a guessed key that nothing confirms is dropped, and not tried again', () => {
  const answers = new SealedAnswers();
  made(answers, stream(answers.seal('a', 'first order')));
  for (let round = 0; round < 7; round++) answers.seal('a', 'first order');
  assert.equal(answers.seal('a', 'first order').toString(), 'first order');
  made(answers, stream(Buffer.from('first order')));
  assert.ok(!answers.isSealed('a'));
});

test('texts of the same length that are no answers teach nothing, in whatever language', () => {
  const answers = new SealedAnswers();
  answers.seal('a', 'first order');
  for (const other of [Buffer.from('first words'), Buffer.from('grüße an', 'latin1'), Buffer.from('Ä 日')]) {
    const text = Buffer.concat([other, Buffer.alloc(11, ' ')]).subarray(0, 11);
    made(answers, text);
    assert.ok(!answers.isSealed('a'), text.toString());
  }
});

test('where an app looks for hexadecimal digits in an answer, the next answer has some', () => {
  const answers = new SealedAnswers();
  answers.seal('b', 'other order');
  answers.seal('a', 'first order');
  answers.soughtDigits('zz');
  answers.soughtDigits('');
  assert.ok(!answers.isSealed('a'));
  answers.soughtDigits('fi');
  assert.equal(answers.seal('a', 'first').toString(), '6669727374');
  assert.ok(!answers.isSealed('b'));
});

test('a key that repeats but for its last byte is taken as a whole', () => {
  const answers = new SealedAnswers();
  const content = answers
    .seal('a', 'a'.repeat(60_000))
    .map((byte, at, { length }) => (at < length - 1 ? byte ^ 0x80 : 1));
  made(answers, content);
  assert.equal(answers.seal('a', 'b'.repeat(60_000)).at(-1), 'b'.charCodeAt(0) ^ 'a'.charCodeAt(0) ^ 1);
});
