import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Request, Response } from 'express';
import { sendStream } from '../../../server/api/sent-stream.ts';

const request = { method: 'GET' } as Request;

test('a body is sent to its end', async () => {
  const response = new PassThrough();
  const [sent] = await Promise.all([
    text(response),
    sendStream(request, response as unknown as Response, () => Readable.from(['one', 'two'])),
  ]);
  assert.equal(sent, 'onetwo');
});

test('what was opened for a client who has left meanwhile is closed, and that is no fault', async () => {
  const response = new PassThrough();
  const source = new PassThrough();
  await sendStream(request, response as unknown as Response, async () => {
    response.destroy();
    return source;
  });
  assert.equal(source.destroyed, true);
});
