// Fuzz target: the text of YARA rules, split into tokens, outlined and rewritten for the engine.
import { necessaryLiterals } from '../../../server/engine/yara/language/necessary-literals.ts';
import { outlineRules } from '../../../server/engine/yara/language/rule-outline.ts';
import { tokenize } from '../../../server/engine/yara/language/tokens.ts';
import { rewriteRules } from '../../../server/engine/yara/rewriting/rewriting.ts';
import { type FuzzTarget, hold, textOf } from '../target.ts';
import { yaraRules, yaraWords } from '../yara-samples.ts';

export const target: FuzzTarget = {
  subject: ['engine/yara/'],
  isText: true,
  samples: () => yaraRules.map((rules) => Buffer.from(rules)),
  words: yaraWords,
  refusals: [],
  run(input) {
    const rules = textOf(input);
    let end = 0;
    for (const token of tokenize(rules)) {
      hold(token.start >= end && token.end > token.start, 'tokens stand one behind another');
      hold(rules.slice(token.start, token.end) === token.text, 'a token is what stands in its place');
      end = token.end;
    }
    const { text, calls, rules: headers, problems, notes } = rewriteRules(rules);
    for (const { start } of [...problems, ...notes])
      hold(start >= 0 && start <= rules.length, 'a problem stands in the rules', `${start}`);
    const outlines = outlineRules(text.text);
    const literals = outlines.flatMap(({ strings }) =>
      strings.map(({ value, modifiers }) => necessaryLiterals(value, modifiers)),
    );
    return { text: text.text, calls, headers, problems, notes, outlines, literals };
  },
};
