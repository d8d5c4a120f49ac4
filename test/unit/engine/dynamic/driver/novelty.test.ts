import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Novelty } from '../../../../../server/engine/dynamic/driver/novelty.ts';

test('what runs nothing new three times in a row rests, and goes on where something new comes or the next round begins', () => {
  let ran = 0;
  const novelty = new Novelty(() => ran);
  const isTired = (): boolean => novelty.isTired('turned the phone', 3);
  const turn = (fresh: number): void =>
    novelty.try('turned the phone', () => {
      ran += fresh;
    });
  turn(0);
  turn(0);
  turn(5);
  turn(0);
  turn(0);
  assert.ok(!isTired());
  turn(0);
  assert.ok(isTired());
  assert.ok(!novelty.isTired('went home', 3));
  turn(1);
  assert.ok(!isTired());
  for (let count = 0; count < 3; count++) turn(0);
  novelty.begin();
  assert.ok(!isTired());
});
