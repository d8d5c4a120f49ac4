// What belongs to an APK and is not in its file, on its way from the store to workers: its parts, what runs of it left. Knows nothing of
// what it is.
import type { LeftFiles, PartFile } from '../../contract/engine/analysis-results.ts';
import { maxParts } from '../../contract/engine/split.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
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

/** The parts of an app, for workers. @param sha256 of its base */
export async function partFilesOf(store: Store, sha256: string): Promise<PartFile[]> {
  const parts = await store.parts.of(sha256);
  return parts
    .slice(0, maxParts)
    .map((part) => ({ origin: 'part', name: part.name, file: store.files.fileReference(part.sha256) }));
}

/** All that runs of an APK left, still compressed. @throws DamagedReportError */
export async function leftByRuns(
  store: Store,
  apkId: number,
): Promise<{ origin: 'run' | 'device'; files: PackedBytes }[]> {
  const left = [];
  for (const origin of ['run', 'device'] as const) {
    const kept = await store.reports.readCompressed(apkId, leftFilesKinds[origin]);
    if (kept !== null) left.push({ origin, files: unsealLeft(store, kept) });
  }
  return left;
}

/** The parts of an APK and all that runs of it left. @throws DamagedReportError */
export const leftFilesOf = async (
  store: Store,
  { id, sha256 }: Pick<ApkRecord, 'id' | 'sha256'>,
): Promise<LeftFiles> => [...(await partFilesOf(store, sha256)), ...(await leftByRuns(store, id))];

/** The same, where there may be code in it or in what the APK's file carries; undefined: in neither. */
export async function leftFilesIfAny(store: Store, apk: ApkRecord): Promise<LeftFiles | undefined> {
  if (apk.children !== null) return leftFilesOf(store, apk);
  const parts = await partFilesOf(store, apk.sha256);
  return parts.length === 0 ? undefined : parts;
}

/** When they were stored. */
export async function leftFilesVersion(
  { reports, parts }: Pick<Reads, 'reports' | 'parts'>,
  { id, sha256 }: Pick<ApkRecord, 'id' | 'sha256'>,
): Promise<string> {
  const kinds: readonly string[] = Object.values(leftFilesKinds);
  const stored = (await reports.list(id)).filter(({ kind }) => kinds.includes(kind));
  const ofParts = (await parts.of(sha256)).map((part) => part.sha256);
  return [...ofParts, ...stored.map(({ kind, createdAt }) => `${kind} ${createdAt}`)].join();
}
