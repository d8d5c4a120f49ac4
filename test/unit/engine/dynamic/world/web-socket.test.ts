import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printHttpHead } from '../../../../../server/engine/dynamic/world/internet.ts';
import {
  clientFrame,
  frameKinds,
  openingAnswer,
  serverFrame,
} from '../../../../../server/engine/dynamic/world/web-socket.ts';

const asking = (headers: readonly (readonly [string, string])[]) =>
  openingAnswer({ scheme: 'http', host: 'h', port: 80, path: '/', method: 'GET', headers, body: new Uint8Array(0) });

test('a request that asks for a WebSocket gets the proof of RFC 6455, another none', () => {
  const answer = asking([
    ['upgrade', 'WebSocket'],
    ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ]);
  assert.match(
    printHttpHead(answer!),
    /^HTTP\/1\.1 101 .*\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n\r\n$/s,
  );
  assert.equal(asking([['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ==']]), null);
  assert.equal(asking([['Upgrade', 'websocket']]), null);
});

test('a masked frame is read as what it said once it is whole', () => {
  // The masked "Hello" of RFC 6455, 5.7.
  const bytes = Buffer.from('818537fa213d7f9f4d5158', 'hex');
  for (let length = 0; length < bytes.length; length++) assert.equal(clientFrame(bytes.subarray(0, length)), null);
  const read = clientFrame(Buffer.concat([bytes, bytes]));
  assert.deepEqual([read?.frame.kind, read?.frame.content.toString(), read?.size], [frameKinds.text, 'Hello', 11]);
});

test('frames of any length come back as they went', () => {
  for (const length of [0, 125, 126, 65_535, 65_536]) {
    const frame = serverFrame(frameKinds.binary, Buffer.alloc(length, 7));
    assert.equal(clientFrame(frame)?.frame.content.length, length);
    assert.equal(clientFrame(frame)?.size, frame.length);
  }
});

test('a frame that says it is longer than any memory is waited for', () => {
  assert.equal(clientFrame(Buffer.from('82ffffffffffffffffff00000000', 'hex')), null);
});
