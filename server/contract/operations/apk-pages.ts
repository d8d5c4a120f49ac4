// Pages about APKs for people, over HTTP.
import { apkPageQuerySchema } from '../catalogue/apk-page.ts';
import type { Operations } from './operation.ts';

export const apkPageOperations = {
  'GET /apks/<sha256>/page/': {
    summary: 'A page about an APK for people: one HTML file that opens anywhere and runs and loads nothing',
    access: 'token',
    limit: 'apk-analysis',
    query: apkPageQuerySchema,
    answers: { 200: ['text/html'] },
  },
} satisfies Operations;
