// Makes rules of literals by what a scan found of them: how many have to be there, what the rules meet, their text. Knows
// no APK.
import { type LiteralGroup, literalGroups } from '../../../contract/rules/rule-proposal.ts';
import type { Literal } from './literal-choice.ts';
import { ruleNameOf } from './yara-source.ts';

export type TriedRole = 'chosen' | 'good' | 'other';

/** What a scan of an APK found. */
export interface TriedApk {
  apkId: number;
  role: TriedRole;
  /** Ids of the literals that stand together: those on reports, then those of each file. */
  found: string[][];
}

export interface ProposedRule {
  name: string;
  group: LiteralGroup;
  /** How many of its literals an APK must have. */
  least: number;
  literals: Literal[];
}

/** Score from which a literal makes a rule alone. */
const tellingScore = 60;
/** The share of its literals that a rule asks for: later versions lose some. */
const leastShare = 0.25;
/** Share of its coverage of the chosen APKs that a rule must keep when it is made stricter to match no other APK. */
const worthCoverage = 0.8;

/** How many of these literals an APK has at most in one place. */
const mostTogether = (ids: ReadonlySet<string>, { found }: TriedApk): number =>
  found.reduce((most, together) => Math.max(most, together.filter((id) => ids.has(id)).length), 0);

/** How many of its literals a rule has to find; null where no number tells the chosen APKs from known good ones. */
function leastOf(literals: readonly Literal[], tried: readonly TriedApk[]): number | null {
  const [only, second] = literals;
  if (only === undefined || (second === undefined && only.score < tellingScore)) return null;
  const ids = new Set(literals.map(({ id }) => id));
  const counts: Record<TriedRole, number[]> = { chosen: [], good: [], other: [] };
  for (const apk of tried) counts[apk.role].push(mostTogether(ids, apk));
  const mostOf = (role: TriedRole) => counts[role].reduce((most, count) => Math.max(most, count), 0);
  const met = (least: number) => counts.chosen.filter((count) => count >= least).length;
  const least = Math.max(mostOf('good') + 1, Math.ceil(literals.length * leastShare), Math.min(2, literals.length));
  if (met(least) === 0) return null;
  const stricter = Math.max(least, mostOf('other') + 1);
  return met(stricter) >= worthCoverage * met(least) ? stricter : least;
}

/**
 * The rules that can be made of literals, one for each group: those of a file are looked for in one file after the other.
 * @param name what they are named after
 */
export function proposedRules(name: string, literals: readonly Literal[], tried: readonly TriedApk[]): ProposedRule[] {
  return literalGroups.flatMap((group) => {
    const ofGroup = literals.filter((literal) => literal.group === group);
    const least = leastOf(ofGroup, tried);
    return least === null ? [] : [{ name: ruleNameOf(name, ruleParts[group]), group, least, literals: ofGroup }];
  });
}

const ruleParts: Record<LiteralGroup, string> = { report: 'reports', text: 'texts', file: 'files', code: 'code' };

/** Whether a rule meets an APK. */
export const meets = ({ least, literals }: ProposedRule, apk: TriedApk): boolean =>
  mostTogether(new Set(literals.map(({ id }) => id)), apk) >= least;

/** @param reasonOf one line for each literal, which holds nothing of an APK */
function conditionOn(rule: ProposedRule, reasonOf: (literal: Literal) => string): string[] {
  const { group, least, literals } = rule;
  if (group !== 'report') {
    const strings = literals.flatMap((literal) => [
      `        // ${reasonOf(literal)}`,
      `        $${literal.id} = ${literal.source}`,
    ]);
    return ['    strings:', ...strings, '    condition:', `        ${least} of them`];
  }
  const calls = literals.flatMap((literal, index) => [
    `        // ${reasonOf(literal)}`,
    `        ${literal.source}${index < literals.length - 1 ? ' +' : ` >= ${least}`}`,
  ]);
  return ['    condition:', ...calls];
}

/** The rules as one ruleset. */
export function rulesText(rules: readonly ProposedRule[], reasonOf: (literal: Literal) => string): string {
  if (rules.length === 0) return '';
  const sources = rules.flatMap(({ group, literals }) => (group === 'report' ? literals : []));
  const modules = ['androguard', 'cuckoo'].filter((name) =>
    sources.some(({ source }) => source.startsWith(`${name}.`)),
  );
  const texts = rules.map((rule) => [`rule ${rule.name}`, '{', ...conditionOn(rule, reasonOf), '}', ''].join('\n'));
  return [...modules.map((name) => `import "${name}"`), ...(modules.length > 0 ? [''] : []), texts.join('\n')].join(
    '\n',
  );
}

/** Each literal as a rule of its own, by whose matches it is counted: conditions on reports in one text, strings in another. */
export function countingRules(literals: readonly Literal[]): { reports: string; strings: string } {
  const reports = literals.filter(({ group }) => group === 'report');
  const strings = literals.filter(({ group }) => group !== 'report');
  return {
    reports: [
      'import "androguard"\nimport "cuckoo"',
      ...reports.map(({ id, source }) => `rule ${id} { condition: ${source} }`),
    ].join('\n'),
    strings: strings.map(({ id, source }) => `rule ${id} { strings: $a = ${source} condition: $a }`).join('\n'),
  };
}
