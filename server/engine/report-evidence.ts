// What of a report its APK's risk is weighed by. Runs in the worker: the server never parses megabytes.
import type { PackedReport } from '../contract/engine/analysis-results.ts';
import type { ReportEvidence, ReportsEvidence } from '../contract/engine/evidence.ts';
import { type AndroguardReport, type DynamicReport, emptyDynamicLists } from '../contract/engine/reports.ts';
import type { Finding } from '../contract/findings/finding.ts';
import { unpackJson } from '../vault/packed-json.ts';
import { behaviourFindings } from './dynamic/report/behaviour-findings.ts';

/** Functionalities that tell of a technique; the permissions they need say so of the others. */
const tellingFunctionalities = ['iccid', 'imei', 'imsi', 'installedapplications', 'phonenumber'] as const;
const maxPlace = 1000;

/** What a static report's risk is weighed by; reports of before know no permissions in use. */
export function staticEvidence({ findings, permissions_in_use, functionalities }: AndroguardReport): ReportEvidence {
  const permissions = (permissions_in_use ?? []).map(({ name, count, where, code }) => ({
    kind: 'permission' as const,
    name: name.slice(0, 300),
    count,
    where: where.slice(0, maxPlace),
    code: code.slice(0, maxPlace),
  }));
  const used = tellingFunctionalities.flatMap((name) => {
    const [first, ...more] = functionalities[name] ?? [];
    if (first === undefined) return [];
    const where = `${first.class}->${first.method}`.slice(0, maxPlace);
    return [
      { kind: 'functionality' as const, name, count: 1 + more.length, where, code: first.code.slice(0, maxPlace) },
    ];
  });
  return { findings, uses: [...permissions, ...used] };
}

/** Evidence out of stored reports; what reports of before do not say is found in them now. */
export function storedEvidence({ androguard, dynamic, device }: Stored): ReportsEvidence {
  const seen = dynamic === null ? null : runOf(dynamic);
  const onDevice = device === null ? null : behaviourFindings(runOf(device));
  return {
    androguard: androguard === null ? null : staticEvidence(unpackJson<AndroguardReport>(androguard)),
    dynamic:
      seen === null
        ? null
        : { findings: seen.findings ?? behaviourFindings(seen), uses: [], decoded: seen.decoded ?? [] },
    device: onDevice === null ? null : { findings: onDevice.map(placedOnDevice), uses: [] },
  };
}

/** Reports of before lack some lists. */
const runOf = (packed: PackedReport): DynamicReport => ({
  ...emptyDynamicLists(),
  ...unpackJson<DynamicReport>(packed),
});

type Stored = Record<keyof ReportsEvidence, PackedReport | null>;

/** The run on the device stands beside the interpreted one. */
const placedOnDevice = (finding: Finding): Finding => ({
  ...finding,
  where: finding.where.replace(/^dynamic:/, 'device:'),
});
