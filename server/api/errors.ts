// Turns whatever was thrown into an error answer. The only place that writes one; internals never leave it.

import type { ErrorRequestHandler, Request, Response } from 'express';
import type { FailureId } from '../contract/failure.ts';
import { exactSize } from '../contract/quantity.ts';
import { Failure, FieldFailure, SearchFailure, storageFailureOf } from '../services/failure.ts';
import { presentFieldErrors } from './presenters/field-errors.ts';

export interface ApiLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** The value that the error is about, cut: the client sent it. */
const named = (error: object, key: string): string => String(Reflect.get(error, key) ?? '').slice(0, 100);

/** What the body parsers of Express throw: an error with a status and a type. */
function failureOfParser(error: unknown): Failure | null {
  if (!(error instanceof Error) || !('status' in error)) return null;
  // Errors of decompression have no type.
  switch ('type' in error ? error.type : undefined) {
    case 'entity.too.large':
      return new Failure('body-too-large', { limit: exactSize(Number((error as { limit?: number }).limit)) });
    case 'encoding.unsupported':
      return new Failure('unsupported-body', { type: `Content-Encoding: ${named(error, 'encoding')}` });
    case 'charset.unsupported':
      return new Failure('unsupported-body', { type: `charset=${named(error, 'charset')}` });
    case 'entity.verify.failed':
      return new Failure('malformed-body', { reason: 'it is not valid UTF-8' });
    case 'entity.parse.failed':
      return new Failure('malformed-body', { reason: 'it is not valid JSON' });
    case 'request.aborted':
    case 'request.size.invalid':
      return new Failure('malformed-body', { reason: 'it ended too early' });
    default:
      return Number(error.status) < 500 ? new Failure('malformed-body', { reason: 'it is malformed' }) : null;
  }
}

function failureOf(error: unknown): Failure | FieldFailure | null {
  if (error instanceof Failure || error instanceof FieldFailure) return error;
  // Express decodes path segments, and throws where an escape is malformed: nothing has such an address.
  if (error instanceof URIError) return new Failure('not-found');
  return failureOfParser(error) ?? storageFailureOf(error);
}

/** After a refusal the rest of a large body is read away for so long, so that the client gets to read the answer. */
const lingerMilliseconds = 10_000;

function lingerOnly(request: Request, response: Response): void {
  if (request.complete) return;
  response.once('finish', () => {
    const { socket } = request;
    // The handler has stopped reading; the next request of this connection comes behind what is left.
    request.unpipe();
    request.resume();
    setTimeout(() => {
      if (!request.complete) socket.destroy();
    }, lingerMilliseconds).unref();
  });
}

/** Headers that described the answer which is replaced by the error. */
const ofContent = ['Content-Type', 'Content-Disposition', 'Content-Range', 'Accept-Ranges', 'ETag', 'Cache-Control'];
/** Failures that the owner has to act on. */
const ofStorage: readonly FailureId[] = ['storage-refused', 'catalogue-damaged', 'report-damaged'];

export function errorHandler(log: ApiLog): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const failure = failureOf(error);
    const requestId = response.getHeader('X-Request-Id');
    if (failure === null || (failure instanceof Failure && ofStorage.includes(failure.id)))
      log.error({ err: error, requestId, method: request.method, path: request.path }, 'request failed');
    if (response.headersSent) {
      // An answer that has begun can only be broken off, so that the client sees it is not whole.
      if (failure !== null) log.warn({ err: error, requestId, path: request.path }, 'answer broken off');
      response.destroy();
      return;
    }
    lingerOnly(request, response);
    for (const name of ofContent) response.removeHeader(name);
    if (failure instanceof FieldFailure) {
      response.status(400).json({ ...presentFieldErrors(failure.fields), ...failure.details });
      return;
    }
    const refused = failure ?? new Failure('internal');
    if (refused.status === 401) response.set('WWW-Authenticate', 'Token');
    if (refused.retryAfter !== null) response.set('Retry-After', String(refused.retryAfter));
    const position = refused instanceof SearchFailure ? { position: refused.position } : {};
    response.status(refused.status).json({ detail: refused.message, ...position });
  };
}
