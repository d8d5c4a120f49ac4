import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withCandidates } from '../../../../server/engine/yara/candidate-engine.ts';
import { compileRulesets } from '../../../../server/engine/yara/collection.ts';
import { openNativeEngine } from '../../../../server/engine/yara/native-engine.ts';
import { checkRuleset } from '../../../../server/engine/yara/rule-check.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { openWasmEngine } from '../../../../server/engine/yara/wasm-engine.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';

const wasm = openWasmEngine();
const native = openNativeEngine();
const engines = [wasm, withCandidates(wasm), ...(native === null ? [] : [native])];
const options = {
  reports: { androguard: null, cuckoo: null, droidbox: null },
  rulesetTimeout: 10_000,
  progress: () => undefined,
};

/** What `yara -w -s RULES FILE` of YARA 4.2.3 tells: rules, data, and by rule the places and lengths of strings. */
type Form = readonly [rules: string, data: string, matches: string];

const withString = (value: string) => `rule r { strings: $a = ${value} condition: $a }`;

const forms: Record<string, readonly Form[]> = {
  'a repetition between no numbers is any number of times': [
    [withString('/a.{,}c/'), 'axxc', 'r 0+4'],
    [withString('/a.{,2}c/'), 'axxc', 'r 0+4'],
    [withString('/a.{,2}c/'), 'axxxc', ''],
  ],
  'a lazy expression that is optional as a whole is looked for': [
    [withString('/a??/'), 'bbab', 'r 2+1'],
    [withString('/(ab)??/'), 'xabcb', 'r 1+2'],
    [withString('/((a))??/'), 'xabcb', 'r 1+1'],
    [withString('/a{0,1}?/'), 'xabcb', 'r 1+1'],
    [withString('/(a|bc)??/'), 'xabcb', 'r 1+1 2+2'],
    [withString('/(a??)/'), 'xabcb', 'r 1+1'],
    [withString('/.??/'), 'xabcb', ''],
    [withString('/a*?/'), 'aab', ''],
    [withString('/a??|b/'), 'xabcb', ''],
  ],
  'alternatives behind one that is content with nothing are not tried': [
    [withString('/a||b/'), 'xabcb', 'r 1+1'],
    [withString('/c|a||b/'), 'xabcb', 'r 1+1 3+1'],
    [withString('/a|b||/'), 'xabcb', 'r 1+1 2+1 4+1'],
    [withString('/(a|)|b/'), 'xabcb', 'r 1+1'],
    [withString('/b?|a/'), 'xabcb', 'r 2+1 4+1'],
    [withString('/(a||b)c/'), 'xabcb', 'r 2+2 3+1'],
    [withString('/\\b|a/'), 'xabcb', 'r 1+1'],
  ],
  'a rule is false in its own condition': [
    ['rule a { condition: a }', '-', ''],
    ['rule a { condition: not a }', '-', 'a'],
    ['rule a { condition: any of (a*) }', '-', ''],
    ['rule a1 { condition: true } rule a { condition: all of (a*) }', '-', 'a1'],
    ['rule a1 { condition: true } rule a { condition: 2 of (a*) }', '-', 'a1'],
    ['rule a1 { condition: true } rule a { condition: any of (a*) }', '-', 'a1 a'],
    ['rule a1 { condition: false } rule a { condition: none of (a*) }', '-', 'a'],
  ],
  'short texts in Base64 are looked for': [
    [withString('"a" base64'), 'YQYWE=FhWFhYmFiaGE=', 'r 0+1 2+1 7+1 10+1 11+1'],
    [withString('"ab" base64'), 'YWIFiYhYYWJzeGFic3h4YWJz', 'r 0+2 3+2 6+2 8+2 14+2 20+2'],
    [withString('"ab" base64wide'), 'Y\0W\0I\0F\0i\0h\0Y\0', 'r 0+4 6+4 10+4'],
    [withString('"ab" base64 wide'), 'YQBiAGEA YQAx QAYABhAA EAYgAA hAGIA FhAGIA', 'r 0+5 23+4 30+5 37+5'],
    [withString('"ab" base64 private ascii'), 'YWIFiYhYab', 'r'],
  ],
  'an alphabet may hold what cannot be printed': [
    [
      withString('"abcdef" base64("!@#$%^&*(){}[].,|ABCDEFGHIJ\\x09LMNOPQRSTUVWXYZabcdefghijklmnopqrstu")'),
      'HF)SI&EVN|== N&^RHlAUIWT= N*QQHV]TIFIo',
      'r 0+8 15+7 29+7',
    ],
  ],
  'rules may be called as words of YARA-X alone': [
    ['rule include { condition: true } rule b { condition: include }', '-', 'include b'],
  ],
};

const formsOf = (name: string) => forms[name]!;

for (const engine of engines) {
  const outcomeOf = (rules: string, data: string) => {
    const collection = compileRulesets(engine, [{ id: 'one', rules }]);
    return scanApk(memorySource(Buffer.from(data, 'latin1')), collection, options).rulesets[0]!;
  };

  describe(`what YARA means, with the ${engine.name} engine`, () => {
    for (const name of Object.keys(forms)) {
      test(name, () => {
        const found = formsOf(name).map(([rules, data]) => {
          const { errors, rules_matched } = outcomeOf(rules, data);
          assert.deepEqual(errors, [], rules);
          const matches = rules_matched.map(({ name: rule, strings }) =>
            [rule, ...strings.map(({ offset, length }) => `${offset}+${length}`)].join(' '),
          );
          return [rules, data, matches.join(' ')];
        });
        assert.deepEqual(found, formsOf(name));
      });
    }

    test('constants that YARA refuses are refused at their place', () => {
      const placesIn = (condition: string) =>
        checkRuleset(engine, `rule r {\n condition: ${condition} }`).errors.map(({ line, column }) => [line, column]);
      assert.deepEqual(placesIn('5 \\ 0 == 1 or true'), [[2, 17]]);
      assert.deepEqual(placesIn('for all i in (0..3) : (5 % 0 == 1)'), [[2, 40]]);
      assert.deepEqual(placesIn('5 \\ filesize == 1 and 5 % 0x10 == 5'), []);
      const percentages = (percent: string) =>
        checkRuleset(engine, withString('"abc"').replace('condition: $a', `condition: ${percent} of them`)).errors
          .length;
      assert.deepEqual(['0%', '1%', '100%', '101%'].map(percentages), [1, 0, 0, 1]);
    });

    test("tags and metadata keep their author's words, also those of YARA-X alone", () => {
      const rules = 'rule r : with include { meta: include = "x" with = 1 condition: true }';
      const [match] = outcomeOf(rules, '-').rules_matched;
      assert.deepEqual([match!.tags, match!.metadata], [['with', 'include'], { include: 'x', with: 1 }]);
      assert.deepEqual(checkRuleset(engine, rules).rules[0]!.tags, ['with', 'include']);
    });
  });
}
