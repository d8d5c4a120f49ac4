// The worker's end of the line to the service side, read and written as files are: a worker has no sockets. Knows no message.
import { read, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { encodeFrame, type FrameLimits, FrameReader } from '../contract/process-line/frames.ts';
import { inputDescriptor, outputDescriptor } from '../contract/process-line/limits.ts';

const readBytes = promisify(read);
const chunkLength = 65_536;

/**
 * Blocks until the service side has taken it, also in the middle of an analysis.
 * @throws LineFault where it is larger than may be
 */
export function sendMessage(message: unknown, limits: FrameLimits): void {
  for (const piece of encodeFrame(message, limits)) {
    for (let written = 0; written < piece.length; ) written += writeSync(outputDescriptor, piece, written);
  }
}

/** What the service side sends, until it is gone. */
export async function* receivedMessages(limits: FrameLimits): AsyncGenerator<unknown> {
  const reader = new FrameReader();
  const chunk = Buffer.alloc(chunkLength);
  for (;;) {
    const { bytesRead } = await readBytes(inputDescriptor, chunk, 0, chunkLength, null);
    if (bytesRead === 0) return;
    for (const { message } of reader.read(chunk.subarray(0, bytesRead), () => limits)) yield message;
  }
}
