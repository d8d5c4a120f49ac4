// Fuzz target: checking rules with both engines: what is refused is told at a place in the author's text, and by both.
import { openNativeEngine } from '../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../server/engine/yara/engines/wasm-engine.ts';
import { checkRuleset } from '../../../server/engine/yara/rule-check.ts';
import { type FuzzTarget, hold, textOf } from '../target.ts';
import { yaraRules, yaraWords } from '../yara-samples.ts';

const everywhere = openWasmEngine();
const native = openNativeEngine();

export const target: FuzzTarget = {
  subject: ['engine/yara/'],
  isText: true,
  samples: () => yaraRules.map((rules) => Buffer.from(rules)),
  words: yaraWords,
  refusals: [],
  maxCpuTime: (size) => 5000 + size,
  run(input) {
    const rules = textOf(input);
    const checked = checkRuleset(everywhere, rules);
    const { errors, warnings } = checked;
    hold(!errors.some(({ title }) => title.includes('YARA-X fails')), 'the engine does not fail');
    const lines = rules.split('\n').length;
    for (const { line } of [...errors, ...warnings])
      hold(line >= 1 && line <= lines, 'a fault is told on a line of the rules', `${line} of ${lines}`);
    if (native !== null) {
      const other = checkRuleset(native, rules).errors;
      const isSame = (other.length === 0) === (errors.length === 0);
      hold(isSame, 'both engines take the same rules', JSON.stringify([errors, other]).slice(0, 600));
    }
    return checked;
  },
};
