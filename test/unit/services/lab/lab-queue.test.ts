// The queue to other machines: what is left of it when it is closed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { LabQueue } from '../../../../server/services/lab/lab-queue.ts';
import { freePort, redisServer, TestRedis } from '../../../fixtures/lab.ts';

const quiet = { onFailed: () => undefined, onProgress: () => undefined };
const log = { error: () => undefined };
/** Milliseconds: connections are tried again after two seconds at the most. */
const longestRetry = 2500;

/** How often somebody connects to a port from now on. */
async function knocksAt(port: number): Promise<number> {
  let knocks = 0;
  const silent = createServer((socket) => {
    knocks += 1;
    socket.destroy();
  }).listen(port, '127.0.0.1');
  await once(silent, 'listening');
  await delay(longestRetry);
  silent.close();
  return knocks;
}

test('nothing knocks at a Redis that has gone once its queue is closed', { skip: redisServer.skip }, async () => {
  await using redis = await TestRedis.start();
  const up = Promise.withResolvers<void>();
  const onState = (isUp: boolean) => isUp && up.resolve();
  const access = { url: `redis://127.0.0.1:${redis.port}`, user: '', password: redis.password };
  const queue = new LabQueue('gone', access, { ...quiet, onState }, log);
  await up.promise;
  await queue.add('ticket', 'static', 1);
  await redis.kill();
  await queue.close();
  assert.equal(await knocksAt(redis.port), 0);
});

test('nor at one that was never there', async () => {
  const port = await freePort();
  const access = { url: `redis://127.0.0.1:${port}`, user: '', password: '' };
  const queue = new LabQueue('never', access, { ...quiet, onState: () => undefined }, log);
  // Some attempts have failed by then.
  await delay(500);
  await queue.close();
  assert.equal(await knocksAt(port), 0);
});
