// Gathers the evidence on one APK: what reports, payloads, other signers' APKs, rules and antivirus say, without what somebody dismissed. Knows
// no weights.
import type { ReportEvidence } from '../../contract/engine/evidence.ts';
import { type Dismissing, dismisses } from '../../contract/findings/dismissed.ts';
import type { Finding } from '../../contract/findings/finding.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Reads } from '../../store/store.ts';
import { payloadFindings, withMatches } from './payload-findings.ts';
import { repackagingFindings } from './repackaging-findings.ts';
import type { Evidence, MatchEvidence } from './risk.ts';

export interface GatheredEvidence {
  evidence: Evidence;
  /** What was seen when it ran, what came out of it and who else signed its code, which no report of it says. */
  behaviour: Finding[];
  /** Findings and matches of rules that count nothing, since somebody dismissed them. */
  dismissed: number;
}

/** Most rulesets that count for one APK. */
const maxMatches = 200;
/** APKs of other signers with its code that are named. */
const maxRepackagings = 10;

/** null before the first report */
export async function gatherEvidence(inside: Reads, apk: ApkRecord): Promise<GatheredEvidence | null> {
  const declared = await inside.reports.readJson<ReportEvidence>(apk.id, 'evidence');
  const interpreted = await inside.reports.readJson<ReportEvidence>(apk.id, 'behaviour');
  const onDevice = await inside.reports.readJson<ReportEvidence>(apk.id, 'device_behaviour');
  const own = [declared, interpreted, onDevice].filter((one) => one !== null);
  if (own.length === 0) return null;
  const dismissals = await dismissalsOf(inside, apk);
  const { matches, dismissedRules } = await publicMatches(inside, apk, dismissals);
  const children = apk.children === null ? [] : await inside.children.list(apk.id);
  const beside = [...payloadFindings(withMatches(children, matches)), ...(await repackagingsOf(inside, apk))];
  const antivirus = (await inside.detections.ofApks([apk.id])).flatMap(({ kind, antivirus: name, information }) =>
    kind === 'antivirus' ? [{ antivirus: name, signature: String(information.signature ?? '') }] : [],
  );
  const found = [...own.flatMap(({ findings }) => findings), ...beside];
  const findings = found.filter(
    ({ code, where }) => !dismissals.some((one) => dismisses(one, { finding: code, where })),
  );
  const dismissed = found.length - findings.length + dismissedRules;
  const uses = own.flatMap((one) => one.uses);
  const behaviour = [...[interpreted, onDevice].flatMap((seen) => seen?.findings ?? []), ...beside];
  return { evidence: { findings, uses, matches, antivirus }, behaviour, dismissed };
}

async function repackagingsOf(inside: Reads, apk: ApkRecord): Promise<Finding[]> {
  const found = await inside.repackagings.of(apk.id, maxRepackagings);
  const others = await inside.apks.findByIds(found.map(({ otherId }) => otherId));
  return repackagingFindings(
    apk,
    found.flatMap(({ otherId, ...shared }) => {
      const other = others.get(otherId);
      return other === undefined ? [] : [{ other, ...shared }];
    }),
  );
}

/** The matches of public rulesets that count for an APK and for what came out of it. */
export const countedMatches = async (inside: Reads, apk: ApkRecord): Promise<MatchEvidence[]> =>
  (await publicMatches(inside, apk, await dismissalsOf(inside, apk))).matches;

/** @property dismissedRules in however many files a rule matches, it is one */
async function publicMatches(
  inside: Reads,
  apk: ApkRecord,
  dismissals: readonly Dismissing[],
): Promise<{ matches: MatchEvidence[]; dismissedRules: number }> {
  const matches: MatchEvidence[] = [];
  const dismissedRules = new Set<string>();
  for (const { rulesetId, ruleset, isSocial, rules } of await inside.matches.ofPublicRulesets(apk.id, maxMatches)) {
    for (const { name: rule, tags, metadata, file } of rules) {
      const about = { ruleset: String(rulesetId), rule, where: file };
      if (dismissals.some((one) => dismisses(one, about))) dismissedRules.add(`${ruleset}\0${rule}`);
      else matches.push({ ruleset, isSocial, rule, tags, metadata, file });
    }
  }
  return { matches, dismissedRules: dismissedRules.size };
}

const dismissalsOf = async (inside: Reads, apk: ApkRecord): Promise<Dismissing[]> =>
  (await inside.dismissals.holdingFor(apk, null)).map(({ scope, finding, rulesetId, rule, library, place }) => ({
    ...{ scope, finding, rule, library },
    ruleset: rulesetId === null ? null : String(rulesetId),
    where: place,
  }));
