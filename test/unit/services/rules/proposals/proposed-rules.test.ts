// How many literals a rule asks for, and what it meets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Literal } from '../../../../../server/services/rules/proposals/literal-choice.ts';
import {
  meets,
  proposedRules,
  rulesText,
  type TriedApk,
  type TriedRole,
} from '../../../../../server/services/rules/proposals/proposed-rules.ts';

const literals = (group: Literal['group'], count: number, score = 50): Literal[] =>
  Array.from({ length: count }, (_, at) => {
    const id = `${group[0]}${at}`;
    return {
      ...{
        id,
        group,
        source: group === 'report' ? `androguard.activity("${id}")` : `"${id}"`,
        value: id,
        where: '',
        score,
        member: null,
        hash: null,
      },
    };
  });
let ids = 0;
const apk = (role: TriedRole, ...found: string[][]): TriedApk => ({ apkId: ++ids, role, found });
const least = (made: ReturnType<typeof proposedRules>) => made.map((rule) => rule.least);
const texts = literals('text', 8);
const of = (count: number) => texts.slice(0, count).map(({ id }) => id);

test('a quarter of the literals has to be there, and two at the least', () => {
  assert.deepEqual(least(proposedRules('a', texts, [apk('chosen', of(8))])), [2]);
  assert.deepEqual(least(proposedRules('a', texts.slice(0, 3), [apk('chosen', of(3))])), [2]);
});

test('more than any known good one has, or there is no rule', () => {
  assert.deepEqual(least(proposedRules('a', texts, [apk('chosen', of(8)), apk('good', of(5))])), [6]);
  assert.deepEqual(proposedRules('a', texts, [apk('chosen', of(4)), apk('good', of(4))]), []);
});

test('others are left out where that costs little coverage', () => {
  const chosen = Array.from({ length: 5 }, () => apk('chosen', of(8)));
  assert.deepEqual(least(proposedRules('a', texts, [...chosen, apk('other', of(4))])), [5]);
  const weak = Array.from({ length: 5 }, () => apk('chosen', of(3)));
  assert.deepEqual(least(proposedRules('a', texts, [...weak, apk('other', of(4))])), [2]);
});

test('a single literal makes a rule only where it tells much by itself', () => {
  const seen = [apk('chosen', ['t0'])];
  assert.deepEqual(proposedRules('a', literals('text', 1), seen), []);
  assert.deepEqual(least(proposedRules('a', literals('text', 1, 90), seen)), [1]);
});

test('strings count where they stand in one file, as rules look at one file after the other', () => {
  const [rule] = proposedRules('a', texts, [apk('chosen', of(8))]);
  assert.ok(meets(rule!, apk('chosen', [], ['t0', 't1'])));
  assert.ok(!meets(rule!, apk('chosen', [], ['t0'], ['t1'])));
});

test('conditions on reports come first, summed; strings are counted by their rule', () => {
  const made = proposedRules('fam', [...texts, ...literals('report', 2)], [apk('chosen', ['r0', 'r1'], of(8))]);
  assert.equal(
    rulesText(
      made.map((rule) => ({ ...rule, literals: rule.literals.slice(0, 2) })),
      ({ id }) => `why ${id}`,
    ),
    [
      'import "androguard"',
      '',
      'rule fam_reports',
      '{',
      '    condition:',
      '        // why r0',
      '        androguard.activity("r0") +',
      '        // why r1',
      '        androguard.activity("r1") >= 2',
      '}',
      '',
      'rule fam_texts',
      '{',
      '    strings:',
      '        // why t0',
      '        $t0 = "t0"',
      '        // why t1',
      '        $t1 = "t1"',
      '    condition:',
      '        2 of them',
      '}',
      '',
    ].join('\n'),
  );
});
