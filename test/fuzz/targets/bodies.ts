// Fuzz target: bodies of requests: forms, fields and files in parts, JSON. The first line says of which type the rest is.
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { anonymousBody } from '../../../server/api/form-body.ts';
import { uploadedFile } from '../../../server/api/uploaded-file.ts';
import { Failure } from '../../../server/services/failure.ts';
import { type FuzzTarget, texts } from '../target.ts';

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
const part = (head: string, content: string) => `--b\nContent-Disposition: form-data; ${head}\n\n${content}\n`;

/** Of Express's own readers, told from faults by the status that they come with. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Failure || (error instanceof Error && 'status' in error && Number(error.status) < 500);

function requestOf(type: string, body: Uint8Array): Request {
  const headers = { 'content-type': type, 'content-length': `${body.length}` };
  return Object.assign(Readable.from([body]), {
    headers,
    complete: true,
    socket: { bytesRead: 0 },
  }) as unknown as Request;
}

export const target: FuzzTarget = {
  subject: ['api/form-body', 'api/uploaded-file'],
  isText: true,
  samples: texts(
    `multipart/form-data; boundary=b\n${crlf(`${part('name="note"', 'x')}${part('name="file"; filename="../a.apk"\nContent-Type: application/zip', 'PK')}--b--\n`)}`,
    `multipart/form-data; boundary=b\n${crlf(`${part('name="a.b"', '1')}${part('name="p"; filename="p.png"\nContent-Type: image/png', 'x')}--b--\n`)}`,
    'application/x-www-form-urlencoded\nprofile.biography=a%20b&x=%ff&__proto__.y=1',
    'application/json; charset=utf-8\n{"a": {"__proto__": 1}, "b": [1e400, "\\ud800"]}',
    'application/octet-stream\nPK',
  ),
  words: [
    "filename*=utf-8''%ff",
    'boundary=',
    '--b--',
    '\r\n',
    '\r\n\r\n',
    'Content-Transfer-Encoding: base64',
    '__proto__',
    'name=',
  ],
  async run(input) {
    const bytes = Buffer.from(input);
    const end = bytes.indexOf('\n');
    const type = bytes.subarray(0, Math.max(end, 0)).toString('latin1');
    const body = bytes.subarray(end + 1);
    const fields = await new Promise((resolve, reject) => {
      const request = requestOf(type, body);
      const next = (error?: unknown) =>
        error === undefined ? resolve(request.body) : isRefusal(error) ? resolve(String(error)) : reject(error);
      anonymousBody(request, {} as Response, next);
    });
    const pieces: Buffer[] = [];
    try {
      const { bytes } = await uploadedFile(requestOf(type, body), 1_000_000);
      for await (const piece of bytes) pieces.push(piece);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    return [fields, Buffer.concat(pieces).toString('latin1')];
  },
};
