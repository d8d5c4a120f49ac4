import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileRulesets } from '../../../../server/engine/yara/collection.ts';
import { openNativeEngine } from '../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../server/engine/yara/engines/wasm-engine.ts';
import { rewriteRules } from '../../../../server/engine/yara/rewriting/rewriting.ts';
import { checkRuleset } from '../../../../server/engine/yara/rule-check.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';

const engine = openNativeEngine() ?? openWasmEngine();
/** Each that there is on this platform. */
const engines = [...new Set([engine, openWasmEngine()])];
const check = (rules: string) => checkRuleset(engine, rules);
const firstError = (rules: string) => {
  const [error] = check(rules).errors;
  return error === undefined ? null : [error.line, error.column, error.title];
};
const rule = (condition: string, strings = '') =>
  `rule r { ${strings === '' ? '' : `strings: ${strings} `}condition: ${condition} }`;
const scan = (rules: string, bytes: Uint8Array) =>
  scanApk(
    memorySource(bytes),
    compileRulesets(engine, [
      { id: 'bad', rules },
      { id: 'good', rules: rule('true') },
    ]),
    { reports: { androguard: null, cuckoo: null, droidbox: null }, rulesetTimeout: 60_000, progress: () => undefined },
  );

describe('rules that cannot be used say what is wrong, where the author wrote it', () => {
  test('modules that nobody has', () => {
    assert.deepEqual(firstError('\n  import "nothing"\nrule r { condition: true }'), [
      2,
      3,
      'unknown module `nothing`: module `nothing` not found',
    ]);
  });

  test('files that would have to be read', () => {
    const rules = 'rule a { condition: true }\n include "/etc/passwd"\nrule r { condition: true }';
    assert.deepEqual(firstError(rules), [2, 2, 'include statements are not allowed']);
  });

  test('names that nobody gives', () => {
    assert.deepEqual(firstError('rule r {\n condition:\n  filetype == "x" }')?.slice(0, 2), [3, 3]);
    assert.deepEqual(
      firstError('import "androguard"\nrule r { condition: androguard.nothing(/x/) }')?.slice(0, 2),
      [2, 21],
    );
  });

  test('members that every object of this program has, and no module', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
      assert.match(String(firstError(`import "pe" ${rule(`pe.${name} == 1`)}`)?.[2]), /unknown (?:field|identifier)/);
      assert.match(String(firstError(rule(`${name}.${name} == 1`))?.[2]), /unknown identifier/);
    }
  });

  test('texts past 10 MB, strings and comments that do not end, expressions that grow without end', () => {
    assert.match(String(firstError('x'.repeat(11_000_000))?.[2]), /the limit is 10485760/);
    assert.deepEqual(firstError('rule r {\n strings: $a = "abc\n condition: $a }')?.slice(0, 2), [2, 16]);
    assert.match(String(firstError(rule('$a', '$a = /(((a{1,1000}){1,1000}){1,1000}){1,1000}/'))?.[2]), /too large/);
    assert.notEqual(firstError(`{${'{'.repeat(100_000)}`), null);
  });

  test('every place that the compiler underlines, without the lines and bars of its drawing', () => {
    const titleOf = (condition: string) => {
      const { errors, warnings } = check(`import "hash" ${rule(condition)}`);
      return [...errors, ...warnings][0]!.title;
    };
    const types = 'mismatching types: this expression is `integer`, this expression is `string`';
    assert.equal(titleOf('filesize > "x"'), types);
    assert.equal(
      titleOf('hash.md5(0, filesize) == "x"'),
      'unsatisfiable expression: the length of this string is 32, the length of this string is 1',
    );
    assert.equal(titleOf('true\n and false'), 'invariant boolean expression: this expression is always false');
  });

  test('modifiers that exclude each other', () => {
    for (const modifiers of [
      'base64 xor',
      'base64wide fullword',
      'base64 nocase',
      'xor nocase',
      'xor fullword nocase',
    ]) {
      assert.match(String(firstError(rule('$a', `$a = "abcd" ${modifiers}`))?.[2]), /modifier/, modifiers);
    }
  });

  test('parentheses that nobody opened or closed, around sets and places', () => {
    for (const condition of [
      ') of them',
      '(#a) ) of them',
      'not $a and 2 of them) in (@a..@a)',
      'for 1 of ($a, $a) : ($',
    ]) {
      assert.notEqual(firstError(rule(condition, '$a = "abc"')), null, condition);
    }
  });

  test('each fault once, in the words of the author', () => {
    const titles = (rules: string) => check(rules).errors.map(({ line, column, title }) => [line, column, title]);
    assert.deepEqual(titles('rule r {\n strings: $a = /abc\n condition: $a }'), [
      [2, 16, 'syntax error: unclosed regular expression'],
    ]);
    assert.deepEqual(titles(rule('any of (z*)')), [[1, 29, 'no rule before this one has a name that begins with `z`']]);
    assert.deepEqual(titles(`import "dex"\n${rule('dex.method[0].code_item == 1')}`), [
      [2, 21, 'unknown field or function `dex.method.code_item`'],
    ]);
    assert.deepEqual(titles(`import "dex"\n${rule('dex.has_class == 1')}`), [
      [2, 21, '`dex.has_class` is a function: it needs arguments'],
    ]);
    assert.deepEqual(
      titles(`import "dex"\n${rule('for any m in dex.method : (m.nothing == 1)')}`).map(([, column]) => column),
      [34],
    );
    assert.deepEqual(titles(`import "magic"\n${rule('magic.type(5) == "x"')}`), [
      [2, 21, 'wrong arguments: `magic.type` takes none'],
    ]);
    assert.deepEqual(titles(rule('filename matches /(/')), [[1, 38, 'invalid regular expression: Unterminated group']]);
  });

  test('an expression of megabytes that is never closed', () => {
    const [line, column, title] = firstError(rule('$a', `$a = /${'a'.repeat(9_000_000)}`))!;
    assert.deepEqual([line, column], [1, 24]);
    assert.match(String(title), /unclosed regular expression$/);
  });

  test('no more than a hundred faults are told, however many there are', () => {
    const rules = Array.from({ length: 500 }, (_, index) => `rule r${index} { condition: nothing }`).join('\n');
    assert.equal(check(rules).errors.length, 100);
    assert.equal(check(`rule r : ${'tag '.repeat(20_000)}{ condition: true }`).warnings.length, 100);
  });
});

