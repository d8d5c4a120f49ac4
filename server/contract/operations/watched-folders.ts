// Folders of the workstation's machine whose files are taken in, over HTTP.
import {
  newWatchedFolderSchema,
  retriedFilesSchema,
  watchedFilesQuerySchema,
  watchedFilesSchema,
  watchedFolderChangesSchema,
  watchedFolderSchema,
  watchedFoldersSchema,
} from '../workstation/watched-folder.ts';
import type { Operations } from './operation.ts';

const owners = { access: 'token', policy: 'folders.watch' } as const;

export const watchedFolderOperations = {
  'GET /watched-folders/': {
    summary: 'Folders whose files are taken in, by path (owner)',
    ...owners,
    answers: { 200: watchedFoldersSchema },
  },
  'POST /watched-folders/': {
    summary: "Has a folder of the workstation's machine watched (owner)",
    ...owners,
    body: newWatchedFolderSchema,
    answers: { 201: watchedFolderSchema },
  },
  'PATCH /watched-folders/<id>/': {
    summary: 'Changes how a folder is watched (owner)',
    ...owners,
    body: watchedFolderChangesSchema,
    answers: { 200: watchedFolderSchema },
  },
  'DELETE /watched-folders/<id>/': {
    summary: 'Watches a folder no more; its files and APKs stay (owner)',
    ...owners,
    answers: { 204: null },
  },
  'GET /watched-folders/<id>/files/': {
    summary: 'What became of the newest 200 files of a folder (owner)',
    ...owners,
    query: watchedFilesQuerySchema,
    answers: { 200: watchedFilesSchema },
  },
  'POST /watched-folders/<id>/retry/': {
    summary: 'Takes those files of a folder again of which something was refused (owner)',
    ...owners,
    answers: { 200: retriedFilesSchema },
  },
} satisfies Operations;
