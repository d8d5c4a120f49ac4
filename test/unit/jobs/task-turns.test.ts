import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountTurns } from '../../../server/jobs/account-turns.ts';
import { TaskTurns } from '../../../server/jobs/task-turns.ts';

interface Task {
  name: string;
  options: { account: number | null; isPatient?: boolean };
}

function turnsOf(mostEach: number) {
  let now = 0;
  const turns = new TaskTurns<Task>(mostEach, new AccountTurns(() => now));
  const add = (account: number | null, name: string, isPatient = false): Task => {
    const task = { name, options: { account, isPatient } };
    turns.add(task);
    return task;
  };
  /** Runs what waits one after the other. @returns the names in this order */
  const run = (milliseconds: (task: Task) => number = () => 10): string[] => {
    const names: string[] = [];
    for (let task = turns.next(); task !== undefined; task = turns.next()) {
      names.push(task.name);
      now += milliseconds(task);
      turns.end(task);
    }
    return names;
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { turns, add, run, pass };
}

test("a hundred tasks of one account do not stand before another's one", () => {
  const { add, run } = turnsOf(4);
  for (let index = 1; index <= 100; index++) add(1, `a${index}`);
  add(2, 'b1');
  add(null, 'n1');
  assert.deepEqual(run().slice(0, 4), ['a1', 'b1', 'n1', 'a2']);
});

test('what one account asks is taken in the order in which it came, and what it took back is not taken', () => {
  const { turns, add, run } = turnsOf(1);
  const tasks = ['a1', 'a2', 'a3'].map((name) => add(1, name));
  assert.equal(turns.remove(tasks[1]!), true);
  assert.equal(turns.remove(tasks[1]!), false);
  assert.deepEqual(run(), ['a1', 'a3']);
});

test('who has used less time lately goes first, and is forgiven after a while', () => {
  const { add, run, pass } = turnsOf(4);
  add(1, 'heavy');
  run(() => 20_000);
  for (const name of ['h1', 'h2']) add(1, name);
  for (const name of ['l1', 'l2', 'l3']) add(2, name);
  assert.deepEqual(run(), ['l1', 'l2', 'l3', 'h1', 'h2']);
  pass(3_600_000);
  add(2, 'l4');
  run(() => 100);
  for (const name of ['l5', 'h3']) add(name === 'h3' ? 1 : 2, name);
  assert.deepEqual(run(), ['h3', 'l5']);
});

test('an account never has more workers than it may, so that the next one finds a place', () => {
  const { turns, add } = turnsOf(2);
  const tasks = ['a1', 'a2', 'a3'].map((name) => add(1, name));
  assert.deepEqual([turns.next(), turns.next(), turns.next()], [tasks[0], tasks[1], undefined]);
  const other = add(2, 'b1');
  assert.equal(turns.next(), other);
  turns.end(tasks[0]!);
  assert.equal(turns.next(), tasks[2]);
});

test('who has fewer tasks under way goes before who used less', () => {
  const { turns, add, run } = turnsOf(3);
  add(2, 'earlier');
  run(() => 5000);
  const [first, second] = [add(1, 'a1'), add(1, 'a2')];
  assert.equal(turns.next(), first);
  const other = add(2, 'b1');
  assert.deepEqual([turns.next(), turns.next()], [other, second]);
});

test('background tasks come last, whoever asked for them', () => {
  const { add, run } = turnsOf(4);
  add(1, 'patient 1', true);
  add(2, 'patient 2', true);
  for (const name of ['a1', 'a2']) add(1, name);
  assert.deepEqual(run(), ['a1', 'a2', 'patient 2', 'patient 1']);
});

test('closing takes back all that wait and leaves what is under way', () => {
  const { turns, add } = turnsOf(1);
  const begun = add(1, 'begun');
  assert.equal(turns.next(), begun);
  const waiting = [add(1, 'waiting'), add(2, 'patient', true)];
  assert.deepEqual(turns.clear(), waiting);
  assert.equal(turns.next(), undefined);
});
