import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateOutline } from '../../../server/services/rules-validator.ts';

const count = async (rules: string) => {
  const verdict = await validateOutline(rules);
  return 'rulesCount' in verdict ? verdict.rulesCount : verdict.faults.map(({ line, column }) => `${line}:${column}`);
};

test('rules are counted past comments, strings, hexadecimal strings and regular expressions', async () => {
  assert.equal(await count(''), 0);
  assert.equal(await count('import "androguard"\n// rule no { }\n/* rule no */'), 0);
  const body = 'strings: $a = "}\\"}" $b = { 01 ( 02 | 03 ) ?? } $c = /[}]\\/"x{1,2}/i condition: any of them';
  assert.equal(await count(`global private rule a : one two { meta: x = "rule" ${body} } rule b{condition:true}`), 2);
});

test('what is no rule is a fault at its place', async () => {
  assert.deepEqual(await count('rule { condition: true }'), ['1:6']);
  assert.deepEqual(await count('rule a { condition: true }\n\nhello'), ['3:1']);
  assert.deepEqual(await count('rule a {\n  condition: true'), ['1:8']);
  assert.deepEqual(await count('rule a { strings: $a = "x" }'), ['1:28']);
  assert.deepEqual(await count('rule a { condition: true } rule a { condition: true }'), ['1:33']);
  assert.deepEqual(await count('rule a /* for ever'), ['1:19']);
});

test('a megabyte of what never ends is read in linear time', async () => {
  for (const part of ['/*\n', '"\n', '/a\n', '"', '/', '{', 'rule ']) {
    const started = process.cpuUsage();
    await validateOutline(part.repeat(1_000_000 / part.length));
    const { user, system } = process.cpuUsage(started);
    assert.ok(user + system < 2_000_000, `${JSON.stringify(part)}: ${user + system} µs`);
  }
});
