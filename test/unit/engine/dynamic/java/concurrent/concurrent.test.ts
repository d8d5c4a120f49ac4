// Executors, futures, locks and atomics as java.util.concurrent describes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone, type Plain } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { get, make } = phone;
const seconds = phone.constant('java.util.concurrent.TimeUnit', 'SECONDS') as JavaObject;

const giving = (value: Plain): JavaObject =>
  phone.implement('java.util.concurrent.Callable', { 'call()Ljava/lang/Object;': () => value });

test('a Future gives what its task returned, and waits for it', () => {
  const pool = get('java.util.concurrent.Executors.newFixedThreadPool', 2);
  const future = pool.get('submit', giving('done'));
  assert.equal(future.call('get()Ljava/lang/Object;'), 'done');
  assert.equal(future.call('isDone'), true);
  pool.call('shutdown');
  assert.equal(pool.call('isShutdown'), true);
  assert.throws(() => pool.call('submit', giving('late')), {
    message: /^java\.util\.concurrent\.RejectedExecutionException/,
  });
  assert.throws(() => pool.call('submit(Ljava/util/concurrent/Callable;)Ljava/util/concurrent/Future;', null), {
    message: /NullPointerException/,
  });
});

test('a scheduled task runs when its delay is over', () => {
  let runs = 0;
  const task = phone.implement('java.lang.Runnable', {
    'run()V': () => {
      runs++;
      return undefined;
    },
  });
  const pool = get('java.util.concurrent.Executors.newScheduledThreadPool', 1);
  pool.call('schedule', task, 10n, seconds);
  const repeated = pool.get('scheduleAtFixedRate', task, 20n, 5n, seconds);
  phone.wait(9_000);
  assert.equal(runs, 0);
  phone.wait(17_000);
  assert.equal(runs, 3);
  assert.equal(repeated.call('cancel', true), true);
  phone.wait(20_000);
  assert.equal(runs, 3);
});

test('atomics change by comparison', () => {
  const number = make('java.util.concurrent.atomic.AtomicInteger', 5);
  assert.equal(number.call('getAndIncrement'), 5);
  assert.equal(number.call('compareAndSet', 5, 9), false);
  assert.equal(number.call('compareAndSet', 6, 9), true);
  assert.equal(number.call('addAndGet', 1), 10);
  const reference = make('java.util.concurrent.atomic.AtomicReference', 'a');
  assert.equal(reference.call('getAndSet', 'b'), 'a');
});

test('locks count, latches open and queues hold so many', () => {
  const lock = make('java.util.concurrent.locks.ReentrantLock');
  lock.call('lock');
  lock.call('lock');
  assert.equal(lock.call('getHoldCount'), 2);
  lock.call('unlock');
  lock.call('unlock');
  assert.equal(lock.call('isLocked'), false);
  assert.throws(() => lock.call('unlock'), { message: /^java\.lang\.IllegalMonitorStateException/ });
  const latch = make('java.util.concurrent.CountDownLatch', 1);
  assert.equal(latch.call('await', 1n, seconds), false);
  latch.call('countDown');
  assert.equal(latch.call('getCount'), 0n);
  const queue = make('java.util.concurrent.ArrayBlockingQueue', 1);
  assert.equal(queue.call('offer(Ljava/lang/Object;)Z', 'a'), true);
  assert.equal(queue.call('offer(Ljava/lang/Object;)Z', 'b'), false);
  assert.equal(queue.call('take'), 'a');
});

test('a CompletableFuture passes its value and its failure on', () => {
  const longer = phone.implement('java.util.function.Function', {
    'apply(Ljava/lang/Object;)Ljava/lang/Object;': (value) => `${value}!`,
  });
  const future = get('java.util.concurrent.CompletableFuture.completedFuture', 'a').get('thenApply', longer);
  assert.equal(future.call('join'), 'a!');
  const failed = make('java.util.concurrent.CompletableFuture');
  failed.call('completeExceptionally', make('java.lang.IllegalStateException', 'no'));
  assert.equal(failed.call('isCompletedExceptionally'), true);
  assert.throws(() => failed.call('join'), { message: /^java\.util\.concurrent\.CompletionException/ });
});
