import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRules } from '../../../../server/engine/yara/yara-tasks.ts';
import { yaraVocabulary } from '../../../../server/services/rules/yara-vocabulary.ts';

/** A condition that uses a member, with arguments of the kinds that its signature names. */
function conditionOf(
  module: string,
  { signature, kind, returns }: { signature: string; kind: string; returns: string },
) {
  const field = `${module}.${signature}`;
  if (kind === 'field') return returns === 'array' ? `for any part in ${field} : ( true )` : `${field} >= 0`;
  const values: Record<string, string> = {
    'text | regexp': '/x/',
    text: '"x"',
    regexp: '/x/',
    boolean: 'true',
    value: signature.startsWith('log') ? '"x"' : '1.0',
    mean: '1.0',
    lower: '0.0',
    upper: '2.0',
  };
  const call = signature.replace(/\((.*)\)/, (_, list: string) => {
    const words = list === '' ? [] : list.split(', ');
    return `(${words.map((word) => values[word] ?? '1').join(', ')})`;
  });
  if (returns === 'boolean') return `${module}.${call}`;
  return returns === 'string' ? `${module}.${call} == "x"` : `${module}.${call} > 0`;
}

test('every module, function and field that the editor completes compiles as it is signed', () => {
  for (const { name, members } of yaraVocabulary.modules) {
    const rules = [
      `import "${name}" rule imports { condition: true }`,
      ...members.map((member, index) => `rule r${index} { condition: ${conditionOf(name, member)} }`),
    ].join('\n');
    assert.deepEqual(
      checkRules(rules).errors.map(({ title, line }) => `${title} in: ${rules.split('\n')[line - 1]}`),
      [],
      name,
    );
  }
});

test('no keyword can name a rule, but those that yara itself takes for names', () => {
  // `yara` 4.2.3 knows no `with`, and `include` only where a file's name follows.
  const names = new Set(['with', 'include']);
  const accepted = yaraVocabulary.keywords.filter(
    (word) => !names.has(word) && checkRules(`rule ${word} { condition: true }`).errors.length === 0,
  );
  assert.deepEqual(accepted, []);
});
