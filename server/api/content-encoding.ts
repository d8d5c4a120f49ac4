// Refuses packed bodies where bytes are read as they come: forms with files, and files. Knows nothing of what they hold.
import type { IncomingMessage } from 'node:http';
import { Failure } from '../services/failure.ts';

/** Small bodies are unpacked as they are read; files, which may be of any size, are not. @throws Failure `unsupported-body` */
export function refusePacked({ headers }: IncomingMessage): void {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return;
  throw new Failure('unsupported-body', { type: `Content-Encoding: ${encoding.slice(0, 100)}` });
}
