// What a proposal shows: its literals with their reasons, its rules, and which APKs those meet. Knows neither jobs nor workers.
import type { Literal, LiteralCounts } from './literal-choice.ts';
import { meets, type ProposedRule, proposedRules, rulesText, type TriedApk, type TriedRole } from './proposed-rules.ts';

/** Stored as JSON. */
export interface ProposalResult {
  name: string;
  /** APKs that literals were tried on to their end. */
  counts: Record<TriedRole, number>;
  /** APKs in the catalogue besides the chosen ones. */
  catalogueSize: number;
  literals: (Literal & { catalogue: number | null })[];
  /** Ids of those that somebody leaves out. */
  leftOut: string[];
  /** The chosen APKs, and of the others those that have any of the literals. */
  tried: TriedApk[];
  failures: { apkId: number; code: string; message: string }[];
}

export interface ShownLiteral {
  literal: Literal;
  isLeftOut: boolean;
  counts: Record<TriedRole, number>;
  catalogue: number | null;
  reason: string;
}

export interface ShownProposal {
  rules: { rule: ProposedRule; counts: Record<TriedRole, number> }[];
  text: string;
  literals: ShownLiteral[];
  /** By APK, the names of the rules that match it. */
  chosen: { apkId: number; rules: string[] }[];
  falseHits: { apkId: number; isKnownGood: boolean; rules: string[] }[];
}

export const emptyProposal = (name: string): ProposalResult => ({
  name,
  counts: { chosen: 0, good: 0, other: 0 },
  catalogueSize: 0,
  literals: [],
  leftOut: [],
  tried: [],
  failures: [],
});

const counted = (count: number, all: number, what: string): string =>
  `${count === 0 ? 'none' : count.toLocaleString('en')} of ${all.toLocaleString('en')} ${what}`;

/** In words; holds nothing of an APK. */
function reasonOf(literal: Literal, counts: Record<TriedRole, number>, catalogue: number | null, of: ProposalResult) {
  const parts = [
    counted(counts.chosen, of.counts.chosen, 'chosen'),
    ...(of.counts.good === 0 ? [] : [counted(counts.good, of.counts.good, 'known good')]),
    ...(of.counts.other === 0 ? [] : [counted(counts.other, of.counts.other, 'others tried')]),
    ...(catalogue === null ? [] : [counted(catalogue, of.catalogueSize, 'others in the catalogue')]),
  ];
  const isOfCode = literal.group === 'text' || literal.group === 'code';
  return `in ${parts.join(', in ')}${isOfCode ? ', in no known library' : ''}`;
}

const perRole = (tried: readonly TriedApk[], has: (apk: TriedApk) => boolean): Record<TriedRole, number> => {
  const counts = { chosen: 0, good: 0, other: 0 };
  for (const apk of tried) if (has(apk)) counts[apk.role]++;
  return counts;
};

/** Which APKs have each literal, by the literal's id. @param chosen ids of the chosen APKs, in their order */
export function countsIn(tried: readonly TriedApk[], chosen: readonly number[]): (id: string) => LiteralCounts {
  const places = new Map(chosen.map((id, place) => [id, place]));
  const counts = new Map<string, { chosen: number[]; good: number; other: number }>();
  for (const { apkId, role, found } of tried)
    for (const id of new Set(found.flat())) {
      const count = counts.get(id) ?? { chosen: [], good: 0, other: 0 };
      counts.set(id, count);
      if (role === 'chosen') count.chosen.push(places.get(apkId)!);
      else count[role]++;
    }
  const othersTried = tried.filter(({ role }) => role === 'other').length;
  return (id) => {
    const { chosen: places = [], good = 0, other = 0 } = counts.get(id) ?? {};
    return { chosen: places, knownGood: good, others: other, othersTried, catalogue: null, catalogueSize: 0 };
  };
}

/** What is shown of a result, without the literals that are left out. */
export function shownProposal(result: ProposalResult): ShownProposal {
  const { name, literals, tried } = result;
  const leftOut = new Set(result.leftOut);
  const shown = literals.map(({ catalogue, ...literal }): ShownLiteral => {
    const counts = perRole(tried, ({ found }) => found.some((together) => together.includes(literal.id)));
    const reason = reasonOf(literal, counts, catalogue, result);
    return { literal, isLeftOut: leftOut.has(literal.id), counts, catalogue, reason };
  });
  const reasons = new Map(shown.map(({ literal, reason }) => [literal.id, reason]));
  const kept = literals.filter(({ id }) => !leftOut.has(id));
  const rules = proposedRules(name, kept, tried);
  const met = (apk: TriedApk) => rules.filter((rule) => meets(rule, apk)).map((rule) => rule.name);
  return {
    rules: rules.map((rule) => ({ rule, counts: perRole(tried, (apk) => meets(rule, apk)) })),
    text: rulesText(rules, ({ id }) => reasons.get(id)!),
    literals: shown,
    chosen: tried.flatMap((apk) => (apk.role === 'chosen' ? [{ apkId: apk.apkId, rules: met(apk) }] : [])),
    falseHits: tried
      .flatMap((apk) => {
        const names = apk.role === 'chosen' ? [] : met(apk);
        return names.length === 0 ? [] : [{ apkId: apk.apkId, isKnownGood: apk.role === 'good', rules: names }];
      })
      .sort((one, other) => Number(other.isKnownGood) - Number(one.isKnownGood)),
  };
}
