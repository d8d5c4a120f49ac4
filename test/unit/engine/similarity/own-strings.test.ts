// Which texts of an app's own code are kept to be compared with other apps'.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxOwnStrings } from '../../../../server/contract/engine/own-strings.ts';
import { OwnStringCollector } from '../../../../server/engine/similarity/own-strings.ts';
import { unpackJson } from '../../../../server/vault/packed-json.ts';

function stringsOf(texts: readonly string[]) {
  const collector = new OwnStringCollector();
  for (const text of texts) {
    const bytes = Buffer.from(`..${text}..`);
    collector.add(text, bytes, 2, bytes.length - 2);
  }
  const { isCut, keys, texts: packed } = collector.strings();
  return { isCut, keys: keys.length / 4, texts: unpackJson<string[]>(packed) };
}

test('long and varied texts come first, each once; short ones, control characters and names of the platform are none', () => {
  const telling = 'Steal all contacts, bot 7!';
  const { isCut, keys, texts } = stringsOf([
    ...['gate-key', 'abc', telling, 'send_premium', telling, 'a line\nand another'],
    ...['android.intent.action.MAIN', 'http://schemas.android.com/apk/res/android', '12345678'],
  ]);
  assert.deepEqual([isCut, keys, texts[0]], [false, 3, telling]);
  assert.deepEqual(texts.toSorted(), [telling, 'gate-key', 'send_premium'].toSorted());
});

test('of more texts than are kept, apps that share some keep the same of them', () => {
  const shared = Array.from({ length: 3000 }, (_, at) => `command number ${at} of the panel`);
  const [one, other] = ['one', 'other'].map((name) =>
    stringsOf([...shared, ...Array.from({ length: 3000 }, (_, at) => `${name} has text ${at}, alone`)]),
  ) as [ReturnType<typeof stringsOf>, ReturnType<typeof stringsOf>];
  assert.deepEqual([one.isCut, one.keys, other.keys], [true, maxOwnStrings, maxOwnStrings]);
  const kept = (some: typeof one) => some.texts.filter((text) => text.startsWith('command'));
  const [first, second] = [kept(one), kept(other)];
  const common = Math.min(first.length, second.length);
  assert.ok(common > 80, String(common));
  assert.deepEqual(first.slice(0, common), second.slice(0, common));
});
