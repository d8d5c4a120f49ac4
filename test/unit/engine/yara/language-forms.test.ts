import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RuleMatch } from '../../../../server/contract/engine/yara.ts';
import { compileRulesets } from '../../../../server/engine/yara/collection.ts';
import { withCandidates } from '../../../../server/engine/yara/engines/candidate-engine.ts';
import { openNativeEngine } from '../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../server/engine/yara/engines/wasm-engine.ts';
import { checkRuleset } from '../../../../server/engine/yara/rule-check.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';

const wasm = openWasmEngine();
const native = openNativeEngine();
const engines = [wasm, withCandidates(wasm), ...(native === null ? [] : [native])];
const options = {
  reports: { androguard: null, cuckoo: null, droidbox: null },
  rulesetTimeout: 10_000,
  progress: () => undefined,
};

/** By data, then by string with its modifiers: the rule with the places and lengths that `yara -w -s -L` of YARA 4.2.3 tells. */
type StringForms = Readonly<Record<string, Readonly<Record<string, string>>>>;

const withString = (value: string) => `rule r { strings: $a = ${value} condition: $a }`;

const stringForms: Readonly<Record<string, StringForms>> = {
  'a repetition between no numbers is any number of times': {
    axxc: {
      '/a.{,}c/': 'r 0+4',
      '/a.{,2}c/': 'r 0+4',
    },
    axxxc: {
      '/a.{,2}c/': '',
    },
  },
  'classes and alternatives of classes that hold every byte are any byte, however they are written': {
    '/ 1k': {
      '/[\\x00\\S\\D]1k/ fullword': 'r 1+3',
      '/(\\W|\\w)1k/ fullword': 'r 1+3',
    },
    '1k': {
      '/1k(\\W|\\w){0,4}/': 'r 0+2',
      '/1k[^\\n]{0,4}/': 'r 0+2',
      '/1k[\\D\\w]{0,4}/': 'r 0+2',
      '/[^\\n]{0,4}1k/': 'r 0+2',
    },
    '1\0\0\0k\0': {
      '/1[\\D\\w]*k/ wide': 'r 0+6',
    },
    '1\0.xk\0': {
      '/1[\\D\\w]k/ wide': '',
    },
  },
  'a group may end in an alternative of nothing, where the data begin or end too': {
    efg: {
      '/(abc|)ef/': 'r 0+2',
      '/fg(abc|)/': 'r 1+2',
      '/(x|)e(f|)/': 'r 0+2',
      '/(abc|)ef.*?g/': 'r 0+3',
    },
  },
  'a class of what is not there holds a letter in neither case': {
    'abcd abce': {
      '/abc[^D]/i fullword': 'r 5+4',
      '/abc[^D]/ fullword nocase': 'r 5+4',
    },
  },
  'a run of almost any bytes is a whole word as a whole': {
    'efgabc x': {
      '/[^x ]*/ fullword': 'r 0+6',
      '/[^ab]+/ fullword': 'r 7+1',
    },
  },
  'characters of base64 are found wherever they stand, at the beginning of a line too': {
    '\nYWJj': {
      '"abc" base64': 'r 1+4',
    },
  },
  'whole words that end in a class of bytes with some bits in common': {
    'xA A1 Ab': {
      '/A[\\x00-\\x7f]/ fullword': 'r 3+2 6+2',
      '/A([\\x00-\\x3f]|[@-\\x7f])/ fullword': 'r 3+2 6+2',
      '/[a]?A[1]/ fullword': 'r 3+2',
    },
  },
  'a lazy expression that is optional as a whole is looked for': {
    bbab: {
      '/a??/': 'r 2+1',
    },
    xabcb: {
      '/(ab)??/': 'r 1+2',
      '/((a))??/': 'r 1+1',
      '/a{0,1}?/': 'r 1+1',
      '/(a|bc)??/': 'r 1+1 2+2',
      '/(a??)/': 'r 1+1',
      '/.??/': '',
      '/a??|b/': '',
    },
    aab: {
      '/a*?/': '',
    },
  },
  'alternatives behind one that is content with nothing are not tried': {
    xabcb: {
      '/a||b/': 'r 1+1',
      '/c|a||b/': 'r 1+1 3+1',
      '/a|b||/': 'r 1+1 2+1 4+1',
      '/(a|)|b/': 'r 1+1',
      '/b?|a/': 'r 2+1 4+1',
      '/(a||b)c/': 'r 2+2 3+1',
      '/\\b|a/': 'r 1+1',
    },
  },
  'a letter beside a hyphen in a class is that letter, escaped or not': {
    'aw-z./~ 0`': {
      '/[\\w-z]/': 'r 1+1 3+1',
      '/[a-\\x77]/': 'r 0+1 1+1',
      '/[.-\\w]/': 'r 0+1 1+1 4+1 5+1 8+1 9+1',
      '/[!-\\s]/': 'r 0+1 2+1 4+1 5+1 8+1 9+1',
      '/[--a]/': 'r 0+1 2+1 4+1 5+1 8+1 9+1',
      '/[a-w-z]/': 'r 0+1 1+1 2+1 3+1',
      '/[\\/-a]/': 'r 0+1 5+1 8+1 9+1',
    },
  },
  'the borders of a file are edges of words': {
    '-a-': {
      '/\\b-a/': 'r 0+2',
      '/-\\b/': 'r 0+1 2+1',
      '/\\b\\w?-/': 'r 0+1 1+2 2+1',
      '/(\\b-|x)a/': 'r 0+2',
      '/\\b-/ fullword': '',
      '/x|-\\b/': 'r 0+1 2+1',
      '/\\b\\w-/': 'r 1+2',
    },
  },
  'an anchor of a wide expression is one': {
    'a\0b\0a\0b\0': {
      '/^ab/ wide': 'r 0+4',
      '/ab$/ wide': 'r 4+4',
      '/^ab/ wide ascii': 'r 0+4',
      '/(^|b)a/ wide': 'r 0+2 2+4',
      '/ab?$/i wide': 'r 4+4',
    },
    abab: {
      '/^ab/ wide': '',
      '/^ab/ wide ascii': 'r 0+2',
      '/ab$/ ascii wide': 'r 2+2',
    },
  },
  'words around a text with a key are looked for in the bytes as they are': {
    '`cb a`cb `cba b`cb `cb': {
      '"abc" xor fullword': 'r 0+3 19+3',
      '"abc" xor(1-2) fullword': 'r 0+3 19+3',
      '"abc" fullword xor private': 'r',
      '"abc" xor(0) fullword': '',
      '"abc" xor': 'r 0+3 5+3 9+3 15+3 19+3',
    },
  },
  'numbers of jumps have 32 bits, and no match is longer than a file': {
    axb: {
      '{ 61 [4294967296-] 62 }': 'r 0+3',
      '{ 61 [0-4294967297] 62 }': 'r 0+3',
      '{ 61 [99999999999] 62 }': '',
      '{ 61 [1215752191] 62 }': '',
      '{ 61 [1000000000-2000000000] 62 }': '',
      '{ 61 /* [4294967295] */ [ 0 - 1 ] 62 }': 'r 0+3',
      '{ 61 [0-99999999999] 62 }': 'r 0+3',
    },
  },
  'short texts in Base64 are looked for': {
    'YQYWE=FhWFhYmFiaGE=': {
      '"a" base64': 'r 0+1 2+1 7+1 10+1 11+1',
    },
    YWIFiYhYYWJzeGFic3h4YWJz: {
      '"ab" base64': 'r 0+2 3+2 6+2 8+2 14+2 20+2',
    },
    'Y\0W\0I\0F\0i\0h\0Y\0': {
      '"ab" base64wide': 'r 0+4 6+4 10+4',
    },
    'YQBiAGEA YQAx QAYABhAA EAYgAA hAGIA FhAGIA': {
      '"ab" base64 wide': 'r 0+5 23+4 30+5 37+5',
    },
    YWIFiYhYab: {
      '"ab" base64 private ascii': 'r',
    },
  },
  'an alphabet may hold what cannot be printed': {
    'HF)SI&EVN|== N&^RHlAUIWT= N*QQHV]TIFIo': {
      '"abcdef" base64("!@#$%^&*(){}[].,|ABCDEFGHIJ\\x09LMNOPQRSTUVWXYZabcdefghijklmnopqrstu")': 'r 0+8 15+7 29+7',
    },
  },
};

