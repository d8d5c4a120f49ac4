// Runs rulesets over one file so that none of them spoils it for the others. Knows neither stored files nor workers.

import type { RulesetOutcome } from '../../contract/engine/yara.ts';
import type { Finding } from '../../contract/findings/finding.ts';
import {
  accountShare,
  aloneLimits,
  awaitedStretch,
  compiledPerCharacter,
  heldPerCharacter,
  rulesetTimeout,
} from '../../contract/rules/ruleset-limits.ts';
import type { FailedReply, FinishedReply } from '../analyses/stored-file-tasks.ts';

/** A ruleset's text with a name that stands for the text: another text, another name. */
export interface ScanText {
  id: string;
  rules: string;
  /** The account on whose share of the time it runs; without one no share bounds it. */
  sharer?: number;
}

/**
 * What came of one ruleset. With `failed` the worker did not survive it, and code and message say how; with `done` the
 * code is `slow` where it ran by itself and took long.
 */
export interface ScanOutcome extends RulesetOutcome {
  code: string;
  message: string;
}

/** Bytes of a worker's memory for these rules: while they are compiled, which may become necessary, and for as long as it has them. */
export function memoryFor(texts: readonly ScanText[]): { takes: number; holds: number } {
  const length = texts.reduce((sum, { rules }) => sum + rules.length, 0);
  return { takes: length * compiledPerCharacter, holds: length * heldPerCharacter };
}

export type ApkScan =
  | FailedReply
  | {
      status: 'done' | 'partial';
      /** In the order of the rulesets. */
      outcomes: ScanOutcome[];
      findings: Finding[];
      /** Milliseconds of the processor by stage. */
      timings: Record<string, number>;
    };

type Scanned = FinishedReply<'yara'>;
/** Runs rulesets over the file in a worker, within this much processor time (milliseconds) or the usual limit. */
export type RunRulesets = (part: readonly ScanText[], cpuMilliseconds?: number) => Promise<Scanned | FailedReply>;

/** Milliseconds of the processor for a part of the rulesets, once all of them together made a worker die. */
const partLimit = 120_000;
/** Rulesets that are looked for one by one in an APK; more of them at once are another's fault than their own. */
const maxCulprits = 8;
/** Processor time in milliseconds, for any APK and for each megabyte of it, above which a ruleset that runs alone counts as slow. */
const slowBase = 3000;
const slowPerMegabyte = 200;
/** Failures that end a worker: the rules may be the reason, or the APK. */
const deathCodes: ReadonlySet<string> = new Set(['timeout', 'memory', 'crashed', 'invalid-reply']);

/** Tells whether the APK is to blame. */
const harmless: ScanText = { id: 'harmless', rules: 'rule harmless { condition: false }' };

const seconds = rulesetTimeout / 1000;
const tooLong = [
  `It took longer than ${seconds} seconds for one file, or than ${seconds * aloneLimits} by itself for all files of the APK.`,
  `That is time of the processor; large files get more, and a dry run ends at ${awaitedStretch} times as much on the clock.`,
];

const messages: Record<RulesetOutcome['status'], string> = {
  done: '',
  broken: 'It does not compile.',
  timeout: tooLong.join(' '),
  'over-share': `The active rulesets of its author took more than ${accountShare / 1000} seconds of the processor for one APK, and it was left out. Disable or simplify some.`,
  failed: 'The engine gave up on it.',
};

const nothing = { errors: [], files_scanned: 1, matches_count: 0, rules_matched: [], rules_measured: [] };

/** Of the processor; a worker that ended for its time took all of it. */
function timeOf(reply: Scanned | FailedReply): number {
  if (reply.status === 'failed') return reply.code === 'timeout' ? partLimit : 0;
  return reply.result.timings.yara ?? 0;
}

/** What does not compile leaves nothing of the file unseen. */
export const isAtEnd = ({ status }: RulesetOutcome): boolean => status === 'done' || status === 'broken';

export class RulesetIsolation {
  /**
   * Names of texts that are run by themselves: those that made a worker die, for good; those that took too long, until
   * they no longer do.
   */
  readonly #suspects = new Map<string, 'death' | 'timeout'>();

  /** Whether a text made a worker die, or took too long the last time. */
  isSuspect(id: string): boolean {
    return this.#suspects.has(id);
  }

