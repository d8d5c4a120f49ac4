import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Dismissing, dismisses, isInLibrary } from '../../../server/contract/findings/dismissed.ts';

const inLibrary: [place: string, library: string, isIn: boolean][] = [
  ['Lcom/ads/sdk/Main;->run()V', 'com.ads', true],
  ['Lcom/ads/sdk/Main;->run()V', 'com.ads.sdk.Main', true],
  ['Lcom/ads/sdk/Main$1;->run()V', 'Lcom/ads/sdk/Main;', true],
  ['Lcom/ads/sdk/Main;->run()V', 'Lcom/ads/', true],
  ['Lcom/ads/sdk/Main;', 'com.ads.*', true],
  ['Lcom/adsense/Main;->run()V', 'com.ads', false],
  ['Lmy/com/ads/Main;->run()V', 'com.ads', false],
  ['classes2.dex:Lcom/ads/Main;->run()V', 'com.ads', true],
  ['[Lcom/ads/Main;', 'com/ads', true],
  ['AndroidManifest.xml:activity:com.ads.Screen', 'com.ads', true],
  ['AndroidManifest.xml:activity:com.app.Screen', 'com.ads', false],
  ['LLogin/Screen;->on()V', 'Login', true],
  ['Lorem/Screen;->on()V', 'orem.Screen', true],
  ['lib/arm64-v8a/libads.so', 'libads.so', true],
  ['lib/arm64-v8a/libads.so:0x1f0', 'libads.so', true],
  ['lib/arm64-v8a/libads.so', 'lib/arm64-v8a/libads.so', true],
  ['lib/arm64-v8a/libmyads.so', 'libads.so', false],
  ['assets/libads.so.txt', 'libads.so', false],
  ['', 'com.ads', false],
  ['Lcom/ads/Main;', '...', false],
];
for (const [place, library, isIn] of inLibrary)
  test(`${place || 'no place'} is ${isIn ? '' : 'not '}in ${library}`, () =>
    assert.equal(isInLibrary(place, library), isIn));

const finding: Dismissing = {
  ...{ scope: 'everywhere', finding: 'code-exec', ruleset: null, rule: null },
  ...{ library: null, where: null },
};
const here = { finding: 'code-exec', where: 'La/B;->c()V' };

test('a finding is dismissed by its code, at one place alone where one is named', () => {
  assert.ok(dismisses(finding, here));
  assert.ok(!dismisses(finding, { ...here, finding: 'code-other' }));
  assert.ok(dismisses({ ...finding, scope: 'apk', where: here.where }, here));
  assert.ok(!dismisses({ ...finding, scope: 'apk', where: 'La/B;->d()V' }, here));
  assert.ok(dismisses({ ...finding, scope: 'library', library: 'a' }, here));
  assert.ok(!dismisses({ ...finding, scope: 'library', library: 'b' }, here));
});

test('a match is dismissed by its ruleset and rule together, and never by the name of a finding', () => {
  const rule = { ...finding, finding: null, ruleset: 'r1', rule: 'steals' };
  assert.ok(dismisses(rule, { ruleset: 'r1', rule: 'steals', where: 'classes.dex' }));
  assert.ok(!dismisses(rule, { ruleset: 'r2', rule: 'steals', where: 'classes.dex' }));
  assert.ok(!dismisses(rule, { ruleset: 'r1', rule: 'Steals', where: 'classes.dex' }));
  assert.ok(!dismisses(rule, here));
  assert.ok(!dismisses(finding, { ruleset: 'r1', rule: 'code-exec', where: 'La/B;->c()V' }));
});
