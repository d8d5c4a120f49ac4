// The files of apps that are installed as several: which part fits which app, and how long a file stays. Knows nothing of what runs
// them.
import type { Identity } from '../../contract/engine/analysis-results.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Store } from '../../store/store.ts';

/** Removes the file of an APK and its record, but keeps a file that is a part of another app. */
export async function removeStoredFile(store: Store, sha256: string, forget: () => Promise<unknown>): Promise<void> {
  if (await store.parts.has(sha256)) await forget();
  else await store.files.removeWith(sha256, forget);
}

/** Removes the parts of an app that is gone for good. @param sha256 of its base */
export async function releaseParts(store: Store, sha256: string): Promise<void> {
  if ((await store.parts.of(sha256)).length === 0 && (await store.parts.containersOf(sha256)).length === 0) return;
  const orphans = await store.transaction(({ parts }) => parts.forget(sha256));
  for (const orphan of orphans) {
    const isHeld = (await store.apks.findBySha256(orphan)) ?? (await store.trash.findBySha256(orphan));
    if (isHeld === null) await store.files.remove(orphan);
  }
}

/** Whether a split is a part of an app: of its package, version and signer, as Android asks. */
export async function isPartOf(store: Store, apk: ApkRecord, identity: Identity): Promise<boolean> {
  if (apk.packageName !== identity.packageName || apk.versionCode !== identity.versionCode) return false;
  const signer = apk.signerId === null ? null : await store.signers.findById(apk.signerId);
  return (signer?.sha256 ?? '') === (identity.signer?.sha256.toLowerCase() ?? '');
}