/** Rules, or a condition on two strings. */
const withCondition = (condition: string) =>
  /^(?:rule|import) /.test(condition)
    ? condition
    : `rule r { strings: $a = "a" $ab = "b" condition: (${condition}) or $a and #ab > 9 }`;

/** Of a dex file: its header alone, 128 bytes long by its own words, with a link section. */
function unusualDexHeader(): string {
  const header = Buffer.alloc(112);
  header.write('dex\n035\0');
  header.writeUInt32LE(128, 36);
  header.writeUInt32LE(7, 44);
  return header.toString('latin1');
}

/** By data, then by rules or condition: the names of the rules that `yara -w` of YARA 4.2.3 tells. */
const ruleForms: Readonly<Record<string, StringForms>> = {
  'a rule is false in its own condition': {
    '-': {
      'rule a { condition: a }': '',
      'rule a { condition: not a }': 'a',
      'rule a { condition: any of (a*) }': '',
      'rule a1 { condition: true } rule a { condition: all of (a*) }': 'a1',
      'rule a1 { condition: true } rule a { condition: 2 of (a*) }': 'a1',
      'rule a1 { condition: true } rule a { condition: any of (a*) }': 'a1 a',
      'rule a1 { condition: false } rule a { condition: none of (a*) }': 'a',
    },
  },
  'a string counts once for each time that a set names it': {
    a: {
      '2 of ($a, $a)': 'r',
      '3 of ($a, $a)': '',
      '2 of ($a*, $a)': 'r',
      '2 of ($*, $a)': 'r',
      '50% of ($a, $a, $ab)': 'r',
      '3 of ($a*, $ab)': '',
      '2 of ($a, $ab)': '',
      'all of ($a, $a)': 'r',
      'none of ($ab, $ab)': 'r',
    },
  },
  'a number of strings that turns out to be 0 is none of them': {
    b: {
      '#a of them': '',
      '#a of ($a)': 'r',
      '#ab of them': 'r',
      '#ab of ($a, $ab)': 'r',
    },
    zz: {
      '#a of them': 'r',
      '#ab of them': 'r',
    },
  },
  'imports outside of PE files are undefined, however many or whether': {
    '-': {
      'import "pe" rule r { condition: not pe.imports("a.dll", "b") }': '',
      'import "pe" rule r { condition: not pe.imports("a.dll") }': '',
      'import "pe" rule r { condition: pe.imports("a.dll", "b") >= 0 }': '',
      'import "pe" rule r { condition: not (pe.imports("a.dll", 5) < 1) }': '',
      'import "pe" rule r { condition: not pe.imports(pe.IMPORT_ANY, /a/, /b/) }': '',
      'import "pe" rule r { condition: pe.imports("a.dll", "b") + pe.imports("a.dll", "c") == 0 }': '',
      'import "pe" rule r { condition: pe.imports("a.dll", "b") or true }': 'r',
    },
  },
  'strings that rules share are found wherever another rule wants one to stand at the beginning': {
    xxPKabc: {
      'rule a { strings: $z = "PK" $m = "abc" condition: $z at 0 and $m } rule b { strings: $m = "abc" condition: $m }':
        'b',
      'rule a { strings: $z = "PK" condition: $z at 0 and #z > 1 } rule b { strings: $z = "PK" condition: $z }': 'b',
      'rule a { strings: $z = { 50 4b } condition: $z at 0x0 and @z < 9 } rule b { strings: $z = "PK" condition: $z }':
        'b',
    },
  },
  'an expression is found in a text where it begins at a byte, not behind the last one': {
    x: {
      'rule r { condition: "" matches /a*/ or "" matches /a/ or "" matches /^$/ or "" matches /\\b/ }': '',
      'rule r { condition: "a" matches /$/ or "a" matches /b*$/ or "a" matches /(b|$)/ or "a\\n" matches /$/ }': '',
      'rule r { condition: "a" matches /b?\\b$/ or "a" matches /b*?$/ or not "a" matches /a$/ }': '',
      'rule r { condition: "a" matches /^b*/ and "ab" matches /b*$/ and "ab" matches /b*?$/ and "a" matches /^/ }': 'r',
      'rule r { condition: "a" matches /(a|^$|x*)/ and "ab" matches /(a|b*)$/ and "-" matches /\\b/ }': 'r',
    },
  },
  'no string stands at the beginning of a program where there is none, and no range begins there': {
    'an x': {
      'rule r { strings: $a = "x" condition: not $a at entrypoint }': 'r',
      'rule r { strings: $entrypoint = "x" condition: not $entrypoint at entrypoint + @entrypoint }': 'r',
      'rule r { strings: $a = "x" condition: $a at entrypoint or not defined ($a at entrypoint) }': '',
      'rule r { strings: $a = "x" condition: not any of them in (entrypoint..filesize) }': '',
      'rule r { strings: $a = "x" condition: none of them in (0..entrypoint) or not $a in (0..entrypoint) }': '',
    },
  },
  'the header of a dex file is read whatever it says': {
    [unusualDexHeader()]: {
      'import "dex" rule r { condition: dex.header.header_size != 0x70 }': 'r',
      'import "dex" rule r { condition: dex.header.link_size == 7 and dex.header.data_size == 0 }': 'r',
      'import "dex" rule r { condition: not dex.header.magic matches /^dey/ }': 'r',
    },
    'dex\n035': {
      'import "dex" rule r { condition: not dex.header.header_size == 0x70 }': '',
      'import "dex" rule r { condition: not dex.header.magic matches /^dey/ }': '',
    },
  },
  'a loop that wants none of its items holds where there are some': {
    ab: {
      'for none of them : ($)': 'r',
      'not for 0 of ($a, $ab) : ($)': '',
      'for none i in (1..2) : (i == 1)': 'r',
      'for 0 i in (2..1) : (i == 1)': '',
      'none of them': '',
    },
  },
  'a variable of a loop may be called like a rule': {
    '-': {
      'rule i { condition: for any i in (1..3) : (i == 2) }': 'i',
      'rule i { condition: true } rule i { condition: for all i in (1..3) : (i == 2) }': 'i',
      'rule s { condition: true } rule b { strings: $a = "-" condition: $a and s and for all s in (1..3) : (s < 4) }':
        's b',
    },
  },
  'rules may be called as words of YARA-X alone': {
    '-': {
      'rule include { condition: true } rule b { condition: include }': 'include b',
    },
  },
};

