// Room on the disk, the retention rule and backups over HTTP, for the owner alone.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { storageOperations } from '../../contract/operations/storage.ts';
import { isSealedName } from '../../services/sharing/backups.ts';
import { queryOf } from '../addressing.ts';
import { accepted, type Handlers, noContent, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentBackup, presentSchedule, presentStorage } from '../presenters/storage.ts';
import { sendStream } from '../sent-stream.ts';

export const storageHandlers: Handlers<typeof storageOperations> = {
  'GET /storage/': async ({ services: { storage } }) => {
    return ok(presentStorage(await storage.report(), await storage.retention()));
  },

  'GET /backups/': async ({ presenting, services: { backups } }) => {
    const results = (await backups.list()).map((file) => presentBackup(presenting, file));
    return ok({ ...wholeList(results), run: backups.run });
  },

  'POST /backups/': ({ body, services: { backups } }) => {
    const { passphrase = null, with_authority: withAuthority = false } = body;
    const run = backups.start({ passphrase, withAuthority });
    return accepted(run, { subject: run.name });
  },

  'GET /backup-schedule/': async ({ services: { scheduledBackups } }) =>
    ok(presentSchedule(await scheduledBackups.schedule())),

  'POST /backup-schedule/': async ({ services: { scheduledBackups } }) => {
    await scheduledBackups.start();
    const schedule = await scheduledBackups.schedule();
    return accepted(presentSchedule(schedule), { subject: schedule.folder });
  },

  'GET /backups/<name>/': async ({ request, response, params, services: { backups, links } }) => {
    const name = params.name;
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

  'DELETE /backups/<name>/': async ({ params, services: { backups } }) => {
    await backups.remove(params.name);
    return noContent;
  },
};
