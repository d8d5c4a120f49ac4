import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from '../../../server/contract/failure.ts';

test('every refusal has an error status and a message in whole sentences', () => {
  for (const [id, { status, message }] of Object.entries(failures)) {
    assert.ok(status >= 400 && status < 600, id);
    // Where the reason is the whole message, it comes in sentences of its own.
    assert.match(message, /^([A-Z].*\.|\{reason\})$/, id);
  }
});
