// The bytes of the file that a request brings: the first file part of a form, or the body itself. Keeps none of them.

import type { Readable } from 'node:stream';
import type { Request } from 'express';
import { exactSize } from '../contract/quantity.ts';
import { Failure } from '../services/failure.ts';
import { refusePacked } from './content-encoding.ts';
import { multipartParser } from './multipart-parser.ts';
import { watchReceiving } from './receiving-watch.ts';

/** More parts before the file than any form has. */
const maxPartsBeforeFile = 100;

async function* guarded(request: Request, stream: Readable | Request, leave: () => void): AsyncGenerator<Buffer> {
  let isWaiting = false;
  let giveUp: (failure: Failure) => void = () => undefined;
  const endWatch = watchReceiving(
    request,
    () => isWaiting,
    () => giveUp(new Failure('body-too-slow')),
  );
  try {
    const chunks: AsyncIterator<Buffer> = stream.iterator({ destroyOnReturn: false });
    for (;;) {
      isWaiting = true;
      const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        giveUp = reject;
        chunks.next().then(resolve, reject);
      });
      isWaiting = false;
      if (next.done === true) break;
      yield next.value;
    }
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Failure) throw error;
    throw new Failure('upload-truncated');
  } finally {
    endWatch();
    leave();
  }
}

export interface UploadedFile {
  bytes: AsyncIterable<Buffer>;
  /** As its sender calls it in the form; empty where nothing says it. */
  name: string;
}

function firstFilePart(request: Request): Promise<UploadedFile> {
  const parser = multipartParser(request, { parts: maxPartsBeforeFile, fieldSize: 64 * 1024 });
  return new Promise((resolve, reject) => {
    let isFound = false;
    const endWatch = watchReceiving(
      request,
      () => true,
      () => {
        leave();
        reject(new Failure('body-too-slow'));
      },
    );
    /** The rest of the request is discarded, so that the client gets to read the answer. */
    const leave = () => {
      request.unpipe(parser);
      request.resume();
    };
    parser.on('file', (_field, stream, { filename }) => {
      if (isFound) {
        stream.on('error', leave).resume();
        return;
      }
      isFound = true;
      endWatch();
      // The reader of the part gets its errors; one that comes later must still find a listener.
      stream.on('error', leave);
      request.once('close', () => {
        if (!request.complete) stream.destroy(new Error('the request ended before its body'));
      });
      resolve({ bytes: guarded(request, stream, leave), name: filename ?? '' });
    });
    parser.on('error', () => {
      endWatch();
      leave();
      if (!isFound) reject(new Failure('upload-truncated'));
    });
    parser.on('close', () => {
      endWatch();
      if (!isFound) reject(new Failure('upload-without-file'));
    });
    request.on('error', () => {
      endWatch();
      reject(new Failure('upload-truncated'));
    });
    request.pipe(parser);
  });
}

/**
 * The uploaded file, its bytes to be read once.
 * @param maxBytes a request that announces more, with some room for a form around the file, is refused unread
 * @throws Failure `upload-without-file`, `upload-too-large`, `unsupported-body`, `body-too-slow`; while it is read
 *   `upload-truncated`, `body-too-slow`
 */
export async function uploadedFile(request: Request, maxBytes: number): Promise<UploadedFile> {
  const type = (request.headers['content-type'] ?? '').trim().toLowerCase();
  const isForm = type.startsWith('multipart/form-data');
  // Of other multipart types the parts' headers would be stored as bytes of the file.
  if (type.startsWith('multipart/') && !isForm) throw new Failure('unsupported-body', { type: type.slice(0, 100) });
  refusePacked(request);
  const formRoom = isForm ? 64 * 1024 : 0;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + formRoom) {
    request.resume();
    throw new Failure('upload-too-large', { limit: exactSize(maxBytes) });
  }
  if (isForm) return firstFilePart(request);
  return { bytes: guarded(request, request, () => request.resume()), name: '' };
}
