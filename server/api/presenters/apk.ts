// APKs in their current shape.
import type { Apk, ApkDetail, ApkReference } from '../../contract/catalogue/apk.ts';
import { riskLevelOf } from '../../contract/findings/risk.ts';
import type { ApkRecord, ContainerRecord, PartRecord } from '../../services/catalogue/catalogue.ts';
import type { FamilyRecord } from '../../services/families/families.ts';
import type { DetectionRecord } from '../../services/triage/detections.ts';
import { presentCodeFamily } from './code-family.ts';
import { presentDetection } from './detection.ts';
import { type Presenting, timestamp, timestampOrNull } from './presenting.ts';

export const apkUrl = ({ baseUrl }: Presenting, sha256: string) => `${baseUrl}/apks/${sha256}/`;

/** Address of an app's icon, readable without a token. */
export function iconUrl({ baseUrl, links }: Presenting, { sha256, hasIcon }: ApkRecord): string | null {
  if (!hasIcon) return null;
  return `${baseUrl}/icons/${sha256}/?signature=${links.sign('icon', sha256).signature}`;
}

/** What the workstation itself knows of an APK. */
export const presentWorkstation = ({ ids }: Presenting, apk: ApkRecord): Apk['workstation'] => ({
  verdict: apk.verdict,
  family: apk.family,
  note: apk.note,
  risk: apk.risk === null ? null : { score: apk.risk, level: riskLevelOf(apk.risk) },
  severity: apk.severity,
  findings_count: apk.findingsCount,
  techniques_count: apk.techniquesCount,
  trackers_count: apk.trackersCount,
  libraries_count: apk.librariesCount,
  apis_count: apk.apisCount,
  hosts_count: apk.hostsCount,
  damage: apk.damage,
  file_names: apk.fileNames,
  children: apk.children,
  known: apk.known,
  code_family:
    apk.codeFamilyId === null ? null : { id: ids.encode('family', apk.codeFamilyId), name: apk.codeFamilyName ?? '' },
});

export function presentApk(presenting: Presenting, apk: ApkRecord): Apk {
  return {
    id: presenting.ids.encode('apk', apk.id),
    url: apkUrl(presenting, apk.sha256),
    sha256: apk.sha256,
    md5: apk.md5,
    sha1: apk.sha1,
    app: apk.app,
    package_name: apk.packageName,
    company: apk.company,
    version: apk.version,
    image: iconUrl(presenting, apk),
    size: apk.size,
    tags: apk.tags,
    is_trusted: apk.isTrusted,
    is_installed: apk.isInstalled,
    rating: apk.rating,
    is_detected: apk.isDetected,
    is_corrupted: apk.isCorrupted,
    is_static_analyzed: apk.isStaticAnalyzed,
    is_dynamic_analyzed: apk.isDynamicAnalyzed,
    last_yara_analysis_at: timestampOrNull(apk.lastYaraAnalysisAt),
    created_at: timestamp(apk.createdAt),
    updated_at: timestamp(apk.updatedAt),
    comments_count: apk.commentsCount,
    votes_count: apk.votesCount,
    matches_count: apk.matchesCount,
    version_code: apk.versionCode,
    file_state: apk.fileState,
    min_sdk: apk.minSdk,
    target_sdk: apk.targetSdk,
    workstation: presentWorkstation(presenting, apk),
  };
}

export function presentApkDetail(
  presenting: Presenting,
  apk: ApkRecord,
  detections: readonly DetectionRecord[],
  family: FamilyRecord | null,
  { parts, containers }: { parts: readonly PartRecord[]; containers: readonly ContainerRecord[] },
): ApkDetail {
  const shown = detections.map((detection) => ({
    ...presentDetection(presenting.ids, detection),
    created_at: timestamp(detection.createdAt),
    updated_at: timestamp(detection.updatedAt),
  }));
  return {
    ...presentApk(presenting, apk),
    parts: parts.map(({ createdAt: _, ...part }) => part),
    containers: [...containers],
    detections: shown,
    code_family: presentCodeFamily(presenting, family),
  };
}

export function presentApkReference(presenting: Presenting, apk: ApkRecord): ApkReference {
  return {
    sha256: apk.sha256,
    url: apkUrl(presenting, apk.sha256),
    app: apk.app,
    package_name: apk.packageName,
    version: apk.version,
    image: iconUrl(presenting, apk),
  };
}
