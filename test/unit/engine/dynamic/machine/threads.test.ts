import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunEnd } from '../../../../../server/engine/dynamic/machine/limits.ts';
import { committedDex, testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';

const dex = committedDex('threads');

test('threads that take turns under a lock lose no update', () => {
  const { call, printed } = testMachine([dex]);
  assert.equal(call('Lp/Threads;', 'counting()I'), 2000);
  assert.deepEqual(printed, ['a', 'b']);
});

test('scheduling is the same in every run', () => {
  const instructions = [1, 2].map(() => {
    const { call, machine } = testMachine([dex]);
    call('Lp/Threads;', 'counting()I');
    return machine.instructions;
  });
  assert.equal(instructions[0], instructions[1]);
});

test('threads wait for each other, and sleeping costs virtual time only', () => {
  const { call, printed, machine } = testMachine([dex]);
  call('Lp/Threads;', 'queue()V');
  assert.deepEqual(printed, ['one', 'two', 'three']);
  assert.ok(machine.clock.elapsed >= 5000 && machine.clock.elapsed < 6000);
});

test('an interrupt ends a sleep', () => {
  const { call, printed, machine } = testMachine([dex]);
  call('Lp/Threads;', 'interrupt()V');
  assert.deepEqual(printed, ['interrupted']);
  assert.ok(machine.clock.elapsed < 10_000);
});

test('a thread goes on sleeping after its starter has returned, until time has passed', () => {
  const { call, printed, machine } = testMachine([dex]);
  call('Lp/Threads;', 'sleep()V');
  machine.runFor(1000);
  assert.deepEqual(printed, []);
  machine.runFor(4_000_000);
  assert.deepEqual(printed, ['slept']);
  assert.equal(machine.threadCount, 1);
});

test('an exception that ends a thread comes to the default handler, and is reported', () => {
  const { call, printed, uncaught } = testMachine([dex]);
  call('Lp/Threads;', 'uncaught()V');
  assert.deepEqual(printed, ['failing', 'java.lang.IllegalStateException']);
  assert.deepEqual(uncaught, ['java.lang.IllegalStateException']);
});

test('a deadlock gives the waiting thread up instead of hanging', () => {
  const { call, machine } = testMachine([dex]);
  call('Lp/Threads;', 'deadlock()V');
  assert.equal(machine.abandonedThreads, 1);
});

test('a wait with a timeout ends by itself', () => {
  const { call, machine } = testMachine([dex]);
  call('Lp/Threads;', 'timedWait()V');
  assert.ok(machine.clock.elapsed >= 100 && machine.clock.elapsed < 200);
});

test('notifying without the lock is refused', () => {
  assert.throws(() => testMachine([dex]).call('Lp/Threads;', 'notOwner()V'), {
    message: 'java.lang.IllegalMonitorStateException: object not locked by thread before notify()',
  });
});

const endsBy = (limit: string) => (error: unknown) => error instanceof RunEnd && error.limit === limit;

test('an endless loop ends the run at the limit of instructions', () => {
  const { call, machine } = testMachine([dex], { limits: { instructions: 1_000_000 } });
  call('Lp/Threads;', 'endless()V');
  assert.throws(() => machine.settle(), endsBy('instructions'));
  assert.ok(machine.instructions < 1_100_000);
});

test('a bomb of threads ends the run at the limit of threads', () => {
  const { call } = testMachine([dex], { limits: { threads: 50 } });
  assert.throws(() => call('Lp/Threads;', 'bomb()V'), endsBy('threads'));
});

test('tasks of the main thread run when they are due, in the order of their time', () => {
  const { machine } = testMachine([dex]);
  const done: string[] = [];
  machine.schedule(200, () => done.push('late'));
  machine.schedule(100, () => done.push('early'));
  const cancelled = machine.schedule(150, () => done.push('never'));
  cancelled.cancel();
  machine.settle();
  assert.deepEqual(done, []);
  assert.equal(machine.advance(50), false);
  machine.runFor(1000);
  assert.deepEqual(done, ['early', 'late']);
});

test('a model that fails in a task ends that task, not the run', () => {
  const { machine, uncaught, failures } = testMachine([dex], { isTolerant: true });
  const done: string[] = [];
  machine.schedule(10, () => {
    throw new TypeError('no such property');
  });
  machine.schedule(20, () => done.push('next'));
  machine.runFor(100);
  assert.deepEqual(done, ['next']);
  assert.deepEqual(uncaught, []);
  assert.deepEqual(failures, ['driver: TypeError: no such property']);
});

test('a thread that never rests keeps others from nothing: settling comes to its end', () => {
  const { call, machine, printed } = testMachine([dex], { limits: { instructions: 50_000_000 } });
  call('Lp/Threads;', 'endless()V');
  machine.settle(200_000);
  assert.equal(machine.threadCount, 2);
  assert.equal(call('Lp/Threads;', 'counting()I'), 2000);
  assert.deepEqual(printed, ['a', 'b']);
});

test('a thread that does the same over and over is taken up no more, and its like still less long', () => {
  const { call, machine } = testMachine([dex], { limits: { loopInstructions: 2_000_000 } });
  const spent = (): number => {
    const before = machine.instructions;
    call('Lp/Threads;', 'endless()V');
    machine.settle(20_000_000);
    return machine.instructions - before;
  };
  const [first, second] = [spent(), spent()];
  assert.ok(first > 2_000_000 && first < 3_000_000, `the first ran ${first} instructions`);
  assert.ok(second > 100_000 && second < 300_000, `the second ran ${second} instructions`);
});
