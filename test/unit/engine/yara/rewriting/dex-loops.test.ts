import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileRulesets } from '../../../../../server/engine/yara/collection.ts';
import { openNativeEngine } from '../../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../../server/engine/yara/engines/wasm-engine.ts';
import { checkRuleset } from '../../../../../server/engine/yara/rule-check.ts';
import { scanApk } from '../../../../../server/engine/yara/scan.ts';
import { fileSource } from '../../../../../server/vault/byte-source.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';

const wasm = openWasmEngine();
const native = openNativeEngine();
const rulesOf = (conditions: readonly string[]) =>
  `import "dex" ${conditions.map((condition, index) => ruleOf(`r${index}`, condition)).join('\n')}`;
const ruleOf = (name: string, condition: string) =>
  condition.includes('$')
    ? `rule ${name} { strings: $here = "appium" $missing = "nosuchthing" condition: (${condition}) or ($here and $missing) }`
    : `rule ${name} { condition: ${condition} }`;

/** Conditions that `yara` 4.2.3 says hold for `classes.dex` of the unlock APK, then ones that do not. */
const holding = [
  'for any i in (0..dex.number_of_methods) : (dex.method[i].name == "onCreate")',
  'for 2 i in (0..dex.header.method_ids_size - 1) : (dex.method[i].name matches /^<c?l?init>$/)',
  'for all i in (0..dex.number_of_methods-1) : (dex.method[i].direct == 1 or dex.method[i].virtual == 1)',
  'for any m in dex.method : (m.class_name contains "appium" and (m.name istartswith "ON" and not m.proto == "I"))',
  'for any m in dex.method : (m.access_flags & 1 == 1 and (m.access_flags & 8) == 0)',
  'for any m in dex.method : (m.virtual and m.code_off > 0)',
  'for 3 f in dex.field : (f.proto == "I" or f.class_name iendswith "R$STRING;")',
  'for any i in (0..dex.header.string_ids_size) : (dex.string_ids[i].value == "onCreate")',
  'for any s in dex.string_ids : (s.value matches /^Lio\\/appium\\/[a-z]+/)',
  'for any m in dex.method : (m.name == "onCreate" and $here and not $missing)',
  'for all m in dex.method : (m.name == "nothing" or ($missing or $here))',
  'for any i in (0..dex.number_of_methods) : (dex.method[i].name == "<init>" and dex.method[i + 1].name == "onCreate")',
  'for any i in (0..3) : (dex.method[i-1].name matches /./ and dex.method[i].name matches /./)',
  'for any i in (0..100000) : (not (dex.method[i].name == "a" or dex.method[i].name == "b"))',
];
const failing = [
  'for all i in (0..dex.number_of_methods) : (dex.method[i].name matches /./)',
  'for any m in dex.method : (m.name == "onCreate" and $missing)',
  'for all i in (0..3) : (dex.method[i - 1].name matches /./)',
  'for any i in (9..4) : (dex.method[i].name matches /./)',
  'for all i in (9..4) : (dex.method[i].name matches /./)',
  'for any m in dex.method : (m.name == "oncreate")',
  'for 100000 m in dex.method : (m.name matches /./)',
  'for any i in (100000..100009) : (not dex.method[i].name == "a")',
];
for (const engine of native === null ? [wasm] : [wasm, native]) {
  /** Of which files inside the APK each condition holds. */
  const filesOf = (conditions: readonly string[]) => {
    const collection = compileRulesets(engine, [{ id: 'one', rules: rulesOf(conditions) }]);
    const reports = { androguard: null, cuckoo: null, droidbox: null };
    const options = { reports, rulesetTimeout: 10_000, progress: () => undefined };
    const [outcome] = scanApk(fileSource(realApks.unlock), collection, options).rulesets;
    assert.deepEqual(outcome!.errors, []);
    return conditions.map((_, index) =>
      outcome!.rules_matched.filter(({ name }) => name === `r${index}`).map(({ file }) => file),
    );
  };

  describe(`loops over what a dex file defines, with the ${engine.name} engine`, () => {
    test('they hold for the dex file where as many methods, fields or strings fit as they want', () => {
      for (const [index, files] of filesOf(holding.slice(0, -1)).entries()) {
        assert.deepEqual(files, ['classes.dex'], holding[index]);
      }
    });

    test('they hold nowhere where too few fit, where an index is past the end, or over nothing', () => {
      for (const [index, files] of filesOf(failing).entries()) {
        assert.deepEqual(files, [], failing[index]);
      }
    });

    test('a loop between numbers runs in every file, and what is undefined is false within it', () => {
      const [files] = filesOf([holding.at(-1)!]);
      assert.equal(files!.includes('AndroidManifest.xml'), true);
    });
  });
}

describe('the check of loops over dex files', () => {
  const titlesOf = (condition: string) => checkRuleset(wasm, rulesOf([condition])).errors.map(({ title }) => title);

  test('takes those over tables, which the engine runs itself', () => {
    assert.deepEqual(titlesOf('for any i in (0..dex.header.class_defs_size) : (dex.class_defs[i].class_idx > 9)'), []);
    assert.deepEqual(titlesOf('for any i in (1..3) : (i == 2)'), []);
  });

  test('knows no words that the module does not, though every object knows them', () => {
    assert.notDeepEqual(titlesOf('for any i in (0..9) : (dex.method[i].constructor == "a")'), []);
    assert.notDeepEqual(titlesOf('for any c in dex.constructor : (c.name == "Object")'), []);
    assert.notDeepEqual(titlesOf('dex.valueOf == 1 or dex.header.toString == 1'), []);
  });

  test('tells of broken expressions and of what cannot be asked in them', () => {
    assert.match(String(titlesOf('for any m in dex.method : (m.name matches /(/)')), /invalid regular expression/);
    assert.match(
      String(titlesOf('for any i in (0..9) : (dex.method[i*2].name == "a")')),
      /takes a number that is written out/,
    );
    assert.match(String(titlesOf('for any m in dex.method : (m.name == filesize)')), /is asked by an index/);
  });
});
