// Room on the disk and backups in their current shape.
import type { z } from 'zod';
import type { backupListSchema, storageSchema } from '../../contract/workstation/storage.ts';
import type { Storage } from '../../services/catalogue/storage.ts';
import type { BackupFile } from '../../services/sharing/backups.ts';
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
