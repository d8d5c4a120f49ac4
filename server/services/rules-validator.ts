// Says whether a text is rules that can be saved, by compiling it in a worker. Knows nothing of YARA's language.
import type { RuleDiagnostic } from '../contract/yara.ts';
import type { WorkerPool } from '../jobs/worker-pool.ts';
import { Failure } from './failure.ts';

/** What came of checking rules: how many there are, or what is wrong with them. */
export type RulesVerdict = { rulesCount: number } | { faults: readonly RuleDiagnostic[] };

/** Checks the text of a ruleset before it is saved. */
export type RulesValidator = (rules: string) => Promise<RulesVerdict>;

/** Somebody waits for the answer, and what takes longer to compile would hold up every analysis. Milliseconds. */
const patience = 30_000;

/** Rules that break the worker that compiles them are refused whole. */
const tooMuch: RuleDiagnostic = {
  code: 'too-complex',
  title: 'the rules take too much time or memory to compile',
  line: 1,
  column: 1,
  end_line: 1,
  end_column: 1,
  help: 'divide them into several rulesets',
};

/** @throws Failure `rules-not-checked` where the workers fail for another reason than the rules */
export function compilingValidator(pool: WorkerPool): RulesValidator {
  return async (rules) => {
    if (rules.trim() === '') return { rulesCount: 0 };
    const reply = await pool.run({ kind: 'compile', rules }, { timeoutMs: patience });
    if (reply.status !== 'failed') {
      const { errors, rules: compiled } = reply.result;
      return errors.length > 0 ? { faults: errors } : { rulesCount: compiled.length };
    }
    if (['timeout', 'memory', 'crashed'].includes(reply.code)) return { faults: [tooMuch] };
    throw new Failure('rules-not-checked', { reason: reply.message });
  };
}
