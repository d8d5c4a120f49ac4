import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withCandidates } from '../../../../../server/engine/yara/engines/candidate-engine.ts';
import { Candidates } from '../../../../../server/engine/yara/engines/candidates.ts';
import type { YaraEngine } from '../../../../../server/engine/yara/engines/engine.ts';
import { openNativeEngine } from '../../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../../server/engine/yara/engines/wasm-engine.ts';
import { LiteralSearch } from '../../../../../server/engine/yara/language/literal-search.ts';
import { necessaryLiterals } from '../../../../../server/engine/yara/language/necessary-literals.ts';

const engine = openNativeEngine() ?? openWasmEngine();

describe('the literals that a string needs', () => {
  const bytesOf = (value: string, ...modifiers: string[]) =>
    necessaryLiterals(value, modifiers)?.map(({ bytes }) => bytes) ?? null;

  test('a text needs its bytes, in small letters where case is ignored, and with zeros where it is wide', () => {
    assert.deepEqual(bytesOf('"a\\x41\\"\\\\é"'), ['aA"\\\xc3\xa9']);
    assert.deepEqual(necessaryLiterals('"AbÀ"', ['nocase']), [{ bytes: 'ab\xc3\x80', isCaseless: true }]);
    assert.deepEqual(bytesOf('"abc"', 'wide'), ['a\0b\0c']);
    assert.deepEqual(bytesOf('"abc"', 'wide', 'ascii'), ['abc', 'a\0b\0c']);
  });

  test('a text under unknown keys needs its bytes under one of them', () => {
    assert.deepEqual(bytesOf('"abcd"', 'xor', '(', '0x01', '-', '2', ')'), ['`cbe', 'c`af']);
    assert.deepEqual(bytesOf('"abcd"', 'xor', '(', '1', ')'), ['`cbe']);
    assert.equal(bytesOf('"abcd"', 'xor', 'wide', 'ascii')?.length, 512);
  });

  test('a hex string needs its longest row of bytes', () => {
    assert.deepEqual(bytesOf('{ 61 62 ?? 63 64 65 [2-4] 66 }'), ['cde']);
    assert.deepEqual(bytesOf('{ 61 62 ( 63 64 65 66 | 67 ) ~68 69 // 70 71 72\n }'), ['ab']);
  });

  test('a regular expression needs what no repetition, class or alternative leaves open', () => {
    assert.deepEqual(bytesOf('/abc?defg[a-z]+hi/'), ['defg']);
    assert.deepEqual(bytesOf('/x(abc|de\\x66)+y/'), ['abc', 'def']);
    assert.deepEqual(bytesOf('/abcd|efgh/i'), ['abcd', 'efgh']);
    assert.deepEqual(bytesOf('/ab{2,3}cd/'), ['ab']);
    assert.deepEqual(bytesOf('/(abc)?de[^]x]f{0,2}g/'), ['de']);
    assert.deepEqual(bytesOf('/\\.exam\\b/', 'wide'), ['.\0e\0x\0a\0m']);
  });

  test('nothing is known of a string with too many forms, or a short one', () => {
    for (const value of ['/[a-z]+/', '/a|bcd/', '/(?i)abc/', '"a"', '{ 61 ?? 62 }', '/(((/']) {
      assert.equal(bytesOf(value), null, value);
    }
    assert.equal(bytesOf('"abc"', 'xor'), null);
    assert.equal(bytesOf('"abcdef"', 'base64'), null);
  });
});

describe('the search for literals', () => {
  test('finds long and short ones, at both ends, each once', () => {
    const literals = ['begin', 'ab', 'xyz', 'the end', 'zeros\0\0\0\0', 'nowhere'];
    const search = new LiteralSearch(literals.map((bytes) => ({ bytes, isCaseless: false })));
    const bytes = Buffer.from('begin beginab xyz zeros\0\0\0\0the end', 'latin1');
    const found = search.find(bytes).map((literal) => literals[literal]);
    assert.deepEqual(found.sort(), ['ab', 'begin', 'the end', 'xyz', 'zeros\0\0\0\0']);
    assert.deepEqual(search.find(Buffer.from('wher')), []);
    assert.deepEqual(search.find(new Uint8Array()), []);
  });

  test('tells cases apart where they matter', () => {
    const search = new LiteralSearch([
      { bytes: 'Word', isCaseless: false },
      { bytes: 'word', isCaseless: true },
    ]);
    assert.deepEqual(search.find(Buffer.from('a WORD')), [1]);
    assert.deepEqual(search.find(Buffer.from('a Word')).sort(), [0, 1]);
  });
});

