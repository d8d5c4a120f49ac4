// Sends JSON that lies there in pieces, without putting megabytes of it together first. Knows nothing of what it says.
import type { Response } from 'express';

/** Sends these pieces as one JSON text. */
export function sendJsonPieces(response: Response, pieces: readonly (string | Buffer)[]): void {
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  response.type('json').set('Content-Length', String(length));
  // Node leaves the body out where only the head was asked for.
  for (const piece of pieces) response.write(piece);
  response.end();
}
