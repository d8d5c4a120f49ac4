// Room on the disk, the retention rule and backups over HTTP, for the owner alone.
import {
  backupListSchema,
  backupRunSchema,
  backupScheduleSchema,
  newBackupSchema,
  storageSchema,
} from '../workstation/storage.ts';
import type { Operations } from './operation.ts';

export const storageOperations = {
  'GET /storage/': {
    summary: 'Room on the disk, and what the retention rule would delete now (owner)',
    access: 'token',
    policy: 'storage.manage',
    answers: { 200: storageSchema },
  },
  'GET /backups/': {
    summary: 'Backups, newest first, and the one under way (owner)',
    access: 'token',
    policy: 'storage.manage',
    answers: { 200: backupListSchema },
  },
  'POST /backups/': {
    summary: 'Starts a backup of the whole installation, or joins the one under way (owner)',
    access: 'token',
    policy: 'storage.manage',
    body: newBackupSchema,
    answers: { 202: backupRunSchema },
  },
  'GET /backup-schedule/': {
    summary: 'Backups by schedule: where to, how the last one ended, and when the next one is due (owner)',
    access: 'token',
    policy: 'storage.manage',
    answers: { 200: backupScheduleSchema },
  },
  'POST /backup-schedule/': {
    summary: 'Starts a backup into the folder of the schedule, or joins the one under way (owner)',
    access: 'token',
    policy: 'storage.manage',
    refusals: ['no-backup-folder'],
    answers: { 202: backupScheduleSchema },
  },
  'GET /backups/<name>/': {
    summary: 'A backup, by a signed link',
    isAudited: true,
    access: 'anybody',
    refusals: ['wrong-signature', 'link-lapsed'],
    answers: { 200: ['application/zip', 'application/octet-stream'] },
  },
  'DELETE /backups/<name>/': {
    summary: 'Deletes a backup (owner)',
    access: 'token',
    policy: 'storage.manage',
    answers: { 204: null },
  },
} satisfies Operations;
