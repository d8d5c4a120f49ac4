// What a file has to have in the content index for a rule to match in it. Errs only towards "any file". Knows no index.
import type { ContentPlan, ContentStep, SlowRule } from '../../contract/engine/content-index.ts';
import type { SentRuleset } from '../../contract/engine/yara.ts';
import { addFingerprints, FingerprintSet } from '../similarity/text-fingerprints.ts';
import { engineText } from './engine-text.ts';
import { basisOf, type Condition, type Evidence, outlookOf, partsOf } from './language/condition-outlook.ts';
import { readCondition } from './language/condition-reader.ts';
import { necessaryLiterals } from './language/necessary-literals.ts';
import { type OutlinedRule, outlineRules } from './language/rule-outline.ts';
import { isFileCall } from './modules/file-functions.ts';
import type { ModuleCall } from './modules/module-functions.ts';
import { callPrints } from './report-prints.ts';
import { rewriteRules } from './rewriting/rewriting.ts';
import { lengthProblem } from './rule-check.ts';

/** What a file has to meet, as far as fingerprints tell. */
type ContentNeed =
  | { kind: 'any' }
  | { kind: 'prints' | 'reports'; prints: number[] }
  | { kind: 'least'; least: number; parts: readonly ContentNeed[] };

const any = { kind: 'any' } as const;
const never: ContentNeed = { kind: 'least', least: 1, parts: [] };
/** How deep rules that name other rules are followed; a rule beyond that may match in any file. */
const maxChain = 100;
const maxSlow = 100;
const maxSlowStrings = 20;
/** Of rulesets that need more nobody gains by asking an index. */
const maxSteps = 200_000;

/** The plans of rulesets, in their order. */
export const contentPlans = (rulesets: readonly SentRuleset[]): ContentPlan[] =>
  rulesets.map(({ id, rules = '' }) => ({ id, ...contentPlan(rules) }));

/** What a file needs for any rule of a text to match in it, and the rules that may match in any file. */
export function contentPlan(rules: string): Omit<ContentPlan, 'id'> {
  const rewritten = lengthProblem(rules) === null ? rewriteRules(rules) : null;
  // What is wrong with it is told by a scan.
  if (rewritten === null || rewritten.problems.length > 0)
    return { steps: [any], of_reports: stepsOf(never), slow: [] };
  const outlines = outlineRules(engineText(rules, rewritten, { hasPlaces: false }));
  const names = new Map(rewritten.rules.map(({ engineName, name }) => [engineName, name]));
  const needs = new RuleNeeds(outlines, rewritten.calls);
  const globals = outlines.filter(({ isGlobal }) => isGlobal);
  const reported = outlines.filter(({ isPrivate }) => !isPrivate);
  const needOf = (some: readonly OutlinedRule[]) => {
    const anyOf = least(
      1,
      some.map(({ name }) => needs.of(name)),
    );
    return least(globals.length + 1, [...globals.map(({ name }) => needs.of(name)), anyOf]);
  };
  const asksReports = ({ name }: OutlinedRule) => needs.asksReportsAlone(name);
  const areSplit = globals.every(asksReports);
  const [ofReports, others] = areSplit
    ? [reported.filter(asksReports), reported.filter((rule) => !asksReports(rule))]
    : [[], reported];
  const need = needOf(others);
  const slow = isAny(need) ? others.filter(({ name }) => isAny(needs.of(name))) : [];
  return {
    steps: boundedSteps(need),
    of_reports: boundedSteps(needOf(ofReports)),
    slow: slow.slice(0, maxSlow).map((rule) => needs.whySlow(rule, names.get(rule.name) ?? rule.name)),
  };
}

function boundedSteps(need: ContentNeed): ContentStep[] {
  const steps = stepsOf(need);
  return steps.length > maxSteps ? [any] : steps;
}

const isAny = (need: ContentNeed): boolean => need.kind === 'any';

/** So many of the parts, without those of which nothing is known. */
function least(count: number, parts: readonly ContentNeed[]): ContentNeed {
  const known = parts.filter((part) => !isAny(part));
  const wanted = count - (parts.length - known.length);
  if (wanted <= 0) return any;
  return known.length === 1 && wanted === 1 ? known[0]! : { kind: 'least', least: wanted, parts: known };
}

/** Parts before what they are parts of. */
function stepsOf(need: ContentNeed): ContentStep[] {
  if (need.kind !== 'least') return [need];
  const { parts } = need;
  return [...parts.flatMap(stepsOf), { kind: 'least', least: need.least, parts: parts.length }];
}

/** Nothing is known but that no string is there. */
const withoutStrings: Evidence = {
  bytes: null,
  globals: null,
  ofFile: {},
  mayContain: () => false,
  rule: () => null,
};

