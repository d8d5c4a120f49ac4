// Sends a body that comes as a stream. Knows nothing of what it holds.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';

/** Listeners on a response: Node's pipeline adds five to those of the log, the limits and the audit log. */
const maxListeners = 20;

/**
 * Sends a body piece by piece, as fast as the client reads; whoever asked for the head alone gets no body, and the source
 * is not opened for it.
 */
export async function sendStream(
  request: Request,
  response: Response,
  open: () => Readable | AsyncIterable<string> | Promise<Readable>,
): Promise<void> {
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const source = await open();
  if (response.destroyed) {
    // The client has left meanwhile: nobody else would close it.
    if (source instanceof Readable) source.destroy();
    return;
  }
  response.setMaxListeners(maxListeners);
  await pipeline(source, response).catch((error: NodeJS.ErrnoException) => {
    // A client may leave in the middle of a download; that is no fault of anybody's.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}
