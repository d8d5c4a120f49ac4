// Room on the disk and backups in their current shape.
import type { z } from 'zod';
import type { backupListSchema, backupScheduleSchema, storageSchema } from '../../contract/workstation/storage.ts';
import type { Storage } from '../../services/catalogue/storage.ts';
import type { BackupFile } from '../../services/sharing/backups.ts';
import type { BackupSchedule } from '../../services/sharing/scheduled-backups.ts';
import { type Presenting, timestamp } from './presenting.ts';

export const presentStorage = (
  report: Awaited<ReturnType<Storage['report']>>,
  { days, includesEngaged, due }: Awaited<ReturnType<Storage['retention']>>,
): z.infer<typeof storageSchema> => ({
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

export function presentBackup(
  { baseUrl, links }: Presenting,
  { name, isSealed, size, createdAt }: BackupFile,
): z.infer<typeof backupListSchema>['results'][number] {
  const query = new URLSearchParams({ ...links.sign('backup', name) });
  return {
    name,
    is_sealed: isSealed,
    size,
    created_at: timestamp(createdAt),
    download_url: `${baseUrl}/backups/${name}?${query}`,
  };
}

const presentRun = (run: BackupSchedule['last']): z.infer<typeof backupScheduleSchema>['last'] => {
  if (run === null) return null;
  const { startedAt, endedAt, error, apks, copied, size, states, damaged, lost } = run;
  const times = { started_at: timestamp(startedAt), ended_at: timestamp(endedAt) };
  return { ...times, error, apks, copied, size, states, damaged, lost };
};

export const presentSchedule = ({
  folder,
  hours,
  progress,
  last,
  lastGood,
  dueAt,
}: BackupSchedule): z.infer<typeof backupScheduleSchema> => ({
  folder: folder === '' ? null : folder,
  hours,
  progress,
  last: presentRun(last),
  last_good: presentRun(lastGood),
  due_at: dueAt === null ? null : timestamp(dueAt),
});
