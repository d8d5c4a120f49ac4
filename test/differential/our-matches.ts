// Runs our engine over bytes, for comparison. Knows nothing of Debian's yara.
import type { RulesetText } from '../../server/contract/engine/yara.ts';
import { compileRulesets } from '../../server/engine/yara/collection.ts';
import { labelOf, type YaraEngine } from '../../server/engine/yara/engines/engine.ts';
import { FileFacts, isFileCall, valuesOnFile } from '../../server/engine/yara/modules/file-functions.ts';

export type Matcher = { match(bytes: Uint8Array): string[] } | { error: string };

/** Compiles rulesets the way scans do; `match` gives the names of the rules that match, private ones left out. */
export function matcherOf(engine: YaraEngine, rulesets: readonly RulesetText[], timeoutMs: number): Matcher {
  const collection = compileRulesets(engine, rulesets);
  for (const { key } of collection.rulesets) {
    const errors = collection.errorsOf(key);
    if (errors !== null) return { error: errors[0]?.title ?? 'refused' };
  }
  const { engineRules, owners } = collection.groups[0]!;
  const globals = {};
  const fileCalls = [...collection.members.values()]
    .flatMap(({ calls }) => [...calls])
    .filter(([, call]) => isFileCall(call));
  return {
    match: (bytes) =>
      engineRules!
        .scan(bytes, globals, timeoutMs, valuesOnFile(fileCalls, new FileFacts({ name: '', bytes })))
        .flatMap((match) => owners.get(labelOf(match))?.rules.get(match.rule)?.name ?? [])
        .sort(),
  };
}
