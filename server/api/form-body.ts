// Reads JSON, urlencoded and multipart bodies into one kind of record. Uploads of files have their own way.

import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { exactSize } from '../contract/quantity.ts';
import { Failure } from '../services/failure.ts';
import { refusePacked } from './content-encoding.ts';
import { multipartParser } from './multipart-parser.ts';
import { watchReceiving } from './receiving-watch.ts';

/** Bytes of a body without files: a ruleset of some thousand rules still fits. */
const maxKnownBody = 8 * 1024 * 1024;
/** Bytes of a body without a token, such as a log-in. Bodies are held in memory. */
const maxAnonymousBody = 64 * 1024;
const maxFields = 200;

/** Field names that would change an object's prototype. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

/** Puts `profile.biography` into `{profile: {biography}}`; later values of a name replace earlier ones. */
export function nestedFields(fields: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, value] of fields) {
    const path = name.split('.');
    if (path.length > 4 || path.some((part) => part === '' || forbiddenNames.has(part))) continue;
    const last = path.pop()!;
    let inner = record;
    for (const part of path) {
      const next = inner[part];
      if (typeof next !== 'object' || next === null) inner[part] = {};
      inner = inner[part] as Record<string, unknown>;
    }
    inner[last] = value;
  }
  return record;
}

async function readMultipart(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  refusePacked(request);
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    const malformed = () => reject(new Failure('malformed-body', { reason: 'the form is malformed' }));
    const tooLarge = () => reject(new Failure('body-too-large', { limit: exactSize(maxBytes) }));
    const limits = { fields: maxFields, fieldSize: maxBytes, parts: maxFields };
    const parser = multipartParser(request, limits);
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.unpipe(parser);
        tooLarge();
      }
    });
    // A part may come without a name, whatever the types say.
    parser.on('field', (name: string | undefined, value, info) => {
      if (info.valueTruncated || info.nameTruncated) tooLarge();
      else fields.push([name ?? '', value]);
    });
    // A field sent as a file part is a field: some clients send every part so. A picture is one too, as a data URL.
    parser.on('file', (name: string | undefined, stream, { mimeType }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', malformed);
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const isPicture = /^image\//i.test(mimeType);
        fields.push([
          name ?? '',
          isPicture ? `data:${mimeType};base64,${bytes.toString('base64')}` : bytes.toString('utf8'),
        ]);
      });
    });
    parser.on('error', malformed);
    parser.on('close', () => resolve(nestedFields(fields)));
    request.on('error', malformed);
    request.pipe(parser);
  });
}

/** Refuses what is not UTF-8, which decoding would silently replace. Express reports what it throws as `entity.verify.failed`. */
function verifyUtf8(_request: unknown, _response: unknown, body: Buffer, charset: string): void {
  if (charset === 'utf-8' && !isUtf8(body)) throw new Error('not UTF-8');
}

/**
 * Reads the body of a request into `request.body`, a record; an empty body is an empty record.
 * @throws Failure `malformed-body`, `body-too-large`, `unsupported-body`, `body-too-slow`
 */
function formBody(maxBytes: number): RequestHandler {
  // The caller has checked the type.
  const readJson = express.json({ limit: maxBytes, strict: false, type: () => true, verify: verifyUtf8 });
  const readText = express.text({ limit: maxBytes, type: 'application/x-www-form-urlencoded' });
  return (request, response, next) => {
    const endWatch = watchReceiving(
      request,
      () => true,
      () => done(new Failure('body-too-slow')),
    );
    let isDone = false;
    const done = (error?: unknown) => {
      if (isDone) return;
      isDone = true;
      endWatch();
      request.body ??= {};
      next(error);
    };
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
    if (!hasBody) {
      request.body = {};
      done();
    } else if (type === 'multipart/form-data') {
      readMultipart(request, maxBytes).then((fields) => {
        request.body = fields;
        done();
      }, done);
    } else if (type === 'application/x-www-form-urlencoded') {
      readText(request, response, (error: unknown) => {
        if (error === undefined) request.body = nestedFields(new URLSearchParams(String(request.body ?? '')));
        done(error);
      });
    } else if (type === 'application/json' || type === '' || type.endsWith('+json')) {
      readJson(request, response, done);
    } else {
      done(new Failure('unsupported-body', { type: request.headers['content-type'] ?? '' }));
    }
  };
}

export const knownBody = formBody(maxKnownBody);
export const anonymousBody = formBody(maxAnonymousBody);
