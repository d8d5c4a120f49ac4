// Sends JSON that is stored in pieces, without joining megabytes of it first. Knows nothing of its content.
import type { Response } from 'express';

/** Sends these pieces as one JSON text. */
export function sendJsonPieces(response: Response, pieces: readonly (string | Buffer)[]): void {
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  response.type('json').set('Content-Length', String(length));
  // Node leaves the body out where only the head was asked for.
  for (const piece of pieces) response.write(piece);
  response.end();
}