class RuleNeeds {
  readonly #conditions = new Map<string, Condition>();
  readonly #needs = new Map<string, ContentNeed>();
  /** By its number among all strings. */
  readonly #strings: ContentNeed[] = [];
  /** Rules that ask reports alone. */
  readonly #ofReports = new Set<string>();
  #depth = 0;
  readonly #calls: ReadonlyMap<string, ModuleCall>;

  /** @param calls by the globals that stand for them */
  constructor(outlines: readonly OutlinedRule[], calls: ReadonlyMap<string, ModuleCall>) {
    this.#calls = calls;
    const globals = new Set(calls.keys());
    for (const { name, strings: outlined, condition } of outlines) {
      const strings = outlined.map(({ identifier, value, modifiers }) => ({
        identifier,
        string: this.#strings.push(stringNeed(value, modifiers)) - 1,
      }));
      const rules = new Set(this.#conditions.keys());
      const read = readCondition(condition, { strings, globals, rules });
      this.#conditions.set(name, read);
      if (this.#restsOnReports(read)) this.#ofReports.add(name);
    }
  }

  /** Whether nothing decides a rule but what reports say of the APK: it matches in all files, or in none. */
  asksReportsAlone = (name: string): boolean => this.#ofReports.has(name);

  /** The rules that a condition names stand before it. */
  #restsOnReports(condition: Condition): boolean {
    const { isConstant, rules, globals } = basisOf(condition);
    const calls = globals.map((name) => this.#calls.get(name)!);
    return isConstant && rules.every(this.asksReportsAlone) && !calls.some(isFileCall);
  }

  /** What a file needs for a rule to match in it. */
  of(name: string): ContentNeed {
    let need = this.#needs.get(name);
    if (need === undefined) {
      this.#depth += 1;
      need = this.#depth > maxChain ? any : this.#of(this.#conditions.get(name)!);
      this.#depth -= 1;
      this.#needs.set(name, need);
    }
    return need;
  }

  /** Why nothing is known of a rule. */
  whySlow({ name, strings }: OutlinedRule, told: string): SlowRule {
    const without = strings.filter(({ value, modifiers }) => isAny(stringNeed(value, modifiers)));
    const mayHoldWithout = outlookOf(this.#conditions.get(name)!, withoutStrings) !== false;
    return {
      rule: told,
      reason: mayHoldWithout ? 'condition' : 'strings',
      strings: without.slice(0, maxSlowStrings).map(({ identifier }) => identifier),
    };
  }

  #of(condition: Condition): ContentNeed {
    switch (condition.kind) {
      case 'boolean':
        return condition.value ? any : never;
      case 'string':
        return this.#strings[condition.string]!;
      case 'rule':
        return this.of(condition.name);
      case 'global':
        return this.#call(condition.name);
      case 'and':
        return this.#least(condition.parts.length, condition.parts);
      case 'or':
        return this.#least(1, condition.parts);
      case 'of':
        return this.#least(leastOf(condition), condition.parts);
      default:
        // What does not hold without its strings needs one of them.
        return outlookOf(condition, withoutStrings) === false ? this.#least(1, stringsIn(condition)) : any;
    }
  }

  #call(name: string): ContentNeed {
    const call = this.#calls.get(name);
    const prints = call === undefined ? null : callPrints(call);
    return prints === null ? any : { kind: 'reports', prints };
  }

  #least(count: number, parts: readonly Condition[]): ContentNeed {
    return least(
      count,
      parts.map((part) => this.#of(part)),
    );
  }
}

const leastOf = ({ least: count, parts }: Extract<Condition, { kind: 'of' }>): number =>
  count === 'any' ? 1 : count === 'all' ? parts.length : count;

function stringsIn(condition: Condition): Condition[] {
  if (condition.kind === 'string') return [condition];
  if (condition.kind === 'count' || condition.kind === 'place') return [{ kind: 'string', string: condition.string }];
  return partsOf(condition).flatMap(stringsIn);
}

/** How many fingerprints whatever holds these bytes has. */
const worth = (bytes: string): number => printsOf(bytes).length;

function printsOf(bytes: string): number[] {
  const prints = new FingerprintSet();
  addFingerprints(Buffer.from(bytes, 'latin1'), prints);
  return [...prints.sorted()];
}

/** What a file needs for a string of a rule to be found in it. */
function stringNeed(value: string, modifiers: readonly string[]): ContentNeed {
  const alternatives = necessaryLiterals(value, modifiers, worth);
  if (alternatives === null) return any;
  const each = new Map(
    alternatives.map(({ bytes }) => printsOf(bytes)).map((prints) => [prints.join(), prints] as const),
  );
  return least(
    1,
    [...each.values()].map((prints) => (prints.length === 0 ? any : { kind: 'prints', prints })),
  );
}
