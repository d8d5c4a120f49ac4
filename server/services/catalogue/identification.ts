// Turns what a worker read of an APK's identity into the catalogue's fields. Knows nothing of files or jobs.
import { damageOf } from '../../contract/catalogue/damage.ts';
import type { Icon, Identity, PackedStatic } from '../../contract/engine/analysis-results.ts';
import { engineVersion } from '../../contract/engine/engine-version.ts';
import type { ApkChanges } from '../../store/repositories/apk-repository.ts';
import type { NewReport } from '../../store/repositories/report-repository.ts';
import type { Writes } from '../../store/store.ts';
import type { StoredIcon } from './catalogue.ts';

/** Longer names are cut in the catalogue; the reports have them whole. */
const maxTextLength = 1000;
const cut = (text: string) => text.slice(0, maxTextLength);

/** The catalogue's fields of an identity; the signer gets its record. */
export async function identifiedFields(inside: Pick<Writes, 'signers'>, identity: Identity) {
  const signer = identity.signer === null ? null : await inside.signers.ensure(identity.signer);
  return {
    app: cut(identity.appName),
    packageName: cut(identity.packageName),
    company: cut(identity.company),
    version: cut(identity.versionName),
    versionCode: cut(identity.versionCode),
    signerId: signer?.id ?? null,
    hasIcon: identity.icon !== null,
    isCorrupted: identity.corruptions.length > 0,
    damage: damageOf(identity.corruptions),
    // A trusted signer makes its APKs trusted; that the owner trusts one APK is kept when its signer is not trusted.
    ...(signer?.isTrusted ? { isTrusted: true } : {}),
  } satisfies ApkChanges;
}

/** Notes which signers' certificates vouch for which newer ones: their APKs are no copies of each other. */
export async function noteSuccession(
  inside: Pick<Writes, 'signers' | 'repackagings'>,
  signerHistory: PackedStatic['signerHistory'],
): Promise<void> {
  const ids: number[] = [];
  for (const certificate of signerHistory) ids.push((await inside.signers.ensure(certificate)).id);
  if (await inside.signers.noteSuccession(ids)) await inside.repackagings.doubt(ids);
}

function storedIcon({ mediaType, bytes }: Icon): StoredIcon {
  return { mediaType, base64: Buffer.from(bytes).toString('base64') };
}

/** The reports that keep an identity and its icon. */
export function identityReports(apkId: number, status: NewReport['status'], identity: Identity): NewReport[] {
  const { icon, ...rest } = identity;
  const reports: NewReport[] = [{ apkId, kind: 'identity', status, engineVersion, content: rest }];
  if (icon !== null) reports.push({ apkId, kind: 'icon', status, engineVersion, content: storedIcon(icon) });
  return reports;
}