for (const engine of engines) {
  const outcomesOf = (texts: readonly string[], data: string) => {
    const rulesets = texts.map((rules, index) => ({ id: String(index), rules }));
    return scanApk(memorySource(Buffer.from(data, 'latin1')), compileRulesets(engine, rulesets), options).rulesets;
  };

  describe(`what YARA means, with the ${engine.name} engine`, () => {
    /** By data and form, what of it matches: all forms are compiled together, each as a ruleset of its own. */
    const described = (
      forms: StringForms,
      rulesOf: (form: string) => string,
      describeMatches: (matches: RuleMatch[]) => string,
    ) =>
      Object.fromEntries(
        Object.entries(forms).map(([data, values]) => {
          const outcomes = outcomesOf(Object.keys(values).map(rulesOf), data);
          const told = Object.keys(values).map((form, index) => {
            const { errors, rules_matched: matched } = outcomes[index]!;
            assert.deepEqual(errors, [], form);
            return [form, describeMatches(matched)];
          });
          return [data, Object.fromEntries(told)];
        }),
      );

    for (const [name, forms] of Object.entries(stringForms)) {
      test(name, () => {
        const found = described(forms, withString, (matches) =>
          matches
            .flatMap(({ name: rule, strings }) => [rule, ...strings.map(({ offset, length }) => `${offset}+${length}`)])
            .join(' '),
        );
        assert.deepEqual(found, forms);
      });
    }

    for (const [name, forms] of Object.entries(ruleForms)) {
      test(name, () => {
        const found = described(forms, withCondition, (matches) => matches.map(({ name: rule }) => rule).join(' '));
        assert.deepEqual(found, forms);
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

    test('jumps of numbers below nothing, backwards or too long in all are refused at their string', () => {
      const titlesOf = (...values: string[]) => {
        const strings = values.map((value, index) => `$s${index} = ${value}`).join(' ');
        return checkRuleset(engine, `rule r { strings: ${strings} condition: all of them }`).errors.map(
          ({ column, title }) => [column, title],
        );
      };
      assert.deepEqual(titlesOf('{ 61 [2147483648] 62 }'), [[25, 'invalid jump length']]);
      assert.deepEqual(titlesOf('{ 61 [99999999999999999999] 62 }'), [[25, 'invalid jump length']]);
      assert.deepEqual(titlesOf('{ 61 [5-4294967299] 62 }'), [[25, 'invalid jump range']]);
      const long = '{ 61 [3000000] 62 }';
      assert.deepEqual(titlesOf(long, long), [[51, 'the jumps of all strings come to more than 5000000 bytes']]);
    });

    test("tags and metadata keep their author's words, also those of YARA-X alone", () => {
      const rules = 'rule r : with include { meta: include = "x" with = 1 condition: true }';
      const [match] = outcomesOf([rules], '-')[0]!.rules_matched;
      assert.deepEqual([match!.tags, match!.metadata], [['with', 'include'], { include: 'x', with: 1 }]);
      assert.deepEqual(checkRuleset(engine, rules).rules[0]!.tags, ['with', 'include']);
    });
  });
}

test('a rule whose condition needs a module that nobody imports tells its places without the rules before it', () => {
  const rules = 'rule a { condition: false } rule b { strings: $a = "x" condition: $a in (0..uint32(0)) }';
  const [first] = engines;
  const collection = compileRulesets(first!, [{ id: 'rules', rules }]);
  const [match] = collection.rulesWithPlaces(collection.rulesets[0]!.key, ['b']).scan(Buffer.from('xyzzy'), {}, 1_000);
  assert.deepEqual(match?.strings, [{ identifier: '$a', offset: 0, length: 1 }]);
});

test('private strings tell no places', () => {
  const rules = 'rule r { strings: $a = "xy" private $b = "yz" condition: all of them }';
  for (const engine of engines) {
    const collection = compileRulesets(engine, [{ id: 'rules', rules }]);
    const [match] = collection.rulesWithPlaces(collection.rulesets[0]!.key, ['r']).scan(Buffer.from('xyz'), {}, 1_000);
    assert.deepEqual(match?.strings, [{ identifier: '$b', offset: 1, length: 2 }], engine.name);
  }
});
