// Fingerprints of what rules ask of the static report: of its values, and of what a call of a rule wants. Knows no index.
import type { PackedReport } from '../../contract/engine/analysis-results.ts';
import type { AndroguardReport } from '../../contract/engine/reports.ts';
import { unpackJson } from '../../vault/packed-json.ts';
import { unknownReports } from '../../vault/packed-prints.ts';
import { FingerprintSet, fingerprintsWithin, valueFingerprint } from '../similarity/text-fingerprints.ts';
import { androguardValues, type ModuleCall, plainDigest } from './modules/module-functions.ts';

const certificate = 'androguard.certificate.sha1';
/** Paths of which every value has its fingerprints. */
const paths =
  /^androguard\.(?:package_name|app_name|activity|main_activity|service|receiver|provider|filter|url|permission|displayed_version|version_code|certificate\.\w+)$/;

/** As `reportPrints`, of a packed report. */
export const packedReportPrints = (packed: PackedReport | null): FingerprintSet =>
  reportPrints(packed && unpackJson<AndroguardReport>(packed));

/** Of all values of a report; where there is none, that nothing is known. */
export function reportPrints(report: AndroguardReport | null): FingerprintSet {
  const prints = new FingerprintSet();
  if (report === null) {
    prints.add(unknownReports);
    return prints;
  }
  for (const [path, value] of androguardValues(report)) {
    prints.add(valueFingerprint(path, value.toLowerCase()));
    for (const print of fingerprintsWithin(path, Buffer.from(value))) prints.add(print);
  }
  return prints;
}

/** What a report has for which a call holds; null where nothing can be said. */
export function callPrints({ path, arguments: given, loop, comparison }: ModuleCall): number[] | null {
  const [pattern, ...others] = given;
  if (
    !paths.test(path) ||
    pattern === undefined ||
    others.length > 0 ||
    loop !== undefined ||
    comparison !== undefined
  ) {
    return null;
  }
  if (pattern.kind === 'text') {
    const value = path === certificate ? plainDigest(pattern.value) : pattern.value.toLowerCase();
    return [valueFingerprint(path, value)];
  }
  if (pattern.kind !== 'regexp') return null;
  const literal = writtenOut(pattern.body);
  const prints = literal === null ? [] : fingerprintsWithin(path, Buffer.from(literal));
  return prints.length === 0 ? null : prints;
}

/** The one text that an expression matches, in any place; null where there are several, or it is not plain to see. */
function writtenOut(body: string): string | null {
  if (!/^\^?(?:[\w :;,@#%&~=<>"'!-]|\\[./-])*$/.test(body)) return null;
  return body.replace(/^\^/, '').replace(/\\([./-])/g, '$1');
}
