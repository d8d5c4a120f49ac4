// A WebSocket as its server sees it: the answer that opens it, and frames. Knows no connection and no message.
// https://www.rfc-editor.org/rfc/rfc6455
import { createHash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from './internet.ts';

/** The GUID of the server's accept key, section 1.3. */
const proofSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Kinds of frames, section 5.2. */
export const frameKinds = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const isMaskedBit = 0x80;
const isLastBit = 0x80;

interface Frame {
  readonly kind: number;
  readonly content: Buffer;
}

/** The answer to a request that asks for a WebSocket; null where it does not. */
export function openingAnswer({ headers }: HttpRequest): HttpResponse | null {
  const header = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1];
  const key = header('sec-websocket-key');
  if (key === undefined || header('upgrade')?.toLowerCase() !== 'websocket') return null;
  const proof = createHash('sha1')
    .update(key + proofSuffix)
    .digest('base64');
  return {
    status: 101,
    reason: 'Switching Protocols',
    headers: [
      ['Upgrade', 'websocket'],
      ['Connection', 'Upgrade'],
      ['Sec-WebSocket-Accept', proof],
    ],
    body: new Uint8Array(0),
  };
}

/** The length of a frame's content in its second byte and, where it is larger, behind it. */
function lengthBytes(length: number): Buffer {
  if (length < 126) return Buffer.of(length);
  const bytes = Buffer.alloc(length < 0x10000 ? 3 : 9);
  bytes[0] = length < 0x10000 ? 126 : 127;
  bytes.writeUIntBE(length, length < 0x10000 ? 1 : 3, length < 0x10000 ? 2 : 6);
  return bytes;
}

/** A frame of a server, which masks nothing. */
export const serverFrame = (kind: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(isLastBit | kind), lengthBytes(content.length), content]);

/** The first frame that bytes begin with, and how many it takes; null while it is incomplete. */
export function clientFrame(bytes: Buffer): { readonly frame: Frame; readonly size: number } | null {
  if (bytes.length < 2) return null;
  const short = bytes[1]! & ~isMaskedBit;
  const lengthSize = short < 126 ? 0 : short === 126 ? 2 : 8;
  const isMasked = (bytes[1]! & isMaskedBit) !== 0;
  const maskAt = 2 + lengthSize;
  const from = maskAt + (isMasked ? 4 : 0);
  if (bytes.length < from) return null;
  const length = lengthSize === 0 ? short : lengthSize === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const size = from + length;
  if (bytes.length < size) return null;
  const content = Buffer.from(bytes.subarray(from, size));
  if (isMasked) for (let at = 0; at < length; at++) content[at] = content[at]! ^ bytes[maskAt + (at & 3)]!;
  return { frame: { kind: bytes[0]! & 0x0f, content }, size };
}