describe('rules that are large or deep are taken', () => {
  for (const [name, rules] of Object.entries({
    'thousands of strings': rule(
      'any of them',
      Array.from({ length: 5_000 }, (_, index) => `$s${index} = "text ${index}"`).join('\n'),
    ),
    'a thousand parentheses': rule(`${'('.repeat(1_000)}true${')'.repeat(1_000)}`),
    'a chain of thousands': rule(Array(3_000).fill('$a').join(' and '), '$a = "abc"'),
    'a megabyte of comment': `/* ${'x'.repeat(1_000_000)} */ ${rule('true')}`,
    'no rules at all': ' \n// nothing\n',
    'files that were put together, each with a byte order mark': `\ufeff// a\nrule a { condition: true }\n\ufeff/* b */\n${rule('a')}`,
  })) {
    test(name, () => assert.deepEqual(check(rules).errors, []));
  }

  test('thousands of different module calls in one line, in linear time', () => {
    const calls = Array.from({ length: 5_000 }, (_, index) => `androguard.url("https://host${index}.example/")`);
    const started = process.cpuUsage();
    const { errors, warnings } = check(`import "androguard" ${rule(calls.join(' or '))}`);
    const { user, system } = process.cpuUsage(started);
    assert.deepEqual([errors, warnings], [[], []]);
    assert.ok(user + system < 2_000_000, `${user + system} microseconds of CPU`);
  });
});

describe('rules are rewritten in linear time', () => {
  const repeated: Readonly<Record<string, (count: number) => string>> = {
    'chains of comparisons': (count) => `not $a and 1.0${'<1.0'.repeat(count)}`,
    'places within places': (count) => `${'@a['.repeat(count)}1${']'.repeat(count)}`,
    'ranges that are never closed': (count) => '$a in (1 '.repeat(count),
    'functions within each other': (count) => `${'math.entropy('.repeat(count)}1${')'.repeat(count)}`,
    'conditions that are never closed': (count) => 'true condition: '.repeat(count),
    'loops within each other': (count) => `${'for 1 of ($a, $a) : ('.repeat(count)}$${')'.repeat(count)}`,
  };
  for (const [name, condition] of Object.entries(repeated)) {
    test(name, () => {
      const millisecondsOf = (count: number) => {
        const { user } = process.cpuUsage();
        rewriteRules(rule(condition(count), '$a = "abc"'));
        return (process.cpuUsage().user - user) / 1000;
      };
      millisecondsOf(2_000);
      const [few, many] = [millisecondsOf(2_000), millisecondsOf(20_000)];
      assert.ok(many < 30 * few + 200, `${few} and ${many} ms`);
    });
  }
});

