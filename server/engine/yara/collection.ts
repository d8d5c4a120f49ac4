// The rulesets of a task, ready to scan: in groups that are compiled together, with the places of strings on demand. Knows no APK.
import type { RuleDiagnostic, SentRuleset } from '../../contract/engine/yara.ts';
import { engineText, type TextOptions } from './engine-text.ts';
import type { EngineRules, YaraEngine } from './engines/engine.ts';
import { type RewrittenRules, rewriteRules } from './rewriting/rewriting.ts';
import { globalsOf } from './rule-check.ts';
import { compileGroup, type GroupMember, namespaceOf, type RuleGroup } from './rule-group.ts';
import { type KeyedRules, type TaskRuleset, taskRulesets } from './sent-rulesets.ts';

/** Places that are kept of one string. Conditions still count all of them. */
const maxPlaces = 2_000;
/** Sets of rules that stay compiled to find the places of their strings. */
const maxKept = 256;

export class RulesetCollection {
  readonly engine: YaraEngine;
  readonly groups: readonly RuleGroup[];
  /** In the order of the task. */
  readonly rulesets: readonly TaskRuleset[];
  /** By the namespace of their keys (`namespaceOf`). */
  readonly members: ReadonlyMap<string, GroupMember>;
  readonly #texts: ReadonlyMap<string, KeyedRules>;
  readonly #rewritten = new Map<string, RewrittenRules>();
  readonly #placed = new Map<string, EngineRules>();

  /** @param groups together hold every ruleset, broken or not; matches of others that they hold are dropped */
  constructor(engine: YaraEngine, rulesets: readonly TaskRuleset[], groups: readonly RuleGroup[]) {
    this.engine = engine;
    this.groups = groups;
    this.rulesets = rulesets;
    this.#texts = new Map(rulesets.map((ruleset) => [ruleset.key, ruleset]));
    const members = groups.flatMap((group) => [...group.members.values()]);
    this.members = new Map(
      members.filter(({ key }) => this.#texts.has(key)).map((member) => [namespaceOf(member.key), member]),
    );
  }

  /** What is wrong with a ruleset; null where it was compiled. */
  errorsOf(key: string): RuleDiagnostic[] | null {
    for (const { broken } of this.groups) if (broken.has(key)) return broken.get(key)!;
    return null;
  }

  /** A group of some of the members by themselves. */
  compileSome(keys: readonly string[]): RuleGroup {
    return compileGroup(
      this.engine,
      keys.map((key) => this.#texts.get(key)!),
    );
  }

  /**
   * Some rules of a ruleset that are known to match, with what they refer to, compiled so that they tell the places of
   * strings.
   */
  rulesWithPlaces(key: string, names: readonly string[]): EngineRules {
    const label = `${key} ${names.join(' ')}`;
    let placed = this.#placed.get(label);
    if (placed === undefined) {
      placed = this.#compile(key, { names: new Set(names), hasPlaces: true }, maxPlaces);
      this.#placed.set(label, placed);
      if (this.#placed.size > maxKept) this.#forgetOldest();
    }
    return placed;
  }

  /** One rule of a ruleset with what it refers to, for its time to be taken; the caller frees it. */
  ruleAlone(key: string, name: string): EngineRules {
    return this.#compile(key, { names: new Set([name]), hasPlaces: false });
  }

  #compile(key: string, options: TextOptions, maxMatches?: number): EngineRules {
    const rewritten = this.#rewrittenOf(key);
    const text = engineText(this.#texts.get(key)!.rules, rewritten, options);
    const source = { namespace: namespaceOf(key), text };
    return this.engine.compile([source], globalsOf([rewritten.calls]), maxMatches);
  }

  #rewrittenOf(key: string): RewrittenRules {
    let rewritten = this.#rewritten.get(key);
    if (rewritten === undefined) {
      rewritten = rewriteRules(this.#texts.get(key)!.rules);
      this.#rewritten.set(key, rewritten);
    }
    return rewritten;
  }

  #forgetOldest(): void {
    const [label, engineRules] = this.#placed.entries().next().value!;
    engineRules.free();
    this.#placed.delete(label);
  }

  /** Frees what was compiled for this collection alone; its groups may serve others. */
  free(): void {
    for (const engineRules of this.#placed.values()) engineRules.free();
    this.#placed.clear();
  }
}

/** Compiles rulesets into one group. */
export function compileRulesets(engine: YaraEngine, rulesets: readonly SentRuleset[]): RulesetCollection {
  const keyed = taskRulesets(rulesets, undefined);
  const group = compileGroup(engine, [...new Map(keyed.map((ruleset) => [ruleset.key, ruleset])).values()]);
  return new RulesetCollection(engine, keyed, [group]);
}
