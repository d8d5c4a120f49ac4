// What is inside an APK over HTTP: bytes of its files, resources, code.
import type { Response } from 'express';
import { z } from 'zod';
import {
  classQuerySchema,
  codeClassSchema,
  codeOutlineSchema,
  codePackageSchema,
  codeSearchPageSchema,
  codeSearchQuerySchema,
  contentQuerySchema,
  type Exploration,
  entryQuerySchema,
  packageQuerySchema,
  permissionUsesSchema,
  referencePageSchema,
  referenceQuerySchema,
  resourceOutlineSchema,
  resourcePageSchema,
  resourceQuerySchema,
  xmlTextSchema,
} from '../../contract/exploration.ts';
import { sha256Schema } from '../../contract/list.ts';
import { Failure } from '../../services/failure.ts';
import { type Operation, ok, operation, type Resource } from '../operation.ts';

/** Whatever the bytes are, a browser saves them: it neither shows nor runs nor guesses. */
function sendBytes(response: Response, bytes: Uint8Array, headers: Record<string, string>): void {
  response.set({
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(bytes.length),
    ...headers,
  });
  response.end(bytes);
}

const content = operation(
  {
    summary: 'Bytes of a file inside the APK, or of the APK itself',
    access: 'token',
    querySchema: contentQuerySchema,
    refusals: ['content-unreadable', 'exploration-failed'],
    answers: { 200: ['application/octet-stream'] },
  },
  async ({ response, params, query, account, services: { explorer } }) => {
    const { bytes, size } = await explorer.ask(account, params.sha256!, { ask: 'content', ...query });
    sendBytes(response, bytes, {
      'Content-Type': 'application/octet-stream',
      // Never the entry's own name: it is the APK author's.
      'Content-Disposition': 'attachment; filename="content.bin"',
      'X-Content-Size': String(size),
    });
    return null;
  },
);

const image = operation(
  {
    summary: 'A raster image inside the APK, known by its own signature',
    access: 'token',
    querySchema: entryQuerySchema,
    refusals: ['content-unreadable', 'exploration-failed'],
    answers: { 200: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] },
  },
  async ({ response, params, query, account, services: { explorer } }) => {
    const { bytes, mediaType } = await explorer.ask(account, params.sha256!, { ask: 'image', ...query });
    sendBytes(response, bytes, { 'Content-Type': mediaType, 'Content-Disposition': 'inline; filename="image"' });
    return null;
  },
);

const artefact = operation(
  {
    summary: 'Bytes that the app loaded or wrote while it was run, by their SHA-256 in the dynamic report',
    access: 'token',
    answers: { 200: ['application/octet-stream'] },
  },
  async ({ response, params, services: { catalogue, dynamicAnalyses } }) => {
    const apk = await catalogue.get(params.sha256!);
    const sha256 = sha256Schema.safeParse(params.artefact);
    if (!sha256.success) throw new Failure('not-found');
    sendBytes(response, await dynamicAnalyses.artefact(apk.id, sha256.data), {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${sha256.data}.bin"`,
    });
    return null;
  },
);

/** An address whose query, with the name of the question, is what the worker is asked. */
function question<K extends Exploration['ask'], Q extends z.ZodType>(
  ask: K,
  summary: string,
  querySchema: Q,
  answer: z.ZodType,
): Operation {
  return operation(
    {
      summary,
      access: 'token',
      querySchema,
      refusals: ['content-unreadable', 'exploration-failed'],
      answers: { 200: answer },
    },
    async ({ params, query, account, services: { explorer } }) => {
      const asked = { ask, ...(query as object) } as Extract<Exploration, { ask: K }>;
      return ok(await explorer.ask(account, params.sha256!, asked));
    },
  );
}

export const apkContentResources: Resource[] = [
  { path: '/apks/:sha256/files/content', operations: { get: content } },
  { path: '/apks/:sha256/files/image', operations: { get: image } },
  { path: '/apks/:sha256/artefacts/:artefact', operations: { get: artefact } },
  {
    path: '/apks/:sha256/files/xml',
    operations: { get: question('xml', 'A binary XML file inside the APK as text', entryQuerySchema, xmlTextSchema) },
  },
  {
    path: '/apks/:sha256/resources',
    operations: {
      get: question('resource-outline', 'Types of the resource table', z.object({}), resourceOutlineSchema),
    },
  },
  {
    path: '/apks/:sha256/resources/values',
    operations: {
      get: question('resources', 'Resources with their values', resourceQuerySchema, resourcePageSchema),
    },
  },
  {
    path: '/apks/:sha256/code',
    operations: { get: question('code-outline', 'The dex files of the app', z.object({}), codeOutlineSchema) },
  },
  {
    path: '/apks/:sha256/code/classes',
    operations: {
      get: question('package', 'Packages and classes of a package', packageQuerySchema, codePackageSchema),
    },
  },
  {
    path: '/apks/:sha256/code/class',
    operations: { get: question('class', 'A class with its smali', classQuerySchema, codeClassSchema) },
  },
  {
    path: '/apks/:sha256/code/references',
    operations: {
      get: question('references', 'Callers or callees of code', referenceQuerySchema, referencePageSchema),
    },
  },
  {
    path: '/apks/:sha256/code/search',
    operations: {
      get: question(
        'code-search',
        'Searches names and constants of all code',
        codeSearchQuerySchema,
        codeSearchPageSchema,
      ),
    },
  },
  {
    path: '/apks/:sha256/code/permissions',
    operations: {
      get: question('permission-uses', 'Code that uses what permissions guard', z.object({}), permissionUsesSchema),
    },
  },
];
