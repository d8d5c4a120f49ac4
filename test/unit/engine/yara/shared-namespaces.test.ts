import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileRulesets } from '../../../../server/engine/yara/collection.ts';
import { openNativeEngine } from '../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../server/engine/yara/engines/wasm-engine.ts';
import { rewriteRules } from '../../../../server/engine/yara/rewriting/rewriting.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { sharedNamespaces } from '../../../../server/engine/yara/shared-namespaces.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';

const engine = openNativeEngine() ?? openWasmEngine();
const namespacesOf = (...texts: string[]) =>
  sharedNamespaces(texts.map((rules, index) => ({ own: String(index), rules, rewritten: rewriteRules(rules) })));

describe('rulesets share a namespace of the engine', () => {
  test('where none has a name of another, or asks for one', () => {
    assert.deepEqual(
      namespacesOf('rule a { condition: true }', 'rule b { condition: true }', 'rule c { condition: true }'),
      ['0', '0', '0'],
    );
    assert.deepEqual(namespacesOf('rule a { condition: true }', 'rule a { condition: true }'), ['0', '1']);
    assert.deepEqual(namespacesOf('rule a { condition: true }', 'rule b { condition: a }'), ['0', '1']);
    assert.deepEqual(namespacesOf('rule b { condition: a }', 'rule a { condition: true }'), ['0', '1']);
  });

  test('where they import the same modules, no rule is global and no set of rules is open', () => {
    const imports = 'import "pe" rule a { condition: pe.is_pe }';
    assert.deepEqual(namespacesOf(imports, 'rule b { condition: true }', imports.replace(' a ', ' c ')), [
      '0',
      '1',
      '0',
    ]);
    assert.deepEqual(namespacesOf('rule a { condition: true }', 'global rule b { condition: false }'), ['0', '1']);
    assert.deepEqual(namespacesOf('rule a { condition: true }', 'rule b { condition: any of (x*) }'), ['0', '1']);
  });

  test('and each is told its own matches and faults', () => {
    const rulesets = [
      'rule a { condition: true } private rule hidden { condition: true }',
      'rule b { condition: true }',
      'rule a { condition: filesize > 1000 } rule c { condition: hidden }',
      'global rule g { condition: false } rule d { condition: true }',
      'rule c { condition: true }',
    ].map((rules, index) => ({ id: String(index), rules }));
    const scan = (given: typeof rulesets) =>
      scanApk(memorySource(Buffer.from('bytes')), compileRulesets(engine, given), {
        reports: { androguard: null, cuckoo: null, droidbox: null },
        rulesetTimeout: 5_000,
        progress: () => undefined,
      }).rulesets.map(({ status, rules_matched: matched }) => [status, ...matched.map(({ name }) => name)]);
    const expected = [['done', 'a'], ['done', 'b'], ['broken'], ['done'], ['done', 'c']];
    assert.deepEqual(scan(rulesets), expected);
    const whole = rulesets.filter((_, index) => index !== 2);
    assert.deepEqual(
      scan(whole),
      expected.filter((_, index) => index !== 2),
    );
  });
});
