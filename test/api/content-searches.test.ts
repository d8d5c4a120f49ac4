// Searches in the files of APKs, on a real workstation.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import {
  type ContentHit,
  type ContentSearch,
  contentHitListSchema,
  contentSearchSchema,
} from '../../server/contract/catalogue/content-search.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { until } from '../fixtures/until.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { pickOf, randomNumbers } from '../fuzz/random.ts';

let workstation: TestWorkstation;
const count = 8;
const sha256s: string[] = [];
const unlock = readFileSync(realApks.unlock);
const variant = (index: number) => Buffer.concat([unlock, Buffer.from(`the text of number ${index} stands here`)]);
const indexed = () => workstation.server.services.contentIndexing.settled();

before(async () => {
  workstation = await startWorkstation();
  await ask('/settings/', 'PATCH', { analyze_dynamic_on_upload: false, analyze_yara_on_upload: false });
  for (let index = 0; index < count; index++) sha256s.push((await workstation.upload(variant(index))).body.sha256);
  await workstation.server.idle();
  await indexed();
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, method = 'GET', json?: unknown) =>
  workstation.ask(path, { method, ...(json === undefined ? {} : { json }) });

async function ended(search: string): Promise<ContentSearch> {
  const { body, status, text } = await ask('/content_searches/', 'POST', { search });
  assert.equal(status, 201, text);
  const { id } = contentSearchSchema.parse(body);
  let now: ContentSearch;
  await until(async () => {
    now = contentSearchSchema.parse((await ask(`/content_searches/${id}/`)).body);
    return now.status !== 'running';
  }, 'the search ended');
  return now!;
}
const hitsOf = async (id: string, query = '') =>
  contentHitListSchema.parse((await ask(`/content_searches/${id}/hits/${query}`)).body);

test('a text is looked for in the APKs alone that may hold it, and told with file, offset and surroundings', async () => {
  const search = await ended('content:"TEXT of number 5 stands"');
  const { status, apks_count, candidates_count, read_count, found_count, contents } = search;
  assert.deepEqual([status, apks_count, candidates_count, read_count, found_count], ['done', count, 1, 1, 1]);
  assert.deepEqual(contents, [{ content: 'content:"TEXT of number 5 stands"', is_indexed: true }]);
  const { results } = await hitsOf(search.id);
  const [{ count: places, places: told }] = results[0]!.contents as [NonNullable<ContentHit['contents']>[number]];
  const [place] = told;
  assert.equal(places, 1);
  assert.deepEqual([place!.file, place!.offset], ['', unlock.length + 4]);
  const read = (hex: string) => Buffer.from(hex, 'hex').toString('latin1');
  assert.equal(read(place!.before).slice(-4), 'the ');
  assert.deepEqual([place!.found, place!.after].map(read), ['text of number 5 stands', ' here']);
});

test('contents stand among the other terms of a search, and in the list of APKs', async () => {
  const both = 'content:"the text of number" -content:"of number 3 stands" package:io.appium';
  const { found_count, read_count } = await ended(both);
  assert.deepEqual([found_count, read_count], [count - 1, count]);
  assert.equal((await ask(`/apks/?search=${encodeURIComponent(both)}`)).body.count, count - 1);
  const none = await ended('content:"the text of number" package:nobody');
  assert.deepEqual([none.apks_count, none.read_count, none.found_count], [0, 0, 0]);
  const either = await ended('content:"of number 1 stands" OR content:{6f66206e756d626572203220??74616e6473}');
  assert.equal(either.found_count, 2);
  const { results } = await hitsOf(either.id);
  assert.deepEqual(results.map(({ contents }) => contents!.map(({ count: places }) => places)).sort(), [
    [0, 1],
    [1, 0],
  ]);
});

test('APKs that are found for what they do not hold are not read', async () => {
  const { read_count, found_count } = await ended('-content:"of number 4 stands"');
  assert.deepEqual([read_count, found_count], [1, count - 1]);
});

test('any mixture of contents and other terms finds what looking into every file finds', async () => {
  const random = randomNumbers(5);
  type Asked = { search: string; holds: (index: number) => boolean };
  const leaf = (): Asked => {
    const index = random(count);
    return pickOf<Asked>(
      [
        { search: `content:"OF number ${index} stands"`, holds: (other) => other === index },
        { search: `content:{756d6265722?3${index}}`, holds: (other) => other === index },
        { search: `content:{756d62657220 3${index}}`, holds: (other) => other === index },
        { search: 'content:"text of number"', holds: () => true },
        { search: 'content:"nobody says this here"', holds: () => false },
        { search: 'package:unlock', holds: () => true },
        { search: 'package:nobody', holds: () => false },
      ],
      random,
    );
  };
  const tree = (depth: number): Asked => {
    const kind = depth === 0 ? 0 : random(4);
    if (kind === 0) return leaf();
    const [one, other] = [tree(depth - 1), tree(depth - 1)];
    if (kind === 1) return { search: `-(${one.search})`, holds: (index) => !one.holds(index) };
    if (kind === 2)
      return { search: `(${one.search} ${other.search})`, holds: (index) => one.holds(index) && other.holds(index) };
    return { search: `(${one.search} OR ${other.search})`, holds: (index) => one.holds(index) || other.holds(index) };
  };
  for (let round = 0; round < 40; round++) {
    const { search, holds } = tree(3);
    if (!search.includes('content:')) continue;
    const { id } = await ended(search);
    const found = new Set((await hitsOf(id)).results.map(({ apk }) => apk.sha256));
    const expected = sha256s.filter((_, index) => holds(index));
    assert.deepEqual([...found].sort(), expected.sort(), search);
  }
});

test('a content that the index cannot answer says so, and reads what the rest of the search finds', async () => {
  const { contents, read_count, found_count } = await ended('content:"umber 6"');
  assert.deepEqual([contents[0]!.is_indexed, read_count, found_count], [false, count, 1]);
});

test('an APK that is not indexed, or was analysed anew since, is read whole', async () => {
  const setting = (content_index: boolean) => ask('/settings/', 'PATCH', { content_index });
  await setting(false);
  const { is_indexed } = (await ended('content:"text of number 2 stands"')).contents[0]!;
  assert.equal(is_indexed, false);
  await setting(true);
  await indexed();
  const again = await ended('content:"text of number  2 stands" OR content:"text of number 2 stands"');
  assert.deepEqual([again.read_count, again.found_count], [1, 1]);
});

test('what was found is read by pages, and by nobody else', async () => {
  const search = await ended('content:"the text of number"');
  const first = await hitsOf(search.id, '?page_size=5');
  assert.deepEqual([first.count, first.results.length, first.previous], [count, 5, null]);
  const next = await workstation.ask(new URL(first.next!).pathname + new URL(first.next!).search);
  const rest = contentHitListSchema.parse(next.body);
  assert.deepEqual([rest.results.length, rest.next], [count - 5, null]);
  const all = [...first.results, ...rest.results].map(({ apk }) => apk.sha256);
  assert.equal(new Set(all).size, count);
  const other = await workstation.analyst('other');
  for (const path of [`/content_searches/${search.id}/`, `/content_searches/${search.id}/hits/`])
    assert.equal((await workstation.ask(path, { token: other })).status, 404);
});

test('a search that is cancelled ends, and what it names has to be contents', async () => {
  const { body } = await ask('/content_searches/', 'POST', { search: 'content:"umber"' });
  const cancelled = await ask(`/content_searches/${body.id}/cancel/`, 'POST', {});
  assert.ok(['cancelled', 'done'].includes(cancelled.body.status as string));
  for (const [search, position] of [
    ['app:unlock', 0],
    ['content:abc', 8],
    ['content:{dead}', 8],
    ['content:{de ?? ad ?? be}', 8],
    ['content:{de [2-4] ad}', 8],
    ['content:>5', 9],
  ] as const) {
    const { status, body: fault } = await ask('/content_searches/', 'POST', { search });
    assert.deepEqual([status, fault.position], [400, position], search);
  }
});
