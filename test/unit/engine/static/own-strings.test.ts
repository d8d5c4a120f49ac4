// Texts of an app's own code, as its static analysis finds them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { analyzeStatic } from '../../../../server/engine/static/static-report.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { unpackJson } from '../../../../server/vault/packed-json.ts';
import { familyMember } from '../../../fixtures/built-family.ts';
import { realApks } from '../../../fixtures/real-apks.ts';

const stringsOf = (bytes: Uint8Array) =>
  unpackJson<string[]>(analyzeStatic(memorySource(bytes), { fileName: 'a.apk' }).ownStrings.texts);

test('what an app loads stands there in an order that versions of it share', () => {
  const [first, next] = [stringsOf(familyMember(3)), stringsOf(familyMember(4))];
  assert.ok(first.includes('cmd=send premium texts #148'), first.join('\n'));
  const common = first.filter((text) => next.includes(text));
  assert.ok(common.length > 20, String(common.length));
  assert.deepEqual(
    common,
    next.filter((text) => first.includes(text)),
  );
});

test('of a real app none is a text that a known library loads alone', () => {
  const texts = stringsOf(readFileSync(realApks.settings));
  assert.ok(texts.some((text) => text.includes('appium')));
  assert.ok(!texts.some((text) => text.startsWith('androidx.')));
});
