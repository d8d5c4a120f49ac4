import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recorderOf } from '../../../../../server/engine/dynamic/report/recorder.ts';
import { testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';

test('endless events of one category leave room for the others in the time line', () => {
  const recorder = recorderOf(testMachine([]).machine);
  for (let count = 0; count < 6_000; count++) recorder.event('component', `started the activity ${count}`);
  recorder.event('sms', 'sent an SMS to 900123');
  assert.deepEqual(
    [recorder.timeline.length, recorder.timeline.at(-1)?.summary, [...recorder.limits]],
    [1_001, 'sent an SMS to 900123', ['timeline']],
  );
  for (const category of ['call', 'camera', 'code', 'file', 'intent', 'network'] as const) {
    for (let count = 0; count < 1_000; count++) recorder.event(category, '');
  }
  assert.equal(recorder.timeline.length, 5_000);
});
