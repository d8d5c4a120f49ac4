// What runs of an APK left, on its way from the store to workers. Knows nothing of what it is.
import type { LeftFiles } from '../../contract/engine/analysis-results.ts';
import type { Reads, Store } from '../../store/store.ts';
import { DamagedReportError, type PackedBytes } from '../../vault/packed-bytes.ts';

/** The kind of report that holds the files, by what the app ran on. */
export const leftFilesKinds = { run: 'artefacts', device: 'device_artefacts' } as const;

/** What an app loads and writes is as hostile as the app: it lies sealed, as the app's own file does. */
export const sealLeft = ({ files }: Pick<Store, 'files'>, { size, compressed }: PackedBytes): PackedBytes => ({
  size,
  compressed: files.seal(compressed),
});

/** @throws DamagedReportError */
function unsealLeft({ files }: Pick<Store, 'files'>, { size, compressed }: PackedBytes): PackedBytes {
  try {
    return { size, compressed: files.unseal(compressed) };
  } catch (cause) {
    throw new DamagedReportError(cause);
  }
}

/** All that runs of an APK left, still compressed. @throws DamagedReportError */
export async function leftFilesOf(store: Store, apkId: number): Promise<LeftFiles> {
  const left: LeftFiles = [];
  for (const origin of ['run', 'device'] as const) {
    const kept = await store.reports.readCompressed(apkId, leftFilesKinds[origin]);
    if (kept !== null) left.push({ origin, files: unsealLeft(store, kept) });
  }
  return left;
}

/** When they were stored. */
export async function leftFilesVersion({ reports }: Reads, apkId: number): Promise<string> {
  const kinds: readonly string[] = Object.values(leftFilesKinds);
  const stored = (await reports.list(apkId)).filter(({ kind }) => kinds.includes(kind));
  return stored.map(({ kind, createdAt }) => `${kind} ${createdAt}`).join();
}
