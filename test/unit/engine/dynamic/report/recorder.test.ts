import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recorderOf } from '../../../../../server/engine/dynamic/report/recorder.ts';
import { testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';

const newRecorder = () => recorderOf(testMachine([]).machine);

test('endless events of one category leave room for the others in the time line', () => {
  const recorder = newRecorder();
  for (let count = 0; count < 6_000; count++) recorder.event('component', `started the activity ${count}`);
  recorder.event('sms', 'sent an SMS to 900123');
  assert.deepEqual(
    [recorder.timeline.length, recorder.timeline.at(-1)?.summary, [...recorder.limits]],
    [1_001, 'sent an SMS to 900123', ['timeline']],
  );
});

test('a full time line still takes what is rare', () => {
  const recorder = newRecorder();
  for (const category of ['call', 'camera', 'code', 'file', 'intent', 'network'] as const) {
    for (let count = 0; count < 1_000; count++) recorder.event(category, String(count));
  }
  assert.equal(recorder.timeline.length, 5_003);
  for (let count = 0; count < 10; count++) recorder.event('device-admin', `locked ${count}`);
  assert.deepEqual(
    recorder.timeline.slice(5_003).map(({ summary }) => summary),
    ['locked 0', 'locked 1', 'locked 2'],
  );
});

test('what happens again and again is one event, with its number and its last time', () => {
  const { machine } = testMachine([]);
  const recorder = recorderOf(machine);
  const peer = { host: 'c2.example', port: 443, isEncrypted: true };
  for (let count = 0; count < 50; count++) {
    recorder.netSend(peer, Buffer.from('beacon'));
    machine.skip(1000);
  }
  recorder.netSend(peer, Buffer.from('another'));
  assert.deepEqual(
    recorder.notes.sendnet.map(({ data, time, count, last }) => [
      Buffer.from(data).toString(),
      Math.round(time),
      count,
      Math.round(last),
    ]),
    [
      ['beacon', 0, 50, 49],
      ['another', 50, 1, 50],
    ],
  );
  assert.deepEqual(
    recorder.timeline.map(({ summary, count }) => [summary, count]),
    [
      ['sent 6 bytes to c2.example:443', 50],
      ['sent 7 bytes to c2.example:443', 1],
    ],
  );
});

test('a file that is written without end leaves room for the others', () => {
  const recorder = newRecorder();
  for (let count = 0; count < 3_000; count++) recorder.fileWrite('/sdcard/noise', Buffer.from(`line number ${count}`));
  recorder.fileWrite('/sdcard/plan', Buffer.from('the plan, long enough'));
  const names = recorder.notes.fileswritten.map(({ name }) => name);
  assert.deepEqual([names.length, names.at(-1), [...recorder.limits]], [501, '/sdcard/plan', ['fileswritten']]);
});

test('what is written byte by byte is one write, and the same written again is that write twice', () => {
  const recorder = newRecorder();
  for (const text of ['to do', 'done', 'to do']) {
    for (const letter of text) recorder.fileWrite('/sdcard/list', Buffer.from(letter));
    recorder.fileWrite('/sdcard/other', Buffer.from('.'));
  }
  assert.deepEqual(
    recorder.notes.fileswritten.map(({ name, data, count }) => [name, Buffer.from(data).toString(), count]),
    [
      ['/sdcard/list', 'to do', 2],
      ['/sdcard/other', '.', 3],
      ['/sdcard/list', 'done', 1],
    ],
  );
});
