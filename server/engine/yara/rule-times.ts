// Measures the time of each rule by itself, over all files of an APK. Knows compiled rules, no APK.
import { cpuMilliseconds } from '../cpu-time.ts';
import type { RulesetCollection } from './collection.ts';
import type { EngineRules } from './engines/engine.ts';
import { type Asked, guardedScan, type ScannedFile, type ScanTime } from './engines/guarded-scan.ts';

/** Rules of a task that are measured; each costs a scan of every file. */
const maxRules = 200;
/** Milliseconds for all measurements together. */
const maxTime: ScanTime = { cpu: 120_000, clock: 240_000 };
/** Milliseconds on the clock after which the share that the processor spent is known well enough. */
const minShared = 500;

interface TimedRule {
  namespace: string;
  name: string;
  engineRules: EngineRules;
  asked: Asked;
  /** Milliseconds on the clock. */
  clock: number;
  isDone: boolean;
  /** Milliseconds of the processor that scans for matches took of the rule's ruleset, which holds no other. */
  ofRuleset: number;
}

export class RuleTimes {
  readonly #rules: readonly TimedRule[];
  /** For scans, on the clock and of the processor. */
  readonly #spent = { clock: 0, cpu: 0 };
  /** Milliseconds of the processor to compile the rules. */
  readonly #compiled: number;

  /**
   * @param namespaces those of the rulesets whose rules are timed
   * @param askedBy what one of them asks
   */
  constructor(
    collection: RulesetCollection,
    namespaces: readonly string[],
    askedBy: (namespace: string, key: string) => Asked,
  ) {
    const rules = namespaces.flatMap((namespace) => {
      const { key, rules: reported } = collection.members.get(namespace)!;
      return [...reported].map(([engineName, { name }]) => ({ namespace, key, engineName, name }));
    });
    const started = cpuMilliseconds();
    this.#rules = rules.slice(0, maxRules).map(({ namespace, key, engineName, name }) => ({
      namespace,
      name,
      engineRules: collection.ruleAlone(key, engineName),
      asked: askedBy(namespace, key),
      clock: 0,
      isDone: false,
      ofRuleset: 0,
    }));
    this.#compiled = cpuMilliseconds() - started;
  }

  /** Milliseconds of the processor that it has cost to take the times. */
  get cost(): number {
    return this.#compiled + this.#spent.cpu;
  }

  /** A rule that is too slow for one file is reported with that time, and measured no more. */
  take(file: ScannedFile, time: ScanTime): void {
    for (const rule of this.#rules) {
      if (rule.isDone || this.#spent.cpu > maxTime.cpu || this.#spent.clock > maxTime.clock) continue;
      const started = { clock: performance.now(), cpu: cpuMilliseconds() };
      rule.isDone = !Array.isArray(guardedScan(rule.engineRules, rule.asked, file, time));
      const clock = performance.now() - started.clock;
      rule.clock += clock;
      this.#spent.clock += clock;
      this.#spent.cpu += cpuMilliseconds() - started.cpu;
    }
  }

  /** A rule whose ruleset took too long, and holds no other, need not show it again. @param milliseconds of the processor */
  noteTimeout(namespace: string, milliseconds: number): void {
    const [only, other] = this.#rules.filter((rule) => rule.namespace === namespace);
    if (only === undefined || other !== undefined) return;
    only.isDone = true;
    only.ofRuleset = milliseconds;
  }

  /**
   * Frees the rules. The processor's time is counted in steps of up to 16 milliseconds: of each rule the clock tells, and of
   * all together what share the processor had.
   * @returns milliseconds of the processor by rule, with the namespace of its ruleset
   */
  end(): { namespace: string; name: string; milliseconds: number }[] {
    const { clock: all, cpu } = this.#spent;
    const share = all < minShared ? 1 : Math.min(cpu / all, 1);
    return this.#rules.map(({ namespace, name, engineRules, clock, ofRuleset }) => {
      engineRules.free();
      return { namespace, name, milliseconds: Math.round((clock * share + ofRuleset) * 1000) / 1000 };
    });
  }
}
