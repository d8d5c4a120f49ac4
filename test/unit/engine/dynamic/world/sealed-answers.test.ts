import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sealing } from '../../../../../server/engine/dynamic/java/hooks.ts';
import { SealedAnswers } from '../../../../../server/engine/dynamic/world/sealed-answers.ts';

const base64: Sealing = { vector: null, seal: (content) => Buffer.from(Buffer.from(content).toString('base64')) };
/** A cipher of sorts: each byte with that of the vector. */
const mixed = (content: Uint8Array, vector: Uint8Array): Buffer =>
  Buffer.from(content.map((byte, index) => byte ^ vector[index % vector.length]!));
const cipher = (vector: Uint8Array): Sealing => ({ vector, seal: (content, own) => mixed(content, own!) });

test('an answer comes sealed in each layer that the app has tried to open', () => {
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

test('a vector that the app has taken from the answer stands before what it seals', () => {
  const answers = new SealedAnswers();
  const sent = answers.seal('a', 'a long enough order');
  answers.opened(sent.subarray(4), cipher(sent.subarray(0, 4)));
  const sealed = answers.seal('a', 'order');
  assert.equal(mixed(sealed.subarray(4), sealed.subarray(0, 4)).toString(), 'order');
});

test('what was no answer, and an answer that was opened as before, change nothing', () => {
  const answers = new SealedAnswers();
  answers.seal('a', 'order');
  answers.opened(Buffer.from('something else'), base64);
  assert.ok(!answers.isSealed('a'));
  for (let round = 0; round < 20; round++) answers.opened(answers.seal('a', 'order'), base64);
  assert.equal(answers.seal('a', 'order').toString(), Buffer.from('order').toString('base64'));
});

test('only so many places have their answers sealed', () => {
  const answers = new SealedAnswers();
  for (let place = 0; place < 600; place++) answers.opened(answers.seal(String(place), `order ${place}`), base64);
  assert.ok(answers.isSealed('499'));
  assert.ok(!answers.isSealed('500'));
});

test('an answer too long to be remembered is not known again', () => {
  const answers = new SealedAnswers();
  const sent = answers.seal('a', 'x'.repeat((1 << 16) + 4));
  answers.opened(sent.subarray(4), cipher(sent.subarray(0, 4)));
  assert.ok(!answers.isSealed('a'));
});
