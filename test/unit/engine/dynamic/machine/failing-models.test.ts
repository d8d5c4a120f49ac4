// What is the app's fault is thrown to the app; what is a model's is reported under its name and worked around.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Models } from '../../../../../server/engine/dynamic/machine/model.ts';
import { JavaError, testMachine, textOf } from '../../../../fixtures/dynamic/machine/test-machine.ts';

const S = 'Ljava/lang/String;';
const nullDereference = (value: null): unknown => (value as unknown as { length: number }).length;
const endless = (): number => 1 + endless();

const models: Models = {
  'Lt/M;': {
    staticMethods: {
      [`length(!${S})I`]: () => 7,
      [`second(${S}![B)I`]: () => 8,
      [`broken()${S}`]: () => nullDereference(null) as never,
      'deep()I': endless,
      'range()I': () => new Array(-1).length,
      'later()V': (machine) => {
        machine.schedule(10, () => nullDereference(null));
      },
      'waits()I': (machine) =>
        machine.blockThen(
          () => false,
          10,
          () => nullDereference(null) as never,
        ),
      'thread()V': (machine) => {
        machine.startThread(machine.allocate('Ljava/lang/Thread;'), () => nullDereference(null));
      },
      'onNull()V': (machine) => {
        machine.call(null, 'run()V');
      },
    },
    methods: { '<init>()V': () => undefined, [`take(!${S}${S})I`]: () => 9 },
  },
};
const make = (isTolerant = true) => testMachine([], { models, isTolerant });

test('null for a parameter that takes none is the NullPointerException of the app, and the model does not run', () => {
  const { call, machine, failures } = make();
  assert.throws(() => call('Lt/M;', `length(${S})I`, null), {
    message: 'java.lang.NullPointerException: t.M.length: argument 1 is null',
  });
  assert.throws(() => call('Lt/M;', `second(${S}[B)I`, null, null), { message: /argument 2 is null/ });
  assert.equal(call('Lt/M;', `second(${S}[B)I`, null, machine.array('B', 0)), 8);
  const run = (value: string | null) => {
    const object = machine.construct('Lt/M;', '<init>()V');
    return machine.call(object, `take(${S}${S})I`, value === null ? null : machine.string(value), null);
  };
  assert.equal(run('text'), 9);
  assert.throws(() => run(null));
  assert.deepEqual(failures, []);
});

test('a call on null from a model is a NullPointerException, as it is in Java', () => {
  const { call, failures } = make();
  assert.throws(() => call('Lt/M;', 'onNull()V'), {
    message: "java.lang.NullPointerException: Attempt to invoke method 'run' on a null object reference",
  });
  assert.deepEqual(failures, []);
});

test('a model that fails is named, throws nothing at the app and answers as a method that nothing models', () => {
  const { call, failures, unmodelled, uncaught } = make();
  assert.equal(textOf(call('Lt/M;', `broken()${S}`)), '');
  assert.equal(call('Lt/M;', 'range()I'), 0);
  assert.match(failures[0]!, /^Lt\/M;->broken\(\)Ljava\/lang\/String;: TypeError: .* of null/);
  assert.match(failures[1]!, /^Lt\/M;->range\(\)I: RangeError/);
  assert.deepEqual(unmodelled, [`Lt/M;->broken()${S}`, 'Lt/M;->range()I']);
  assert.deepEqual(uncaught, []);
});

test('a model that overflows the stack of this program throws no StackOverflowError at the app', () => {
  const { call, failures } = make();
  assert.equal(call('Lt/M;', 'deep()I'), 0);
  assert.deepEqual(failures, ['Lt/M;->deep()I: RangeError: Maximum call stack size exceeded']);
});

test('what fails after the model returned is reported under its name: tasks, threads, waiting', () => {
  const { call, machine, failures, uncaught } = make();
  for (const name of ['later()V', 'thread()V']) call('Lt/M;', name);
  assert.equal(call('Lt/M;', 'waits()I'), 0);
  machine.runFor(100);
  const named = failures.map((text) => text.split(':')[0]).sort();
  assert.deepEqual(named, ['Lt/M;->later()V', 'Lt/M;->thread()V', 'Lt/M;->waits()I']);
  assert.deepEqual(uncaught, []);
});

test('threads that wait on top of each other share one bound of the stack', () => {
  const { machine, failures } = testMachine([], { isTolerant: true, limits: { nestedCalls: 20 } });
  let deepest = 0;
  let standing = 0;
  const body = () => {
    deepest = Math.max(deepest, ++standing);
    machine.block(() => false, 10);
    standing--;
  };
  for (let count = 0; count < 50; count++) machine.startThread(machine.allocate('Ljava/lang/Thread;'), body);
  machine.runFor(1_000);
  assert.ok(deepest > 5 && deepest <= 11, `${deepest}`);
  assert.equal(standing, 0);
  assert.deepEqual(failures, []);
});

test('tests hear of a failing model at once', () => {
  assert.throws(() => make(false).call('Lt/M;', `broken()${S}`), TypeError);
  assert.throws(() => make(false).call('Lt/M;', `length(${S})I`, null), JavaError);
});
