// How arriving text becomes server-sent events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventParser } from '../../../renderer/api/event-stream.ts';

test('an event is told once its closing empty line is there, however the text was cut', () => {
  const text = 'event: job\r\ndata: {"id":\r\ndata: 1}\r\n\r\n: still here\n\nid: 7\ndata:plain\n\n';
  for (let size = 1; size <= text.length; size++) {
    const parser = new EventParser();
    const events = [];
    for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)));
    assert.deepEqual(events, [
      { type: 'job', data: '{"id":\n1}', id: null },
      { type: 'message', data: 'plain', id: '7' },
    ]);
  }
});

test('an event without data is none, and comments are passed over', () => {
  assert.deepEqual(new EventParser().push('event: job\n\n: comment\n\nretry: 5\n\n'), []);
});

test('a line without an end is refused before it fills the memory', () => {
  const parser = new EventParser();
  const chunk = 'x'.repeat(1024 * 1024);
  assert.throws(() => {
    for (let count = 0; count < 8; count++) parser.push(chunk);
  }, RangeError);
});
