// Imports of files of the workstation's machine, over HTTP.
import { pageQuerySchema } from '../list.ts';
import {
  importChangesSchema,
  importRefusalsSchema,
  importSchema,
  importsSchema,
  newImportSchema,
} from '../workstation/import.ts';
import type { Operations } from './operation.ts';

const owners = { access: 'token', policy: 'folders.watch' } as const;

export const importOperations = {
  'GET /imports/': {
    summary: "Imports of files of the workstation's machine, the newest first (owner)",
    ...owners,
    answers: { 200: importsSchema },
  },
  'POST /imports/': {
    summary: "Begins to import a file, an archive or a folder of the workstation's machine (owner)",
    ...owners,
    body: newImportSchema,
    answers: { 201: importSchema },
  },
  'GET /imports/<id>/': {
    summary: 'How far an import is (owner)',
    ...owners,
    answers: { 200: importSchema },
  },
  'PATCH /imports/<id>/': {
    summary: 'Stops an import, or has it go on where it stopped (owner)',
    ...owners,
    body: importChangesSchema,
    answers: { 200: importSchema },
  },
  'DELETE /imports/<id>/': {
    summary: 'Stops and forgets an import; what it brought stays (owner)',
    ...owners,
    answers: { 204: null },
  },
  'GET /imports/<id>/refused/': {
    summary: 'What an import refused, and why, the newest first (owner)',
    ...owners,
    query: pageQuerySchema,
    answers: { 200: importRefusalsSchema },
  },
  'POST /imports/<id>/retry/': {
    summary: 'Tries again what an import refused (owner)',
    ...owners,
    answers: { 200: importSchema },
  },
} satisfies Operations;
