import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { planSearch } from '../../../server/query/plan.ts';
import { newApk } from '../store/new-apk.ts';
import { openScratch, scratchFolder } from '../store/scratch-store.ts';

const store = await openScratch(scratchFolder());
after(() => store.close());

/** Names that are the same but for case, and what begins, ends or stands within them. */
const names: [spellings: string[], parts: string[]][] = [
  [
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ', 'Σίσυφος'],
    ['ς', 'σ', 'Σ', 'ΟΣ', 'ος', 'φος', 'ΦΟΣ', 'ΣΊΣΥΦΟΣ'],
  ],
  [
    ['STRAẞE', 'straße'],
    ['ß', 'ẞ', 'aß', 'Aẞ', 'aße', 'RAẞE'],
  ],
  [
    ['GROSS', 'gross'],
    ['ss', 'SS', 'oS', 'gross'],
  ],
  [
    ['ſong', 'Song'],
    ['ſo', 'Son', 'ſon'],
  ],
  [
    ['ЯНДЕКС', 'Яндекс'],
    ['Я', 'дЕ', 'КС', 'ндекс'],
  ],
  [
    ['ǄEP', 'ǅep', 'ǆep'],
    ['ǅ', 'Ǆ', 'ǆe', 'ǄEP'],
  ],
  [
    ['ÅNGSTRÖM', 'Ångström'],
    ['Å', 'åN', 'ÅNG', 'RÖ', 'öm'],
  ],
  [
    ['𐐔𐐀𐐝', '𐐼𐐨𐑅'],
    ['𐐔', '𐐼', '𐐔𐐨', '𐐔𐐀𐐝'],
  ],
  [['مرحبا'], ['م', 'رح', 'رحب']],
  [['שָׁלוֹם'], ['\u05b8', 'ש', 'שָׁל']],
  [['e\u0301te\u0301'], ['\u0301', 'e\u0301', 'te\u0301']],
  [['👨‍👩‍👧 family'], ['👨', '\u200d', '👨‍👩']],
  [['50%_off\\'], ['%', '_', '\\', '%_', '0%_']],
  [['微信支付'], ['微', '信支', '微信支']],
  [['a\ufffdb'], ['\ufffd', '\ud800']],
];

const ids: number[][] = [];
for (const [spellings] of names) {
  const apks = spellings.map((app, at) => ({ ...newApk(ids.length * 10 + at + 1), app, version: app }));
  ids.push((await store.transaction((inside) => inside.apks.insertAll(apks))).map(({ id }) => id));
}
const url = (name: string) => `https://${name}/`;
await store.transaction(({ search }) =>
  search.replaceTerms(
    ['url'],
    ids.flatMap((some, at) =>
      some.map((apkId, spelling) => ({
        apkId,
        terms: [{ field: 'url', text: url(names[at]![0][spelling]!) }],
      })),
    ),
  ),
);

async function found(search: string): Promise<number[]> {
  const expression = planSearch(search, null)!;
  const question = { expression, ordering: [], direction: 'older', place: null, skip: 0, limit: 100 } as const;
  const page = await store.search.ask('page', question);
  assert.equal(await store.search.ask('count', { expression }), page.ids.length, search);
  return page.ids.toReversed();
}

for (const field of ['app', 'version', 'url']) {
  test(`letters of any script are found in any case and number, in the field ${field}`, async () => {
    for (const [at, [, parts]] of names.entries())
      for (const part of parts) assert.deepEqual(await found(`${field}:"${part}"`), ids[at], `${field}:${part}`);
  });
}

test('a single APK that changes is found as the index finds it', async () => {
  const searches = names.flatMap(([, parts]) => parts.flatMap((part) => [`app:"${part}"`, `url:"${part}"`]));
  const before = [];
  for (const search of searches) before.push(await found(search));
  for (const [at, some] of ids.entries()) {
    for (const [spelling, apkId] of some.entries()) {
      await store.transaction(({ apks }) => apks.update(apkId, { rating: 1 }));
      const terms = [{ field: 'url', text: url(names[at]![0][spelling]!) }];
      await store.transaction(({ search }) => search.replaceTerms(['url'], [{ apkId, terms }]));
    }
  }
  for (const [at, search] of searches.entries()) assert.deepEqual(await found(search), before[at], search);
});
