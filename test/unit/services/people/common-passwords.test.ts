import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordWeakness } from '../../../../server/services/people/common-passwords.ts';

const faultOf = (password: string, username = 'marguerite') => passwordWeakness(password, [username]);

test('a password that everybody chooses is refused, in capitals and with what people put at its ends too', () => {
  const common = [
    'password',
    'PassWord',
    'iloveyou',
    'trustno1',
    'qwertyuiop',
    '1q2w3e4r5t',
    'Password1!',
    '!!sunshine99',
  ];
  for (const password of [...common, 'P@ssw0rd', 'P@ssw0rd2026', 'ｐａｓｓｗｏｒｄ']) {
    assert.match(faultOf(password) ?? '', /tried first/, password);
  }
});

test('a piece over and over, and characters in a row, are refused', () => {
  for (const password of ['zzzzzzzzzz', 'xyzxyzxyzxyz', 'ghijklmnop', '98765432', '🦀🦀🦀🦀🦀🦀🦀🦀']) {
    assert.notEqual(faultOf(password), null, password);
  }
});

test('the username or the name of the program in it is refused, in whatever writing', () => {
  for (const password of [
    'marguerite in May',
    'MARGUERITE-99xq',
    'm.a.r.g.u.e.r.i.t.e',
    'my apk-workstation',
    'APK Workstation!',
  ]) {
    assert.match(faultOf(password) ?? '', /in it/, password);
  }
  assert.equal(faultOf('albatross flight', 'al'), null, 'a name of two letters is in every other word');
});

test('anything else is taken: words, blanks, signs, any script, whatever its length', () => {
  const taken = [
    'correct horse',
    'battery staple',
    'naïve café owl',
    'только для меня',
    '金魚が三匹泳ぐ池',
    'k7#Qv!2m',
    'x y z w v u t s',
  ];
  for (const password of [...taken, `${'tree '.repeat(12)}lamp`, `${'lamp '.repeat(199)}trees`]) {
    assert.equal(faultOf(password), null, password);
  }
});

test('a long password is looked at in no time', () => {
  for (const password of [`${'a1'.repeat(499)}bb`, `${'!'.repeat(999)}a`, 'ab'.repeat(500), '@'.repeat(1000)])
    faultOf(password);
});
