// Libraries whose methods tell nothing of an app over HTTP: imported, shown, removed.
import { jobSchema } from '../jobs/job.ts';
import { librariesSchema, libraryImportQuerySchema } from '../jobs/library.ts';
import type { Operations } from './operation.ts';

export const libraryOperations = {
  'GET /libraries/': {
    summary: 'The libraries whose methods count nothing when APKs are compared, and what became of imports',
    access: 'token',
    answers: { 200: librariesSchema },
  },
  'POST /libraries/': {
    summary:
      'Imports a JAR, an AAR, a ZIP of them, or the libraries of an APK, in the place of the same version (owner)',
    access: 'token',
    policy: 'libraries.manage',
    body: 'file',
    query: libraryImportQuerySchema,
    answers: { 202: jobSchema },
  },
  'DELETE /libraries/<name>/': {
    summary: 'Removes all versions of a library; its methods count again (owner)',
    access: 'token',
    policy: 'libraries.manage',
    answers: { 204: null },
  },
} satisfies Operations;
