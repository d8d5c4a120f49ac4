// A worker's end of the process line for workers that are not the engine's: hands out requests, sends whatever it is given.
import { read, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { encodeFrame, FrameReader } from '../../../server/contract/process-line/frames.ts';
import { inputDescriptor, type LineRequest, outputDescriptor } from '../../../server/contract/process-line/messages.ts';

const unlimited = { text: 2 ** 32 - 1, attached: 2 ** 32 - 1 };

/** Writes bytes as they are. */
function sendBytes(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(outputDescriptor, bytes, written);
}

/** Sends a frame of anything, whether or not it is a message. */
export function sendMessage(message: unknown): void {
  for (const piece of encodeFrame(message, unlimited)) sendBytes(piece);
}

/** Hands out requests as they come until the line ends, and ends the process then. */
export async function serveRequests(answer: (request: LineRequest) => unknown): Promise<never> {
  const reader = new FrameReader();
  const chunk = Buffer.alloc(65_536);
  for (;;) {
    const { bytesRead } = await promisify(read)(inputDescriptor, chunk, 0, chunk.length, null);
    if (bytesRead === 0) process.exit(0);
    for (const request of reader.read(chunk.subarray(0, bytesRead), () => unlimited)) {
      void answer(request as LineRequest);
    }
  }
}
