// Fuzz target: checking rules with the engine, which is WebAssembly: what is refused is told at a place in the author's text.

import { openWasmEngine } from '../../../server/engine/yara/engines/wasm-engine.ts';
import { checkRuleset } from '../../../server/engine/yara/rule-check.ts';
import { type FuzzTarget, hold, textOf } from '../target.ts';
import { yaraRules, yaraWords } from '../yara-samples.ts';

const engine = openWasmEngine();

export const target: FuzzTarget = {
  subject: ['engine/yara/'],
  isText: true,
  samples: () => yaraRules.map((rules) => Buffer.from(rules)),
  words: yaraWords,
  refusals: [],
  maxCpuTime: (size) => 5000 + size,
  run(input) {
    const rules = textOf(input);
    const checked = checkRuleset(engine, rules);
    // Kept whole, as the next rules would pay for them: what brings the engine to a fault.
    hold(!checked.errors.some(({ title }) => title.includes('YARA-X fails')), 'the engine does not fail');
    const lines = rules.split('\n').length;
    for (const { line } of [...checked.errors, ...checked.warnings])
      hold(line >= 1 && line <= lines, 'a fault is told on a line of the rules', `${line} of ${lines}`);
    return checked;
  },
};
