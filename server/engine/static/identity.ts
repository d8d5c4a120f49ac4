// Reads the identity that an APK claims, while its uploader waits: unpacks nothing else. Knows no report.
import type { Icon, Identity } from '../../contract/engine/analysis-results.ts';
import { maxIdentityPermissions, maxIdentityText } from '../../contract/engine/result-limits.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { type AppPackage, attempt, corruptionsOf, openPackage } from '../app/app-package.ts';
import { readIcon } from '../app/icon/icon.ts';
import { splitOf } from '../app/split.ts';
import { Findings } from '../findings.ts';
import { readSigner } from '../formats/apk-signature/verify.ts';
import type { Certificate } from '../formats/x509/certificate.ts';

/**
 * The identity of an APK: names, versions, permissions, signer, icon. Signatures are read, not verified.
 * @throws FormatError `not-a-zip`, `zip-limit` or `no-manifest` where the file is no Android app
 */
export function identify(source: ByteSource): Identity {
  const findings = new Findings();
  const app = openPackage(source, findings);
  const signer = attempt(findings, 'signature', null, () => readSigner(app.archive));
  return identityOf(app, signer?.certificate ?? null, findings);
}

/** The identity of an opened APK; `findings` are listed in it as they stand. */
export function identityOf(app: AppPackage, certificate: Certificate | null, findings: Findings): Identity {
  const { manifest } = app;
  const corruptions = corruptionsOf(app, findings, certificate !== null);
  const icon = iconOf(app, findings);
  const record = certificate?.record() ?? null;
  return {
    packageName: cut(manifest?.packageName),
    appName: cut(manifest?.appName),
    versionName: cut(manifest?.versionName),
    versionCode: cut(manifest?.versionCode),
    minSdkVersion: manifest?.minSdkVersion ?? null,
    targetSdkVersion: manifest?.targetSdkVersion ?? null,
    permissions: manifest?.usesPermissions.slice(0, maxIdentityPermissions).map(({ name }) => cut(name)) ?? [],
    company: cut(certificate?.organization() ?? certificate?.commonName()),
    signer: record === null ? null : { sha1: record.sha1, sha256: record.sha256 },
    corruptions,
    icon,
    split: splitOf(app.archive, manifest),
    findings: findings.list(),
  };
}

const cut = (text: string | null | undefined): string => text?.slice(0, maxIdentityText) ?? '';

function iconOf({ archive, manifest, resources }: AppPackage, findings: Findings): Icon | null {
  if (manifest === null) return null;
  return attempt(findings, 'icon', null, () => readIcon(archive, manifest, resources));
}
