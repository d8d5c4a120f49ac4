// Patterns and matchers as java.util.regex describes them, and the bounds of backtracking.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from '../../../../../fixtures/dynamic/phone.ts';

const { call, get } = new Phone();
const matcher = (pattern: string, text: string, flags = 0) =>
  get('java.util.regex.Pattern.compile', pattern, flags).get('matcher', text);

test('a matcher finds one match after another, with its groups', () => {
  const found = matcher('(?<key>\\w+)=(\\d*)', 'a=1 bc= d');
  assert.equal(found.call('find'), true);
  assert.deepEqual([found.call('group'), found.call('group', 'key'), found.call('group', 2)], ['a=1', 'a', '1']);
  assert.equal(found.call('find'), true);
  assert.deepEqual([found.call('start'), found.call('end'), found.call('group', 2)], [4, 7, '']);
  assert.equal(found.call('find'), false);
  assert.throws(() => found.call('group'), {
    message: /^java\.lang\.IllegalStateException/,
  });
  assert.throws(() => matcher('a', 'a').call('group', 5), {
    message: /IllegalStateException|IndexOutOfBoundsException/,
  });
});

test('matches takes the whole text, lookingAt its start', () => {
  assert.equal(matcher('ab', 'abc').call('matches'), false);
  assert.equal(matcher('ab', 'abc').call('lookingAt'), true);
  assert.equal(call('java.util.regex.Pattern.matches', '[a-c&&[^b]]+', 'ac'), true);
});

test('lookaround, possessive and lazy repeats, back references and flags', () => {
  assert.equal(matcher('(?<=a)b(?!c)', 'abc ab').call('find', 0), true);
  assert.equal(matcher('a*+a', 'aaa').call('find'), false);
  const lazy = matcher('<.+?>', '<a><b>');
  lazy.call('find');
  assert.equal(lazy.call('group'), '<a>');
  assert.equal(matcher('(\\w)\\1', 'xyyz').call('find'), true);
  assert.equal(matcher('^b$', 'a\nB', 2 | 8).call('find'), true);
  assert.equal(matcher('a b # note', 'ab', 4).call('matches'), true);
});

test('replacements name groups and escape with a backslash', () => {
  assert.equal(matcher('(\\w)(\\w)', 'abcd').call('replaceAll(Ljava/lang/String;)Ljava/lang/String;', '$2$1'), 'badc');
  assert.equal(matcher('a', 'aa').call('replaceFirst', '\\$'), '$a');
  assert.equal(call('java.util.regex.Matcher.quoteReplacement', '$1\\'), '\\$1\\\\');
  assert.equal(call('java.util.regex.Pattern.quote', 'a.b'), '\\Qa.b\\E');
  assert.throws(() => matcher('a', 'a').call('replaceAll(Ljava/lang/String;)Ljava/lang/String;', '$3'), {
    message: /IndexOutOfBoundsException/,
  });
});

test('a pattern that cannot be read is refused', () => {
  for (const pattern of ['(', '[a', '*a', 'a{2,1}', '\\']) {
    assert.throws(
      () => get('java.util.regex.Pattern.compile', pattern),
      { message: /^java\.util\.regex\.PatternSyntaxException/ },
      pattern,
    );
  }
});

test('characters match in their other cases, those of ASCII or all', () => {
  // Golden values of OpenJDK 17.
  for (const [pattern, text, isFound] of [
    ['(?i)[k]', '\u212a', false],
    ['(?iu)[k]', '\u212a', true],
    ['(?iu)\u212a', 'K', true],
    ['(?i)[\u00e0-\u00ff]', '\u00c9', false],
    ['(?iu)[\u00e0-\u00ff]', '\u00c9', true],
    ['(?iu)[\u0100-\uffff]', 'a', false],
  ] as const) {
    assert.equal(matcher(pattern, text).call('find'), isFound, `${pattern} in ${text}`);
  }
});

test('a quantifier stands alone; braces behind one repeat nothing', () => {
  // Golden values of OpenJDK 17.
  for (const pattern of ['a**', 'a{1}*', 'a+++', 'a++?']) {
    assert.throws(() => matcher(pattern, ''), { message: /Dangling meta character/ }, pattern);
  }
  const found = matcher('a{2}{3}', 'aaaaaa');
  found.call('find');
  assert.equal(found.call('end'), 2);
  get('java.util.regex.Pattern.compile', `a${'{1}'.repeat(20_000)}`, 0);
});

test('what takes time counts: empty branches, parts of a class, groups that are put back, a group compared again', () => {
  const long = 'é'.repeat(2000);
  const branches = `(?:${'|'.repeat(1000)})`;
  const costly = {
    'empty branches': [`${branches}${branches}(?!)`, long],
    'parts of a class': [`[${'b'.repeat(25_000)}]`, long.repeat(10)],
    'groups that a look ahead puts back': [`(?!a)b${'()'.repeat(900)}`, long.repeat(50)],
    'a group that is compared again': [`(é{1000})(?:${'\\1x|'.repeat(1000)}y)`, long],
  } as const;
  for (const [what, [pattern, text]] of Object.entries(costly)) {
    assert.throws(
      () => matcher(pattern, text).call('find'),
      { message: /StackOverflowError: regular expression/ },
      what,
    );
  }
});

test('a match that nests too deeply overflows as on a phone, before this program does', () => {
  const deep = [
    ['(?:a|b)*c', 'ab'],
    ['((a)|(b(?=.)))*?c', 'ab'],
    ['(?:(?:(?:a|b)+?d?)*?)*c', 'ab'],
    ['(?:x?(?:a|b)(?:c?))*d', 'ab'],
  ] as const;
  for (const [pattern, text] of deep) {
    const found = matcher(pattern, text.repeat(20_000));
    assert.throws(() => found.call('lookingAt'), { message: /^java\.lang\.StackOverflowError/ }, pattern);
  }
  assert.equal(matcher('(?:a|b)*c', `${'ab'.repeat(200)}c`).call('matches'), true);
});
