// Room on the disk, the retention rule and backups over HTTP, for the owner alone.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { backupListSchema, backupRunSchema, newBackupSchema, storageSchema } from '../../contract/storage.ts';
import { Failure } from '../../services/failure.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import { isAllowed } from '../../services/policies.ts';
import { type BackupFile, isSealedName } from '../../services/sharing/backups.ts';
import { queryOf } from '../addressing.ts';
import { noContent, ok, operation, type Resource } from '../operation.ts';
import { type Presenting, timestamp } from '../presenters/presenting.ts';
import { sendStream } from '../sent-stream.ts';

function check(account: AccountRecord): void {
  if (!isAllowed(account, 'storage.manage')) throw new Failure('not-allowed');
}

const show = operation(
  {
    summary: 'Room on the disk, and what the retention rule would delete now (owner)',
    access: 'token',
    answers: { 200: storageSchema },
  },
  async ({ account, services: { storage } }) => {
    check(account);
    const report = await storage.report();
    const { days, includesEngaged, due } = await storage.retention();
    return ok({
      folder: report.folder,
      apks: report.apks,
      apk_bytes: report.apkBytes,
      database_bytes: report.databaseBytes,
      report_bytes: report.reportBytes,
      feed_bytes: report.feedBytes,
      backup_bytes: report.backupBytes,
      cache_bytes: report.cacheBytes,
      free_bytes: report.freeBytes,
      disk_bytes: report.diskBytes,
      retention: { days, includes_engaged: includesEngaged, due_apks: due.apks, due_bytes: due.bytes },
    });
  },
);

function presentBackup({ baseUrl, links }: Presenting, { name, isSealed, size, createdAt }: BackupFile) {
  const query = new URLSearchParams({ ...links.sign('backup', name) });
  return {
    name,
    is_sealed: isSealed,
    size,
    created_at: timestamp(createdAt),
    download_url: `${baseUrl}/backups/${name}?${query}`,
  };
}

const list = operation(
  {
    summary: 'Backups, newest first, and the one under way (owner)',
    access: 'token',
    answers: { 200: backupListSchema },
  },
  async ({ account, presenting, services: { backups } }) => {
    check(account);
    const results = (await backups.list()).map((file) => presentBackup(presenting, file));
    return ok({ count: results.length, next: null, previous: null, run: backups.run, results });
  },
);

const start = operation(
  {
    summary: 'Starts a backup of the whole installation, or joins the one under way (owner)',
    access: 'token',
    bodySchema: newBackupSchema,
    answers: { 202: backupRunSchema },
  },
  ({ account, body, services: { backups } }) => {
    check(account);
    const { passphrase = null, with_authority: withAuthority = false } = body;
    const run = backups.start({ passphrase, withAuthority });
    return { status: 202, body: run, noted: { subject: run.name } };
  },
);

const download = operation(
  {
    summary: 'A backup, by a signed link',
    isAudited: true,
    access: 'anybody',
    refusals: ['wrong-signature', 'link-lapsed'],
    answers: { 200: ['application/zip', 'application/octet-stream'] },
  },
  async ({ request, response, params, services: { backups, links } }) => {
    const name = params.name!;
    links.check('backup', name, queryOf(request));
    const path = backups.path(name);
    response.set({
      'Content-Type': isSealedName(name) ? 'application/octet-stream' : 'application/zip',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Length': String((await stat(path)).size),
    });
    await sendStream(request, response, () => createReadStream(path));
    return null;
  },
);

const remove = operation(
  { summary: 'Deletes a backup (owner)', access: 'token', answers: { 204: null } },
  async ({ account, params, services: { backups } }) => {
    check(account);
    await backups.remove(params.name!);
    return noContent;
  },
);

export const storageResources: Resource[] = [
  { path: '/storage', operations: { get: show } },
  { path: '/backups', operations: { get: list, post: start } },
  { path: '/backups/:name', operations: { get: download, delete: remove } },
];
