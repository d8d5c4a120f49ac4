// Runs our engine over bytes, for comparison. Knows nothing of Debian's yara.
import type { RulesetText } from '../../server/contract/yara.ts';
import { compileRulesets } from '../../server/engine/yara/collection.ts';
import type { YaraEngine } from '../../server/engine/yara/engine.ts';
import { FileFacts, isFileCall, valuesOnFile } from '../../server/engine/yara/file-functions.ts';

export type Matcher = { match(bytes: Uint8Array): string[] } | { error: string };

/** Compiles one ruleset the way scans do; `match` gives the names of the rules that match, private ones left out. */
export function matcherOf(engine: YaraEngine, ruleset: RulesetText, timeoutMs: number): Matcher {
  const collection = compileRulesets(engine, [ruleset]);
  const errors = collection.errorsOf(collection.rulesets[0]!.key);
  if (errors !== null) return { error: errors[0]?.title ?? 'refused' };
  const engineRules = collection.groups[0]!.engineRules!;
  const [member] = collection.members.values();
  const globals = {};
  const fileCalls = [...(member?.calls ?? [])].filter(([, call]) => isFileCall(call));
  return {
    match: (bytes) =>
      engineRules
        .scan(bytes, globals, timeoutMs, valuesOnFile(fileCalls, new FileFacts({ name: '', bytes })))
        .flatMap(({ rule }) => member?.rules.get(rule)?.name ?? [])
        .sort(),
  };
}
