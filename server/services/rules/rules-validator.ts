// Says what a text holds as rules and what is wrong with it, by compiling it in a worker. Knows nothing of YARA's language.
import type { CompiledRuleset, RuleDiagnostic } from '../../contract/engine/yara.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import { Failure } from '../failure.ts';
import { compileTime } from '../policies.ts';

/** Checks the text of a ruleset before it is saved, or while it is typed. */
export type RulesValidator = (account: AccountRecord, rules: string) => Promise<CompiledRuleset>;

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
  return async (account, rules) => {
    if (rules.trim() === '') return { rules: [], errors: [], warnings: [] };
    // Somebody waits for the answer, and what takes longer to compile would hold up every analysis.
    const cpuMilliseconds = compileTime(account);
    const reply = await pool.run({ kind: 'compile', rules }, { cpuMilliseconds, account: account.id });
    if (reply.status !== 'failed') return reply.result;
    if (['timeout', 'memory', 'crashed', 'invalid-reply'].includes(reply.code))
      return { rules: [], errors: [tooMuch], warnings: [] };
    if (reply.code === 'not-isolated') throw new Failure('not-isolated');
    throw new Failure('rules-not-checked', { reason: reply.message });
  };
}
