import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Prompts } from '../../../../../server/engine/dynamic/world/prompts.ts';

test('texts that an app compares a received text with are sent as the next ones, in the order of the comparisons', () => {
  const prompts = new Prompts();
  prompts.tell('Guten Morgen');
  prompts.compared('Guten Morgen', 'open');
  prompts.compared('sesame', 'guten morgen');
  prompts.compared('#wipe', 'Morgen');
  prompts.compared('open', 'Guten Morgen');
  assert.deepEqual(prompts.answersTo('Guten Morgen'), ['open', 'sesame', '#wipe', 'Guten #wipe']);
});

test('a text that was sent as an answer is watched for comparisons in its turn', () => {
  const prompts = new Prompts();
  prompts.tell('first second');
  prompts.compared('first', 'send');
  prompts.tell('send second');
  prompts.compared('second', 'now');
  assert.ok(prompts.answersTo('send second').includes('send now'));
});

test("a text of the app's own code is an answer even where it was sent before", () => {
  const prompts = new Prompts();
  prompts.own('#start');
  prompts.tell('#start');
  prompts.tell('ok');
  prompts.compared('ok', '#start');
  assert.deepEqual(prompts.answersTo('ok'), ['#start']);
});

test('comparisons of texts that were not received, or of two received ones, teach nothing', () => {
  const prompts = new Prompts();
  prompts.tell('first');
  prompts.tell('second');
  prompts.compared('first', 'second');
  prompts.compared('left', 'right');
  assert.deepEqual(prompts.answersTo('first'), []);
  assert.deepEqual(prompts.answersTo('left'), []);
});

test('a text that is compared with a whole list of words is no longer watched', () => {
  const prompts = new Prompts();
  prompts.tell('word');
  for (let index = 0; index < 1_000; index++) prompts.compared('word', `entry ${index}`);
  assert.equal(prompts.answersTo('word').length, 16);
});

test('where an app looks for a prefix, what it looks for behind the prefix is learned next', () => {
  const prompts = new Prompts();
  prompts.tell('hello');
  prompts.begun('hello', '#cmd ');
  assert.deepEqual(prompts.answersTo('hello'), ['#cmd ', '#cmd hello']);
  prompts.tell('#cmd hello');
  prompts.compared('hello', 'lock');
  assert.ok(prompts.answersTo('#cmd hello').includes('#cmd lock'));
});

test('where an app splits a text, a word is first sent with more parts behind it', () => {
  const prompts = new Prompts();
  prompts.tell('hello');
  prompts.divided('hello', '|');
  prompts.compared('hello', 'sms');
  const [first, second] = prompts.answersTo('hello');
  assert.match(first!, /^sms(\|\d+){3}$/);
  assert.equal(second, 'sms');
});
