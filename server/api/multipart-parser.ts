// The parser for forms of several parts, which everything that reads such forms shares. Knows nothing of what is in them.
import busboy from 'busboy';
import type { Request } from 'express';
import { Failure } from '../services/failure.ts';

/**
 * A parser for the body of a request. A file behind the form's end is an error of the parser: busboy goes on in the chunk
 * with the end in it, and would wait for ever for the end of such a file.
 * @throws Failure `malformed-body` where the request's headers name no parts
 */
export function multipartParser({ headers }: Request, limits: busboy.Limits): busboy.Busboy {
  try {
    const parser = busboy({ headers, limits }) as busboy.Busboy & { _complete: boolean };
    return parser.on('file', () => {
      if (parser._complete) parser.destroy(new Error('a file behind the end of the form'));
    });
  } catch {
    throw new Failure('malformed-body', { reason: 'the form is malformed' });
  }
}