describe('the rulesets that may match', () => {
  const mayMatch = (condition: string, bytes: string, globals: Record<string, number> = {}) => {
    const text = `rule other { condition: __one == 1 } rule r { strings: $a = "first" $b = "second" condition: ${condition} }`;
    return new Candidates([{ namespace: 'n', text }], ['__one']).find(Buffer.from(bytes), globals).length === 1;
  };

  test('are those whose conditions strings, sizes, first bytes and globals leave open', () => {
    for (const [condition, bytes, expected] of [
      ['any of them', 'the second', true],
      ['any of them', 'the third', false],
      ['all of them', 'the second', false],
      ['2 of ($*)', 'second first', true],
      ['none of them', 'the third', true],
      ['50% of them', 'nothing', false],
      ['$a at 0 or #b > 1', 'nothing', false],
      ['#a == 0', 'nothing', true],
      ['not $a', 'first', true],
      ['@a < 10', 'nothing', false],
      ['for any i in (1..#a) : (@a[i] < 10)', 'nothing', false],
      ['for all i in (1..#a) : (@a[i] < 10)', 'nothing', true],
      ['for any of them : (# > 2)', 'nothing', false],
      ['for any of them : (filesize > 2)', 'nothing', true],
      ['filesize < 5', 'nothing', false],
      ['(filesize+0) < 1KB and $a', 'first', true],
      ['uint16be(0) == 0x4d5a and $a', 'MZ first', true],
      ['uint16be(0) == 0x4d5a and $a', 'first', false],
      ['uint32(100) != 0', 'short', true],
      ['other and $a', 'first', false],
      ['pe.imphash() == "x" and $a', 'nothing', false],
      ['pe.imphash() == "x" or $a', 'nothing', true],
      ['an unknown : syntax', 'nothing', true],
    ] as const) {
      assert.equal(mayMatch(condition, bytes), expected, `${condition} on ${bytes}`);
    }
    assert.equal(mayMatch('other and $a', 'first', { __one: 1 }), true);
  });

  test('are none where a global rule is not met', () => {
    const text = 'global rule g { strings: $a = "first" condition: $a } rule r { condition: filesize > 0 }';
    const candidates = new Candidates([{ namespace: 'n', text }], []);
    assert.deepEqual(
      [Buffer.from('second'), Buffer.from('first')].map((bytes) => candidates.find(bytes, {})),
      [[], [0]],
    );
  });

  test('are found in linear time, however deep conditions and chains of rules are', () => {
    const nested = `${'('.repeat(5_000)}$a${')'.repeat(5_000)}`;
    assert.equal(mayMatch(nested, 'nothing'), true);
    assert.equal(mayMatch(`1${'+1'.repeat(20_000)} == 1`, 'nothing'), true);
    const chain = Array.from(
      { length: 3_000 },
      (_, index) => `rule r${index + 1} { condition: r${index} and r${index} }`,
    );
    const text = `rule r0 { strings: $a = "first" condition: $a } ${chain.join(' ')}`;
    const candidates = new Candidates([{ namespace: 'n', text }], []);
    assert.deepEqual(candidates.find(Buffer.from('first'), {}), [0]);
  });
});

describe('an engine that scans candidates only', () => {
  const counted = () => {
    const scans: number[] = [];
    const counting: YaraEngine = {
      ...engine,
      compile(...words) {
        const rules = engine.compile(...words);
        return {
          scan(...given) {
            scans.push(given[0].length);
            return rules.scan(...given);
          },
          serialize: () => null,
          free: () => rules.free(),
        };
      },
    };
    return { scans, candidateEngine: withCandidates(counting) };
  };

  test('scans nothing where no rule can match, and tells the same matches elsewhere', () => {
    const { scans, candidateEngine } = counted();
    const rules = candidateEngine.compile(
      [
        { namespace: 'a', text: 'rule r { strings: $a = "first" $b = /sec[a-z]+d/ condition: 2 of them }' },
        { namespace: 'b', text: 'rule r { strings: $a = "third" condition: any of them }' },
      ],
      [],
    );
    const namespaces = (bytes: string) => rules.scan(Buffer.from(bytes), {}, 5_000).map(({ namespace }) => namespace);
    assert.deepEqual(namespaces('nothing here, but first'), []);
    assert.deepEqual(scans, []);
    assert.deepEqual(namespaces('second and first'), ['a']);
    assert.deepEqual(namespaces('the third'), ['b']);
    rules.free();
  });

  test('asks once for rules that no bytes change, and again for other globals', () => {
    const { scans, candidateEngine } = counted();
    const text =
      'rule constant { condition: __one == 1 } rule other { strings: $a = "first" condition: $a and constant }';
    const rules = candidateEngine.compile([{ namespace: 'a', text }], ['__one']);
    const names = (bytes: string, globals: Record<string, number>) =>
      rules.scan(Buffer.from(bytes), globals, 5_000).map(({ rule }) => rule);
    const one = { __one: 1 };
    const none = {};
    assert.deepEqual(names('first', one), ['constant', 'other']);
    assert.deepEqual(names('a', one), ['constant']);
    assert.deepEqual(names('abc', one), ['constant']);
    assert.deepEqual(names('ab', none), []);
    assert.deepEqual(scans, [5, 2]);
    rules.free();
  });

  test('asks again for such rules where what is asked of each file changes', () => {
    const { scans, candidateEngine } = counted();
    const text = 'rule one { condition: __one == 1 } rule counted { condition: __count == 2 and one }';
    const rules = candidateEngine.compile([{ namespace: 'a', text }], ['__one', '__count']);
    const one = { __one: 1 };
    const names = (count: number) =>
      rules.scan(Buffer.from('bytes'), one, 5_000, { __count: count }).map(({ rule }) => rule);
    assert.deepEqual([2, 3, 2, 3].map(names), [['one', 'counted'], ['one'], ['one', 'counted'], ['one']]);
    assert.equal(scans.length, 2);
    rules.free();
  });
});
