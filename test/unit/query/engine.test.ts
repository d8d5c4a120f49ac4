import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { planSearch } from '../../../server/query/plan.ts';
import { loadedSet } from '../../../server/store/search/id-load.ts';
import { type Load, SearchEngine, UnknownPlace } from '../../../server/store/search/search-engine.ts';
import type { SearchExpression } from '../../../server/store/search/search-expression.ts';
import { dice } from '../../bench/large-catalogue.ts';
import { newApk } from '../store/new-apk.ts';
import { openScratch, scratchFolder } from '../store/scratch-store.ts';

const folder = scratchFolder();
const store = await openScratch(folder);
const open = () => new SqliteDatabase(join(folder, 'catalogue.db'), { readonly: true });
const [connection, loaders] = [open(), open()];
after(async () => {
  connection.close();
  loaders.close();
  await store.close();
});

const load: Load = async (loads, capacity) => loadedSet(loaders, loads, capacity);

/** What the reports of each APK say. */
const urls = new Map<number, string[]>();
const { below } = dice(3);

async function describe(apkIds: readonly number[]): Promise<void> {
  for (const id of apkIds)
    urls.set(
      id,
      Array.from({ length: 3 }, (_, at) => `https://Host${below(5000)}.example/${id}/${at}`),
    );
  const described = apkIds.map((apkId) => ({
    apkId,
    terms: urls.get(apkId)!.map((text) => ({ field: 'url', text })),
  }));
  await store.transaction(({ search }) => search.replaceTerms(['url'], described));
}

/** APKs with three URLs each that no other has. */
async function add(count: number): Promise<void> {
  const apks = Array.from({ length: count }, (_, at) => newApk(urls.size + at + 1));
  await describe((await store.transaction((inside) => inside.apks.insertAll(apks))).map(({ id }) => id));
}

await add(4000);

test('what comes while a list is loaded is found, also by terms that are new', async () => {
  let loads = 0;
  const engine = new SearchEngine(connection, async (wanted, capacity) => {
    loads += 1;
    await add(1);
    return load(wanted, capacity);
  });
  for (const search of ['url:host', 'url:ho', 'url:"HTTPS://"']) {
    const before = loads;
    assert.equal(await engine.count(planSearch(search, null)!, () => false), urls.size, search);
    assert.equal(loads, before + 1, `${search} was not loaded`);
  }
});

test('terms that are too many to be listed are found on every page, while the catalogue changes', async () => {
  const engine = new SearchEngine(connection, load);
  const searches = ['host', 'HOST1', 'host12', 't77', '9.', '/7', '1499/', '0/', 'https://host4', 'nowhere'];
  for (let round = 0; round < 3; round++) {
    for (const [at, text] of searches.entries()) {
      const isNegated = at % 3 === round;
      const expression = planSearch(`${isNegated ? '-' : ''}url:"${text}"`, null)!;
      const holds = (own: string[]) => own.some((url) => url.toLowerCase().includes(text.toLowerCase())) !== isNegated;
      const wanted = [...urls].flatMap(([id, own]) => (holds(own) ? [id] : [])).sort((a, b) => b - a);
      for (const place of [null, 1 + below(4000), 1 + below(4000)]) {
        const question = { expression, ordering: [], direction: 'older', place, skip: 0, limit: 20 } as const;
        const older = wanted.filter((id) => place === null || id < place);
        const label = `${text} before ${place}, round ${round}`;
        assert.deepEqual((await engine.page(question)).ids, older.slice(0, 20), label);
        if (place === null) continue;
        const newer = await engine.page({ ...question, direction: 'newer' });
        const expected = wanted.filter((id) => id > place).slice(-20);
        assert.deepEqual(newer.ids, expected, `after ${label}`);
      }
      if (round > 0) assert.equal(await engine.count(expression, () => false), wanted.length, text);
    }
    await add(5);
    await describe([...urls.keys()].filter((id) => id % 11 === round));
  }
});

test('in a chosen order a page from an APK that was deleted before the index was read is refused', async () => {
  const place = [...urls.keys()][7]!;
  await store.transaction(({ apks }) => apks.remove(place));
  urls.delete(place);
  const engine = new SearchEngine(connection, load);
  const question = { expression: { kind: 'all' }, direction: 'older', place, skip: 0, limit: 3 } as const;
  for (const column of ['size', 'app'] as const)
    await assert.rejects(engine.page({ ...question, ordering: [{ column, isDescending: false }] }), UnknownPlace);
  const newest = await engine.page({ ...question, ordering: [] });
  assert.deepEqual(newest.ids, [place - 1, place - 2, place - 3]);
});

test('hosts of few APKs are counted, those of many estimated from a sample of the whole set', async () => {
  const ids = [...urls.keys()];
  const half = ids.filter((id) => id % 2 === 0);
  const terms = ['cdn.half.example', 'half.example'].map((text) => ({ field: 'domain', text }));
  const described = half.map((apkId) => ({ apkId, terms: [terms[apkId % 4 === 0 ? 0 : 1]!] }));
  await store.transaction(({ search }) => search.replaceTerms(['domain'], described));
  const engine = new SearchEngine(connection, load);
  const of = (expression: SearchExpression) => engine.facets({ expression, values: 5, viewerId: null }, () => false);
  const all = await of({ kind: 'all' });
  assert.equal(all.sampled, 250);
  const [first, second] = all.facets.domain;
  assert.deepEqual([first!.key, second!.key], ['half.example', 'cdn.half.example']);
  const isNear = (estimate: number, count: number) => Math.abs(estimate / count - 1) < 0.15;
  assert.ok(
    isNear(first!.count, half.length) && isNear(second!.count, half.length / 2),
    JSON.stringify(all.facets.domain),
  );
  const rare = half.slice(0, 3).map((apkId) => ({ apkId, terms: [{ field: 'domain', text: 'rare.example' }] }));
  await store.transaction(({ search }) => search.replaceTerms(['domain'], rare));
  const few = await of(planSearch('domain:rare.example', null)!);
  assert.deepEqual([few.sampled, few.facets.domain], [null, [{ key: 'rare.example', count: 3 }]]);
});
