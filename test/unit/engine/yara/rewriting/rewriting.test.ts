import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tokenize } from '../../../../../server/engine/yara/language/tokens.ts';
import { exactRegexp, translateRegexp } from '../../../../../server/engine/yara/rewriting/regexp-dialect.ts';
import { rewriteRules } from '../../../../../server/engine/yara/rewriting/rewriting.ts';

const textsOf = (rules: string) => tokenize(rules).map(({ text }) => text);

describe('tokens of rules', () => {
  test('comments and blanks vanish, texts keep what looks like comments', () => {
    assert.deepEqual(textsOf('a /* b */ "c // \\" d" // e\nf'), ['a', '"c // \\" d"', 'f']);
  });

  test('a hex string ends at its own brace, not at one in a comment', () => {
    assert.deepEqual(textsOf('$a = { 61 /* } */ 62 } condition'), ['$a', '=', '{ 61 /* } */ 62 }', 'condition']);
  });

  test('a regular expression ends at a slash that is not escaped and keeps its flags', () => {
    assert.deepEqual(textsOf('/a\\/[b]/is and'), ['/a\\/[b]/is', 'and']);
  });

  test('a range of numbers is no number', () => {
    assert.deepEqual(textsOf('(0..filesize)'), ['(', '0', '.', '.', 'filesize', ')']);
  });

  test('texts that never end stop at their line, comments at the end of the rules', () => {
    assert.deepEqual(textsOf('"abc\nd'), ['"abc', 'd']);
    assert.deepEqual(textsOf('a /* abc'), ['a', '/* abc']);
  });

  test('a megabyte of opening signs is read in linear time', () => {
    assert.equal(tokenize('"\\'.repeat(500_000)).length > 0, true);
    assert.equal(tokenize('/'.repeat(1_000_000)).length, 0);
  });
});

describe('module calls', () => {
  const rules = (condition: string) => `import "androguard"\nrule r { condition: ${condition} }`;

  test('the same call has the same global, whatever its blanks and comments', () => {
    const { calls, text } = rewriteRules(rules('androguard.url(/x/) and not androguard . url /* c */ ( /x/ )'));
    assert.equal(calls.size, 1);
    const [name] = calls.keys();
    assert.match(text.text, new RegExp(`${name} and not\\s+${name} }$`));
  });

  test('texts, comments and strings that look like calls stay as they are', () => {
    const source =
      'import "androguard"\nrule r { meta: a = "androguard.url(/x/)" strings: $a = "filesize" condition: $a // androguard.url(/y/)\n}';
    const { calls, text } = rewriteRules(source);
    assert.equal(calls.size, 0);
    assert.equal(text.text, source.slice('import "androguard"'.length));
  });

  test('a module that is not imported, unknown functions and wrong arguments are errors at their place', () => {
    const { problems } = rewriteRules(
      'import "droidbox"\nrule r { condition: androguard.url(/x/) or droidbox.nothing(/x/) or droidbox.sendsms(1) }',
    );
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['unknown-identifier', 'module-call', 'module-call'],
    );
  });

  test('include is refused', () => {
    assert.deepEqual(
      rewriteRules('include "x.yar"\nrule r { condition: true }').problems.map(({ code }) => code),
      ['include'],
    );
  });

  test('a call that the text ends in is left to the compiler', () => {
    for (const call of ['dex.has_method(', 'dex.has_class(', 'dex.has_method("a",']) {
      const source = `import "dex" rule r { condition: ${call}`;
      assert.ok(rewriteRules(source).text.text.includes(call.split('(')[0]!), call);
    }
  });
});

describe('what an engine would miss', () => {
  const conditionOf = (condition: string) =>
    rewriteRules(`rule r { condition: ${condition} }`).text.text.slice('rule r { condition: '.length, -2);

  test("the engine's own module for dex files is left out where nothing of it is asked", () => {
    const importsOf = (condition: string) =>
      rewriteRules(`import "dex" rule r { condition: ${condition} }`).text.text.includes('import "dex"');
    assert.equal(importsOf('dex.header.file_size > 0 and dex.has_method("a") and dex.string_ids[0].size == 1'), false);
    assert.equal(importsOf('for any method in dex.method : (method.name == "a")'), false);
    assert.equal(importsOf('dex.is_dex'), true);
    assert.equal(importsOf('dex.map_list.map_item[1].type == dex.TYPE_CODE_ITEM'), true);
    assert.equal(importsOf('dex.string_ids[dex.header.version].offset > 0'), true);
  });

  test('sizes, first bytes and strings at the beginning no longer bound a search', () => {
    assert.equal(conditionOf('uint32(0) == 1'), 'uint32(__zero+0) == 1');
    assert.equal(conditionOf('filesize < 10KB'), '(filesize+__zero) < 10KB');
    assert.equal(conditionOf('$a in (0..filesize)'), '$a in (0..(filesize+__zero))');
    assert.equal(conditionOf('not $a at 0x0 and $b at 4'), 'not ($a at 0x0 or __zero==1) and $b at 4');
  });

  test('a repetition of any byte at the edges of an expression is written as two alternatives', () => {
    const exact = (body: string, flags = '', ...modifiers: string[]) => exactRegexp(body, flags, modifiers).body;
    assert.equal(exact('ab.{0,4}'), 'ab(\\x00|[\\x01-\\x09\\x0b-\\xff]){0,4}');
    assert.equal(exact('ab.{2,4}?'), 'ab(\\x00|[\\x01-\\x09\\x0b-\\xff]){2,4}?');
    assert.equal(exact('(ab.*)'), '(ab(\\x00|[\\x01-\\x09\\x0b-\\xff])*)');
    assert.equal(exact('.*ab', 's'), '(\\x00|[\\x01-\\xff])*ab');
    assert.equal(exact('ab[\\x00-\\xff]+'), 'ab(\\x00|[\\x01-\\xff])+');
    assert.equal(exact('ab\\.*'), 'ab\\.*');
    assert.equal(exact('ab.*cd', 's'), 'ab.*cd');
    assert.equal(exact('ab.', 's', 'fullword'), 'ab(\\x00|[\\x01-\\xff])');
    assert.equal(exact('ab.*cd', 's', 'ascii', 'wide'), 'ab(\\x00|[\\x01-\\xff])*cd');
    assert.equal(exact('a[@-O]', '', 'fullword'), 'a(\\x40|[\\x41-\\x4f])');
    assert.equal(exact('a([0-?]|[@])b', '', 'fullword'), 'a[\\x30-\\x40]b');
  });
});

describe('regular expressions of the older dialect', () => {
  test('braces and unknown escapes are literal, repetitions may begin with a comma', () => {
    assert.equal(translateRegexp('a{b', 'yara-x'), 'a\\{b');
    assert.equal(translateRegexp('a{,3}', 'yara-x'), 'a{0,3}');
    assert.equal(translateRegexp('\\q\\_\\e', 'yara-x'), 'q_e');
  });

  test('classes hold brackets and hyphens without meaning', () => {
    assert.equal(translateRegexp('[[a]', 'yara-x'), '[\\[a]');
    assert.equal(translateRegexp('[]a]', 'yara-x'), '[\\]a]');
    assert.equal(translateRegexp('[\\w-.]', 'yara-x'), '[\\w\\-.]');
    assert.equal(translateRegexp('[a-z-]', 'yara-x'), '[a-z\\-]');
  });

  test('text beyond ASCII is its bytes', () => {
    assert.equal(translateRegexp('é', 'yara-x'), '\\xc3\\xa9');
  });
});