describe('rules that are slow are told of, and ended', () => {
  test('endless loops and searches for next to nothing are warned of at their place', () => {
    const { warnings } = check(
      'rule r {\n strings:\n  $a = /a.*/\n condition:\n  $a and for any i in (0..100000000) : (i < 0) }',
    );
    assert.deepEqual(
      warnings.map(({ line, code }) => [line, code]),
      [
        [3, 'slow_pattern'],
        [5, 'too_many_iterations'],
      ],
    );
  });

  test('expressions with gaps of any length are warned of once, as YARA does', () => {
    const slow = ['/.*foo.*/', '/foo.*/', '/ab.*cd/', '/foo.+bar/', '/foo.{5,}bar/', '/https?:\\/\\/.*/', '/a.*/'];
    const fast = ['/foo.{0,200}bar/', '/foo\\.*bar/', '/foo[.*]bar/', '/foo[^x]*bar/'];
    const warningsOf = (value: string) =>
      check(rule('$a', `$a = ${value}`)).warnings.map(({ code, column }) => [code, column > 18]);
    for (const value of slow) assert.deepEqual(warningsOf(value), [['slow_pattern', true]], value);
    for (const value of fast) assert.deepEqual(warningsOf(value), [], value);
  });

  test('strings without two fixed bytes side by side are warned of once, as YARA does', () => {
    const slow = ['"a"', '{ ?? 00 ?? }', '{ 0? 1? 22 }', '/\\d+\\.\\d+/', '/[a-z]+/', '/a.{0,5}b/', '/(a|b)c/'];
    const fast = ['"ab"', '{ 00 01 ?? 02 }', '/ab\\d+/', '"abc" base64', '"abcd" xor'];
    const codesOf = (value: string) => check(rule('$a', `$a = ${value}`)).warnings.map(({ code }) => code);
    for (const value of slow) assert.deepEqual(codesOf(value), ['slow_pattern'], value);
    for (const value of fast) assert.deepEqual(codesOf(value), [], value);
    for (const value of ['/a{b/', '/a{b}cd/']) assert.deepEqual(codesOf(value), ['regexp-dialect'], value);
  });

  test('loops that are satisfied without any of their items are warned of', () => {
    const told = check(rule('for none of them : ($)', '$a = "abc"')).warnings.map(({ code, column }) => [code, column]);
    assert.deepEqual(told, [['older-dialect', 45]]);
  });

  test('what the engine cannot find as YARA does is told of, and so are bytes that were lost before', () => {
    const codesOf = (value: string) => check(rule('$a', `$a = ${value}`)).warnings.map(({ code }) => code);
    for (const value of [
      '"abcd" xor wide fullword',
      '/\\babc\\b/ wide',
      '/\\Babc/',
      '/abc\\B/i',
      '/ab\\Bcd/ ascii wide',
    ]) {
      assert.deepEqual(codesOf(value), ['inexact'], value);
    }
    for (const value of ['"abcd" xor wide', '"abcd" wide fullword', '/\\babc\\b/', '/ab\\Bcd/', '/abc/ wide']) {
      assert.deepEqual(codesOf(value), [], value);
    }
    const ofRules = (number: string) => `rule x { condition: true } rule y { condition: ${number} of (x) }`;
    for (const number of ['-1', '(filesize - 9)', '(uint8(filesize))', '(filesize * 9)%']) {
      assert.deepEqual(check(ofRules(number)).warnings.filter(({ code }) => code === 'inexact').length, 1, number);
    }
    for (const number of ['1', 'all', '50%', '(filesize)']) {
      assert.deepEqual(check(ofRules(number)).warnings.filter(({ code }) => code === 'inexact').length, 0, number);
    }
    const { warnings } = check(rule('$a', '$a = "caf\ufffd"'));
    assert.deepEqual(
      warnings.map(({ code, column, end_column }) => [code, column, end_column]),
      [['lost-bytes', 24, 30]],
    );
  });

  test('a search that matches everywhere is cut, and the other rulesets are not lost', () => {
    const { rulesets } = scan(rule('$a and #a > 10000', '$a = /[a-z]{1,200}/'), Buffer.alloc(20_000, 'abc'));
    const [bad, good] = rulesets;
    assert.equal(bad!.matches_count, 1);
    assert.equal(bad!.rules_matched[0]!.strings.length, 50);
    assert.equal(bad!.rules_matched[0]!.strings_count, 2_000);
    assert.equal(bad!.rules_matched[0]!.strings[0]!.data.length, 128);
    assert.equal(good!.matches_count, 1);
  });
});

