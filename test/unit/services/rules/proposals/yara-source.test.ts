// What an APK says, as YARA: whatever it is, rules compile, and ask for just that.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { reportMembers } from '../../../../../server/contract/engine/rule-features.ts';
import { bytesOf, literalOf } from '../../../../../server/engine/yara/language/literals.ts';
import { checkRules } from '../../../../../server/engine/yara/yara-tasks.ts';
import type { Literal } from '../../../../../server/services/rules/proposals/literal-choice.ts';
import {
  countingRules,
  proposedRules,
  rulesText,
  type TriedApk,
} from '../../../../../server/services/rules/proposals/proposed-rules.ts';
import { callSource, ruleNameOf, stringSource } from '../../../../../server/services/rules/proposals/yara-source.ts';

/** Bytes that look like chance, the same in each run. */
function noise(seed: number, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHash('sha256').update(`${seed} ${block}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

const nasty = [
  '"',
  '\\',
  '\\"',
  '"}',
  '*/',
  '/*',
  '//',
  '\n',
  '\r\n',
  '\t',
  '\0',
  '" or true //',
  '\\x41',
  '{ 00 }',
  '$a',
  'é',
  '\u202e',
  '😀',
  '\ud800',
  '/',
  '\\/',
  ']',
  '%s',
  "'",
  '" condition: true } rule b { condition: true',
];
const texts = (seed: number) => {
  const random = noise(seed, 40);
  return [
    random.toString('latin1'),
    random.toString('utf8'),
    nasty[random[0]! % nasty.length]! + nasty[random[1]! % nasty.length]! + random.toString('ascii', 2, 9),
  ];
};

const literal = (id: string, group: Literal['group'], source: string): Literal => ({
  ...{ id, group, source, value: '', where: '', score: 100, member: null, hash: null },
});

test('a string stands for just its bytes, in printable ASCII alone', () => {
  for (let seed = 0; seed < 300; seed++)
    for (const text of texts(seed)) {
      const bytes = Buffer.from(text, 'utf8');
      const source = stringSource(bytes);
      assert.match(source, /^[\x20-\x7e]+$/);
      const said = source.startsWith('"')
        ? Buffer.from(bytesOf(source.slice(1, -1)), 'latin1')
        : Buffer.from(source.replaceAll(/[^0-9a-f]/g, ''), 'hex');
      assert.deepEqual(said, bytes);
    }
});

test('a condition on reports asks for just the value, or for none', () => {
  for (let seed = 0; seed < 300; seed++)
    for (const text of texts(seed)) {
      const source = callSource('activity', text)!;
      assert.match(source, /^androguard\.activity\("[\x20-\x7e]*"\)$/);
      const argument = literalOf({ kind: 'text', text: source.slice('androguard.activity('.length, -1) });
      assert.deepEqual(argument, { kind: 'text', value: Buffer.from(text, 'utf8').toString('utf8') });
      if (!/^[a-z0-9.-]+$/.test(text)) assert.equal(callSource('domain', text), null);
    }
});

test('whatever APKs say, the rules compile, and are no others than those that were meant', () => {
  for (let seed = 0; seed < 12; seed++) {
    const words = Array.from({ length: 20 }, (_, at) => texts(seed * 100 + at)).flat();
    const reports = words.flatMap((text, at) => {
      const member = reportMembers[at % reportMembers.length]!;
      return [callSource(member, text), callSource('domain', `a${at}.example`)].flatMap((source, other) =>
        source === null ? [] : [literal(`r${at * 2 + other}`, 'report', source)],
      );
    });
    const strings = words.map((text, at) =>
      literal(`t${at}`, 'text', stringSource(Buffer.from(`${text}${at} text`, 'utf8'))),
    );
    const code = [
      literal('c1', 'code', '{ 12 ?? 34 56 78 ?? ?? 9a bc de f0 12 }'),
      literal('c2', 'code', '{ d0 01 02 03 04 05 }'),
    ];
    const literals = [...reports, ...strings, ...code];
    const tried: TriedApk[] = [{ apkId: 1, role: 'chosen', found: [literals.map(({ id }) => id)] }];
    const made = proposedRules(words[seed]!, literals, tried);
    const checked = checkRules(rulesText(made, () => 'in 1 of 1 chosen'));
    assert.deepEqual([checked.errors, checked.rules.map(({ name }) => name)], [[], made.map(({ name }) => name)]);
    assert.equal(made.length, 3);
    const counting = countingRules(literals);
    assert.deepEqual(checkRules(counting.reports).errors, []);
    assert.deepEqual(checkRules(counting.strings).errors, []);
    assert.equal(checkRules(counting.strings).rules.length, strings.length + code.length);
  }
});

test('a rule is named by the letters and digits of a name, whatever else is in it', () => {
  assert.equal(ruleNameOf('Joker / "42"', 'code'), 'Joker_42_code');
  assert.equal(ruleNameOf('360 мир', 'code'), 'apk_360_code');
  assert.equal(ruleNameOf('»', 'code'), 'apk_code');
});
