import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Prompts } from '../../../../../server/engine/dynamic/world/prompts.ts';

test('what an app compares a told text with is what it wants, in the order in which it asked', () => {
  const prompts = new Prompts();
  prompts.tell('Guten Morgen');
  prompts.compared('Guten Morgen', 'open');
  prompts.compared('sesame', 'guten morgen');
  prompts.compared('#wipe', 'Morgen');
  prompts.compared('open', 'Guten Morgen');
  assert.deepEqual(prompts.answersTo('Guten Morgen'), ['open', 'sesame', '#wipe', 'Guten #wipe']);
});

test('an answer that was told is a question in its turn', () => {
  const prompts = new Prompts();
  prompts.tell('first second');
  prompts.compared('first', 'send');
  prompts.tell('send second');
  prompts.compared('second', 'now');
  assert.ok(prompts.answersTo('send second').includes('send now'));
});

test("a text of the app's own is an answer though it was told already", () => {
  const prompts = new Prompts();
  prompts.own('#start');
  prompts.tell('#start');
  prompts.tell('ok');
  prompts.compared('ok', '#start');
  assert.deepEqual(prompts.answersTo('ok'), ['#start']);
});

test('texts that nobody told teach nothing, nor do two told ones each other', () => {
  const prompts = new Prompts();
  prompts.tell('first');
  prompts.tell('second');
  prompts.compared('first', 'second');
  prompts.compared('left', 'right');
  assert.deepEqual(prompts.answersTo('first'), []);
  assert.deepEqual(prompts.answersTo('left'), []);
});

test('a text is not taken for a question whose answers are a whole word list', () => {
  const prompts = new Prompts();
  prompts.tell('word');
  for (let index = 0; index < 1_000; index++) prompts.compared('word', `entry ${index}`);
  assert.equal(prompts.answersTo('word').length, 16);
});

test('where only the beginning is asked for, the text behind it may be asked for next', () => {
  const prompts = new Prompts();
  prompts.tell('hello');
  prompts.begun('hello', '#cmd ');
  assert.deepEqual(prompts.answersTo('hello'), ['#cmd ', '#cmd hello']);
  prompts.tell('#cmd hello');
  prompts.compared('hello', 'lock');
  assert.ok(prompts.answersTo('#cmd hello').includes('#cmd lock'));
});

test('a word of a text that the app takes apart comes with parts behind it first', () => {
  const prompts = new Prompts();
  prompts.tell('hello');
  prompts.divided('hello', '|');
  prompts.compared('hello', 'sms');
  const [first, second] = prompts.answersTo('hello');
  assert.match(first!, /^sms(\|\d+){3}$/);
  assert.equal(second, 'sms');
});