for (const blank of ['\u0085', '\u1680', '\u2028', '\u2029', '\u3000']) {
  const name = `U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

  test(`${name} between words is told at its place by both engines, which die of it, and read as a blank`, () => {
    for (const engine of engines) {
      const rules = `rule${blank}first { condition:${blank}true }\nrule second {${blank}condition: true }${blank}`;
      const { errors } = checkRuleset(engine, rules);
      assert.deepEqual(
        errors.map(({ code, line, column, title }) => [code, line, column, title]),
        [
          [1, 5],
          [1, 24],
          [2, 14],
          [2, 32],
        ].map((place) => ['foreign-blank', ...place, `${name} is no blank in rules`]),
      );
    }
  });

  test(`${name} in what is opened and never closed is told too: engines read on there`, () => {
    for (const engine of engines) {
      for (const opened of ['"""a', '/a', '{ 00', '/* a', '"a\\"']) {
        const rules = `rule first { strings: $a = ${opened} condition${blank}(\n condition: true }`;
        const { errors } = checkRuleset(engine, rules);
        assert.ok(
          errors.some(({ code }) => code === 'foreign-blank'),
          opened,
        );
        assert.ok(!errors.some(({ title }) => title.includes('YARA-X fails')), opened);
      }
    }
  });

  test(`${name} in a comment or a string is no fault`, () => {
    for (const engine of engines) {
      const rules = `/* ${blank} */ rule first { strings: $a = "a${blank}b" $b = /c${blank}d/ condition: any of them } // ${blank}`;
      assert.deepEqual(checkRuleset(engine, rules).errors, []);
    }
  });
}

test('rules that bring the WebAssembly engine to a fault are refused, and the rules after them are not', () => {
  const engine = openWasmEngine();
  for (const fatal of ['rule a { condition: \u2028 }', '\u2028rule a { condition: true }']) {
    assert.deepEqual(
      engine.check(fatal, []).errors.map(({ title }) => title),
      ['YARA-X fails on these rules'],
    );
    assert.throws(() => engine.compile([{ namespace: 'n', text: fatal }], []), /YARA-X fails on these rules/);
    assert.deepEqual(engine.check('rule b { condition: true }', []).errors, []);
    const rules = engine.compile([{ namespace: 'n', text: 'rule b { condition: true }' }], []);
    assert.deepEqual(
      rules.scan(Buffer.from('x'), {}, 10_000).map(({ rule }) => rule),
      ['b'],
    );
    rules.free();
  }
});

test('calls inside calls are refused from a depth on at which the engine would read for ever', () => {
  const depths = ['(AA ', 'AA(', 'uint8(', 'math.abs(', 'not (uint32('];
  for (const opening of depths) {
    for (const closing of ['', ')'.repeat(opening.split('(').length - 1)]) {
      const rules = `import "math" rule a { condition: ${opening.repeat(40)}1${closing.repeat(40)} }`;
      const { errors } = checkRuleset(openWasmEngine(), rules);
      assert.ok(
        errors.some(({ title, line }) => /^calls are nested too deeply/.test(title) && line === 1),
        opening,
      );
    }
  }
  const eight = `rule a { condition: ${'uint8('.repeat(8)}1${')'.repeat(8)} == 0 and (${'('.repeat(60)}true${')'.repeat(60)}) }`;
  assert.deepEqual(checkRuleset(openWasmEngine(), eight).errors, []);
});