  /**
   * Fails as a whole for the file's fault alone.
   * @param size bytes of the file
   * @param apart names a text that runs by itself, so that its own time is known
   */
  async scan(texts: readonly ScanText[], size: number, run: RunRulesets, apart?: string): Promise<ApkScan> {
    const collected = new Collected(size);
    const isApart = ({ id }: ScanText) => this.#suspects.has(id) || id === apart;
    const together = texts.filter((text) => !isApart(text));
    const groups = [together, ...texts.filter(isApart).map((text) => [text])].filter(({ length }) => length > 0);
    /** Milliseconds of the processor that an account's rulesets took by themselves. */
    const spent = new Map<number, number>();
    for (const group of groups) {
      const sharer = group === together ? undefined : group[0]?.sharer;
      const before = sharer === undefined ? 0 : (spent.get(sharer) ?? 0);
      if (before > accountShare + (slowPerMegabyte * size) / 1e6) {
        for (const { id } of group) collected.leaveOut(id);
        continue;
      }
      const reply = await run(group, group === together ? undefined : partLimit);
      if (sharer !== undefined) spent.set(sharer, before + timeOf(reply));
      if (reply.status !== 'failed') this.#learn(collected.add(reply));
      else if (!deathCodes.has(reply.code)) return reply;
      else {
        const probe = await run([harmless], partLimit);
        if (probe.status === 'failed') return deathCodes.has(probe.code) ? reply : probe;
        const cancelled = await this.#divide(group, reply, run, collected);
        if (cancelled !== null) return cancelled;
      }
    }
    return collected.inOrder(texts);
  }

  /** Finds out which of these rulesets a worker does not survive. @returns the failure that ends the scan, if any */
  async #divide(
    group: readonly ScanText[],
    death: FailedReply,
    run: RunRulesets,
    collected: Collected,
  ): Promise<FailedReply | null> {
    const parts: { texts: readonly ScanText[]; death: FailedReply }[] = [{ texts: group, death }];
    let culprits = 0;
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const [text] = part.texts;
      if (part.texts.length === 1 || culprits >= maxCulprits) {
        for (const { id } of part.texts) collected.fail(id, part.death);
        if (part.texts.length === 1 && text !== undefined) this.#suspects.set(text.id, 'death');
        culprits += 1;
        continue;
      }
      const middle = Math.ceil(part.texts.length / 2);
      for (const half of [part.texts.slice(0, middle), part.texts.slice(middle)]) {
        const reply = await run(half, partLimit);
        if (reply.status !== 'failed') this.#learn(collected.add(reply));
        else if (deathCodes.has(reply.code)) parts.push({ texts: half, death: reply });
        else return reply;
      }
    }
    return null;
  }

  #learn({ result: { rulesets } }: Scanned): void {
    for (const { id, status } of rulesets) {
      if (status === 'timeout') this.#suspects.set(id, this.#suspects.get(id) ?? 'timeout');
      else if (status === 'done' && this.#suspects.get(id) === 'timeout') this.#suspects.delete(id);
    }
  }
}

/** What the parts of a scan said. */
class Collected {
  readonly #outcomes = new Map<string, ScanOutcome>();
  readonly #findings: Finding[] = [];
  readonly #timings: Record<string, number> = {};
  readonly #size: number;
  #isPartial = false;

  /** @param size bytes of the APK */
  constructor(size: number) {
    this.#size = size;
  }

  add(reply: Scanned): Scanned {
    const { status, result } = reply;
    if (status === 'partial') this.#isPartial = true;
    for (const outcome of result.rulesets) {
      const { status: code } = outcome;
      this.#outcomes.set(outcome.id, { ...outcome, code, message: outcome.errors[0]?.title ?? messages[code] });
    }
    this.#noteSlowness(result);
    this.#findings.push(...result.findings);
    for (const [stage, milliseconds] of Object.entries(result.timings)) {
      this.#timings[stage] = (this.#timings[stage] ?? 0) + milliseconds;
    }
    return reply;
  }

  #noteSlowness({ rulesets, timings: { yara = 0 } }: Scanned['result']): void {
    const [only, other] = rulesets;
    if (only === undefined || other !== undefined || only.status !== 'done') return;
    const megabytes = this.#size / 1e6;
    if (only.rules_measured.length > 0 || yara < slowBase + slowPerMegabyte * megabytes) return;
    const message = `By itself it took ${(yara / 1000).toFixed(1)} seconds for an APK of ${megabytes.toFixed(1)} MB.`;
    this.#outcomes.set(only.id, { ...this.#outcomes.get(only.id)!, code: 'slow', message });
  }

  fail(id: string, { code, message }: FailedReply): void {
    this.#outcomes.set(id, { id, status: 'failed', ...nothing, code, message });
  }

  leaveOut(id: string): void {
    const code = 'over-share';
    this.#outcomes.set(id, { id, status: code, ...nothing, code, message: messages[code] });
  }

  inOrder(texts: readonly ScanText[]): ApkScan {
    const outcomes = texts.flatMap(({ id }) => this.#outcomes.get(id) ?? []);
    const isComplete = !this.#isPartial && outcomes.every(isAtEnd);
    return {
      status: isComplete ? 'done' : 'partial',
      outcomes,
      findings: this.#findings,
      timings: this.#timings,
    };
  }
}
