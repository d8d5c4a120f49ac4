// Handlers, messages, timers and alarms: what runs when, and on which thread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone, type Plain } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { call, get, make, machine } = phone;

/** A Runnable that writes its name down. */
const noting = (done: string[], name: string): JavaObject =>
  phone.implement('java.lang.Runnable', {
    'run()V': () => {
      done.push(name);
      return undefined;
    },
  });
const mainHandler = () => make('android.os.Handler', get('android.os.Looper.getMainLooper'));

test('posted tasks run in the order of their times, at the front first', () => {
  const done: string[] = [];
  const handler = mainHandler();
  handler.call('postDelayed', noting(done, 'late'), 200n);
  handler.call('postDelayed', noting(done, 'soon'), 100n);
  handler.call('post', noting(done, 'now'));
  const removed = noting(done, 'removed');
  handler.call('postDelayed', removed, 50n);
  handler.call('removeCallbacks', removed);
  assert.deepEqual(done, []);
  phone.wait(150);
  assert.deepEqual(done, ['now', 'soon']);
  phone.wait(100);
  assert.deepEqual(done, ['now', 'soon', 'late']);
});

test('messages reach handleMessage with their fields, unless removed', () => {
  const heard: Plain[] = [];
  const handler = phone.implement(
    'android.os.Handler',
    {
      'handleMessage(Landroid/os/Message;)V': (message) => {
        heard.push(machine.getField((message as JavaObject).object, 'what') as number);
        return undefined;
      },
    },
    'android.os.Handler',
  );
  handler.call('sendEmptyMessage', 1);
  handler.call('sendEmptyMessageDelayed', 2, 100n);
  handler.call('sendEmptyMessageDelayed', 3, 200n);
  assert.equal(handler.call('hasMessages(I)Z', 2), true);
  handler.call('removeMessages(I)V', 2);
  phone.wait(1_000);
  assert.deepEqual(heard, [1, 3]);
});

test('a thread of its own takes the tasks of its looper', () => {
  const done: string[] = [];
  const thread = make('android.os.HandlerThread', 'worker');
  thread.call('start');
  const handler = make('android.os.Handler', thread.get('getLooper'));
  const name = phone.implement('java.lang.Runnable', {
    'run()V': () => {
      done.push(machine.toText(machine.call(machine.currentThread(), 'getName()Ljava/lang/String;') as never).text);
      return undefined;
    },
  });
  handler.call('post', name);
  phone.wait(100);
  assert.deepEqual(done, ['worker']);
  assert.equal(thread.call('quit'), true);
});

test('only the main thread has a looper of itself', () => {
  assert.equal(get('android.os.Looper.getMainLooper').call('isCurrentThread'), true);
  assert.equal(call('android.os.Looper.myLooper') === null, false);
  assert.throws(() => call('android.os.Looper.prepare'), {
    message: /RuntimeException: Only one Looper may be created per thread/,
  });
});

test('the clock goes on while the phone sleeps', () => {
  const before = call('android.os.SystemClock.elapsedRealtime') as bigint;
  call('android.os.SystemClock.sleep', 5_000n);
  const after = call('android.os.SystemClock.elapsedRealtime') as bigint;
  assert.ok(after - before >= 5_000n);
});
