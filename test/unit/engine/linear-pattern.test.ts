import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinearPattern, PatternRefused } from '../../../server/engine/linear-pattern.ts';

const texts = [
  '',
  'Lcom/example/App;->onCreate(Landroid/os/Bundle;)V',
  'https://example.org:8443/a?b=c',
  'ada@example.org',
  'd41d8cd98f00b204e9800998ecf8427e',
  '10.0.0.1',
  'PASSWORD=hunter2',
  'line one\nline two',
  'naïve façade',
  '\u{1f600} smile',
  'a.b.c',
];

test('what people write for JavaScript finds what it finds there', () => {
  const patterns = [
    '^L.*;->on[A-Z]\\w+\\(',
    'https?:\\/\\/[^\\/]+(:\\d+)?',
    '[\\w.+-]+@[\\w-]+\\.[\\w.]+',
    '^[0-9a-f]{32}$',
    '(?:\\d{1,3}\\.){3}\\d{1,3}',
    'pass(?:word|wd)?\\s*=',
    'o$',
    '\\bexample\\b',
    '(?<scheme>https?)',
    '\\u0061\\x2e',
    '[^]two',
    '(?<=@)example',
    '(?<!@)example',
    'a*?b',
    '',
    '\\.',
    'smile|façade',
    '[\\s\\S]+',
    '\\Apple\\z?|\\Qone',
    '[[:two]+',
    'one\\stwo|one[\\s]two',
    '\\s+smile',
  ];
  for (const pattern of patterns) {
    for (const isCaseless of [false, true]) {
      const expected = new RegExp(pattern, isCaseless ? 'i' : '');
      const linear = new LinearPattern(pattern, isCaseless);
      for (const text of texts) {
        assert.equal(linear.isIn(text), expected.test(text), `/${pattern}/ in ${text}`);
        const place = expected.exec(text);
        const told = place === null ? null : { start: place.index, end: place.index + place[0].length };
        assert.deepEqual(linear.find(text, 0), told, `/${pattern}/ in ${text}`);
      }
    }
  }
});

test('no pattern takes more than a step for each character and instruction', () => {
  const long = 'a'.repeat(50_000);
  const cases: [string, string, boolean][] = [
    ['^(.*a){20}$', `${long}!`, false],
    ['(a+)+$', `${long}!`, false],
    ['(x+x+)+y', 'x'.repeat(50_000), false],
    ['.*a.*b.*c.*d.*e', long, false],
    ['(\\w+\\s?)*$', 'ab '.repeat(15_000), true],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', long, false],
  ];
  for (const [pattern, text, isFound] of cases) assert.equal(new LinearPattern(pattern, false).isIn(text), isFound);
});

test('what could take for ever is refused with the reason, and a fault is told as JavaScript tells it', () => {
  const refusals: [string, RegExp][] = [
    ['a(?=b)', /looking ahead/],
    ['a(?!b)', /looking ahead/],
    ['(a)\\1', /references back/],
    ['(?<n>a)\\k<n>', /references back/],
    ['a{1001}', /1,000 times/],
    ['(a{500}){500}', /1,000 times|too large/],
    ['((abc){40}){25}', /too large/],
    [`${'('.repeat(1200)}a${')'.repeat(1200)}`, /too large/],
    ['(?<=(a))b', /write \(\?:…\) there/],
  ];
  for (const [pattern, reason] of refusals) {
    assert.throws(
      () => new LinearPattern(pattern, false),
      (error) => error instanceof PatternRefused && reason.test(error.message),
      pattern,
    );
  }
  assert.throws(() => new LinearPattern('(', false), SyntaxError);
});
