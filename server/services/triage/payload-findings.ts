// What it means for an APK that files of code came out of it, by what their own analyses say. Pure; knows no store.
import type { ChildrenSummary } from '../../contract/catalogue/child.ts';
import {
  type Child,
  type ChildKind,
  childKindSchema,
  childName,
  isPart,
  namesUpwards,
} from '../../contract/engine/child.ts';
import type { ReportEvidence } from '../../contract/engine/evidence.ts';
import { type Finding, type Severity, severities } from '../../contract/findings/finding.ts';
import { findingOf } from '../../contract/findings/finding-catalogue.ts';
import { type RiskLevel, riskLevelOf } from '../../contract/findings/risk.ts';
import { gravestSeverity, type MatchEvidence, weighRisk } from './risk.ts';

/** What is known of a child by its own report; nulls before there is one. */
export interface JudgedChild {
  child: Child;
  findings: number;
  severity: Severity | null;
  /** Weighed as an app's. */
  risk: number | null;
}

/** By a child's own risk: an app that harms by itself harms as much when it is brought along. */
const severityBy: Record<RiskLevel, Severity> = {
  low: 'info',
  elevated: 'medium',
  high: 'high',
  critical: 'critical',
};

const maxPlace = 1000;

/** What the report of a child comes to, before rules are asked. */
export function judged({ findings, uses }: ReportEvidence): Omit<JudgedChild, 'child'> {
  const { score } = weighRisk({ findings, uses, matches: [], antivirus: [] });
  return { findings: findings.length, severity: gravestSeverity(findings), risk: score };
}

/** Children with what rules say of them, or of a file in them, counted in their risk. */
export function withMatches<Judged extends JudgedChild>(
  children: readonly Judged[],
  matches: readonly MatchEvidence[],
): Judged[] {
  const byName = new Map<string, MatchEvidence[]>();
  for (const { child } of children) for (const way of child.ways) byName.set(childName(way), []);
  for (const match of matches) for (const name of namesUpwards(match.file)) byName.get(name)?.push(match);
  return children.map((one) => {
    if (one.risk === null) return one;
    const own = one.child.ways.flatMap((way) => byName.get(childName(way)) ?? []);
    const { score } = weighRisk({ findings: [], uses: [], matches: own, antivirus: [] });
    return { ...one, risk: Math.min(100, one.risk + score) };
  });
}

/** An app by its risk; other code where its own is no longer low, or where it was hidden until the app ran. */
export function payloadFindings(children: readonly JudgedChild[]): Finding[] {
  return children.flatMap(({ child, findings, severity, risk }) => {
    if (risk === null) return [];
    const where = childName(child.ways[0]!).slice(0, maxPlace);
    const said = severity === null ? 'no finding' : `${findings} findings, the gravest ${severity}`;
    const bySelf = severityBy[riskLevelOf(risk)];
    if (child.kind === 'apk') {
      const name = [child.package_name ?? 'an app', child.version_name].filter((part) => part !== null).join(' ');
      return [
        findingOf(
          isPart(child) ? 'payload-part' : 'payload-app',
          where,
          `${name}: risk ${risk}, ${said}`.slice(0, maxPlace),
          bySelf,
        ),
      ];
    }
    const isHidden = child.ways.every(({ origin }) => origin !== 'entry') && isFetched(child);
    if (bySelf === 'info' && !isHidden) return [];
    const came = [...new Set(child.ways.map(({ action }) => action))].join(', ');
    return [
      findingOf(
        'payload-code',
        where,
        `${child.kind}, ${came}: risk ${risk}, ${said}`,
        bySelf === 'info' ? 'low' : bySelf,
      ),
    ];
  });
}

const isFetched = ({ ways }: Child): boolean =>
  ways.some(({ action }) => action === 'decrypted' || action === 'downloaded');

/** null where nothing came out; the app's own parts are not counted. */
export function childrenSummary(all: readonly JudgedChild[]): ChildrenSummary | null {
  const children = all.filter(({ child }) => !isPart(child));
  if (children.length === 0) return null;
  const countOf = (kind: ChildKind) => children.filter(({ child }) => child.kind === kind).length;
  const kinds = Object.fromEntries(childKindSchema.options.map((kind) => [kind, countOf(kind)]));
  const gravest = Math.max(
    -1,
    ...children.map(({ severity }) => (severity === null ? -1 : severities.indexOf(severity))),
  );
  return { count: children.length, kinds: kinds as ChildrenSummary['kinds'], severity: severities[gravest] ?? null };
}
