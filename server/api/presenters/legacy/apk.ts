// APKs in the shape of the older API.
import type { LegacyApk } from '../../../contract/legacy.ts';
import type { ApkRecord } from '../../../services/catalogue/catalogue.ts';
import { iconUrl } from '../apk.ts';
import { type Presenting, unixSeconds } from '../presenting.ts';

export function presentLegacyApk(presenting: Presenting, apk: ApkRecord): LegacyApk {
  return {
    created_on: unixSeconds(apk.createdAt),
    rating: apk.rating,
    image: iconUrl(presenting, apk),
    tags: apk.tags,
    md5: apk.md5,
    sha1: apk.sha1,
    sha256: apk.sha256,
    app: apk.app,
    package_name: apk.packageName,
    company: apk.company,
    displayed_version: apk.version,
    size: apk.size,
    stored: true,
    is_apk: true,
    analyzed: apk.isStaticAnalyzed,
    trusted: apk.isTrusted,
    detected: apk.isDetected,
    corrupted: apk.isCorrupted,
    repo: '',
    on_devices: apk.isInstalled,
  };
}
