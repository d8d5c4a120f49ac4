import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Request } from 'express';
import { watchReceiving } from '../../../server/api/receiving-watch.ts';

/** Seconds after which a sender is ended who sends so many bytes in each; null: he never is. */
function endOf(bytesIn: (second: number) => number, tick: (milliseconds: number) => void, isWanted = () => true) {
  const socket = { bytesRead: 1000 };
  let ended: number | null = null;
  let second = 0;
  const request = { socket, complete: false } as unknown as Request;
  const endWatch = watchReceiving(request, isWanted, () => {
    ended = second;
  });
  for (second = 1; second <= 600 && ended === null; second++) {
    socket.bytesRead += bytesIn(second);
    tick(1000);
  }
  endWatch();
  return ended;
}

test('a sender that trickles bytes is cut off, a slow but honest one is not', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const tick = (milliseconds: number) => t.mock.timers.tick(milliseconds);
  assert.equal(
    endOf(() => 0, tick),
    31,
  );
  assert.equal(
    endOf(() => 1, tick),
    31,
  );
  assert.ok((endOf(() => 1024, tick) ?? 0) > 31, 'half of the least rate is ended later');
  assert.equal(
    endOf(() => 3000, tick),
    null,
  );
  assert.equal(
    endOf((second) => (second % 20 === 0 ? 100_000 : 0), tick),
    null,
    'a link that drops out for a while',
  );
  assert.equal(
    endOf((second) => (second === 1 ? 50_000_000 : 0), tick),
    31,
    'nothing is saved up for long',
  );
});

test('time in which nobody reads is not the sender’s fault', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  assert.equal(
    endOf(
      () => 0,
      (milliseconds) => t.mock.timers.tick(milliseconds),
      () => false,
    ),
    null,
  );
});
