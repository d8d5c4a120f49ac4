// Sends a file, or the range of it that is asked for (RFC 9110 section 14). Knows nothing of what it holds.
import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { Failure } from '../services/failure.ts';
import { byteRangeOf } from './byte-range.ts';
import { sendStream } from './sent-stream.ts';

/**
 * Sends a file, whose own headers are set.
 * @param size bytes
 * @param tag its ETag; null: none, and whoever asks for a range of what he has begun to read gets the whole
 * @param open the bytes `[start, end)`
 */
export async function sendRanged(
  request: Request,
  response: Response,
  { size, tag }: { size: number; tag: string | null },
  open: (start: number, end: number) => Readable | Promise<Readable>,
): Promise<void> {
  const ifRange = request.get('if-range');
  const range = byteRangeOf(ifRange === undefined || ifRange === tag ? request.headers.range : undefined, size);
  response.set('Accept-Ranges', 'bytes');
  if (tag !== null) response.set('ETag', tag);
  if (range === 'unsatisfiable') {
    response.removeHeader('Content-Disposition');
    response.set('Content-Range', `bytes */${size}`).status(416).type('json');
    response.json({ detail: new Failure('range-not-satisfiable').message });
    return;
  }
  const { start, end } = range ?? { start: 0, end: size };
  if (range !== null) response.status(206).set('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  response.set('Content-Length', String(end - start));
  await sendStream(request, response, () => open(start, end));
}
