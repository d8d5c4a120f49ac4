// Bytes of APKs over HTTP: uploads, downloads and icons, by token or by signed link.
import { z } from 'zod';
import { apkDetailSchema, uploadQuerySchema } from '../catalogue/apk.ts';
import { sha256Schema, signedQuerySchema } from '../list.ts';
import type { Operations } from './operation.ts';

/** The answer to a guest who must not learn what is held. */
const receivedSchema = z.object({ sha256: sha256Schema, size: z.number().int() });

const uploadAnswers = { 201: apkDetailSchema, 200: apkDetailSchema };

const apkTypes = ['application/vnd.android.package-archive'] as const;

/** What an icon may be; anything else is sent as bytes that no browser shows. */
export const iconTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml'] as const;

export const fileOperations = {
  'POST|PUT /uploads/': {
    summary: 'Uploads an APK whose hash need not be known',
    access: 'token',
    body: 'file',
    query: uploadQuerySchema,
    answers: uploadAnswers,
  },
  'POST|PUT /uploads/<sha256>/': {
    summary: 'Uploads the APK that a link was made for, for the analyst whose token is sent along, if any',
    // A stale token in a client's session must not keep a signed link from working.
    access: 'lenient',
    body: 'file',
    query: signedQuerySchema,
    refusals: ['wrong-signature', 'link-lapsed', 'wrong-sha256', 'not-authenticated'],
    answers: { ...uploadAnswers, 201: z.union([apkDetailSchema, receivedSchema]) },
  },
  'GET /downloads/<name>/': {
    summary: 'The file of an APK, or a ZIP archive with it that the password `infected` opens, by a signed link',
    isAudited: true,
    access: 'anybody',
    query: signedQuerySchema,
    refusals: ['wrong-signature', 'link-lapsed', 'range-not-satisfiable'],
    answers: { 200: [...apkTypes, 'application/zip'], 206: apkTypes, 304: null },
  },
  'GET /icons/<sha256>/': {
    summary: "The icon of an APK's app, by the link in its record",
    access: 'anybody',
    query: signedQuerySchema.pick({ signature: true }),
    refusals: ['wrong-signature'],
    answers: { 200: [...iconTypes, 'application/octet-stream'] },
  },
} satisfies Operations;
