import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import yauzl from 'yauzl';
import { quietLog } from '../../server/app/log.ts';
import { startServer } from '../fixtures/program.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { newApk } from '../unit/store/new-apk.ts';

/** Bytes of a zip without files. */
const emptyZipSize = 22;
const minute = 60_000_000;
const hour = 60 * minute;
/** 12 minutes and 30 seconds into an hour. */
const installedAt = Math.ceil((Date.now() * 1000) / hour) * hour + 12.5 * minute;
const hourStart = installedAt - 12.5 * minute;
let now = installedAt;
let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation({ clock: () => now++ });
});
after(() => workstation[Symbol.asyncDispose]());

async function passTo(time: number): Promise<void> {
  now = time;
  await workstation.server.makeFeeds();
}
const iso = (microseconds: number) => `${new Date(microseconds / 1000).toISOString().slice(0, 19)}.000000+00:00`;
const nameOf = (microseconds: number, length: number) =>
  new Date(microseconds / 1000).toISOString().replaceAll(/[-:]/g, '').slice(0, length);

/** The parsed files of a package's zip, by name. */
async function unzip(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url);
  assert.equal(response.status, 200);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.headers.get('content-length'), String(bytes.length));
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const files: Record<string, unknown> = {};
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    files[entry.fileName] = JSON.parse(Buffer.concat(pieces).toString());
  }
  return files;
}

const one = async (feedType: string, packageType: string, at: number) => {
  const query = new URLSearchParams({ feed_type: feedType, package_type: packageType, package_datetime: iso(at) });
  const { body } = await workstation.ask(`/feed/?${query}`);
  assert.equal(body.count, 1, `${feedType} ${packageType} ${iso(at)}`);
  return body.results[0];
};
const sha256 = (letter: string) => letter.repeat(64);

test('before the first 5 minutes are over there is no package', async () => {
  await workstation.server.makeFeeds();
  assert.equal((await workstation.ask('/feed/')).body.count, 0);
  for (const type of ['apks', 'analyses', 'detected']) {
    assert.equal((await workstation.ask(`/feed/${type}/`)).status, 404);
  }
});

test('only corporate groups get the feed, and the account says so', async () => {
  for (const [group, isAllowed] of [
    ['basic', false],
    ['silver', false],
    ['gold', true],
  ] as const) {
    const token = await workstation.analyst(`of-${group}`, group);
    const { body } = await workstation.ask('/account/', { token });
    for (const type of ['apks', 'analyses', 'detected']) {
      assert.equal(body[`can_get_${type}_feed`], isAllowed);
      assert.equal((await workstation.ask(`/feed/${type}/`, { token })).status, isAllowed ? 404 : 403);
    }
    assert.equal((await workstation.ask('/feed/', { token })).status, isAllowed ? 200 : 403);
  }
  assert.equal((await workstation.ask('/feed/', { token: null })).status, 401);
});

test('the first package holds the APKs since the installation, with every field of the specification', async () => {
  const { store } = workstation.server;
  const apk = await store.transaction(({ apks }) =>
    apks.insert({
      ...newApk(10),
      ...{
        sha256: sha256('a'),
        app: 'A',
        packageName: 'a.b',
        rating: 2,
        verdict: 'malicious',
        family: 'Joker',
        note: 'why',
      },
    }),
  );
  await store.transaction(({ apks }) => apks.addTag(apk.id, 'banker'));
  await store.transaction(({ apks }) => apks.addTag(apk.id, 'sms'));
  await passTo(hourStart + 15 * minute);
  const { status, body } = await workstation.ask('/feed/apks/');
  assert.equal(status, 200);
  assert.equal(body.package, nameOf(hourStart + 10 * minute, 13));
  assert.equal(body.package_datetime, iso(hourStart + 10 * minute));
  assert.equal(body.package_type, '5-minutes');
  assert.equal(body.feed_type, 'apks');
  const { download_url: _signedNow, ...unsigned } = (await workstation.ask(body.url)).body;
  const { download_url: _signedBefore, ...same } = body;
  assert.deepEqual(unsigned, same);
  const download = await fetch(body.download_url);
  assert.equal(download.headers.get('content-disposition'), `attachment; filename="apks_${body.package}.zip"`);
  await download.body?.cancel();
  const files = await unzip(body.download_url);
  const record = files[`${sha256('a')}.json`] as Record<string, unknown>;
  assert.deepEqual(Object.keys(files), [`${sha256('a')}.json`]);
  const { download_link: link, ...fields } = record;
  assert.deepEqual(fields, {
    sha256: sha256('a'),
    md5: apk.md5,
    sha1: apk.sha1,
    app: 'A',
    package_name: 'a.b',
    company: '',
    version: '',
    size: apk.size,
    tags: 'banker,sms',
    is_trusted: false,
    is_installed: false,
    is_corrupted: false,
    is_detected: false,
    rating: 2,
    // Beside what older readers know.
    workstation: {
      ...{
        verdict: 'malicious',
        family: 'Joker',
        note: 'why',
        risk: null,
        severity: null,
        damage: null,
        file_names: [],
      },
      ...{ findings_count: null, techniques_count: null, trackers_count: null, children: null, known: [] },
      ...{ libraries_count: null, apis_count: null, hosts_count: null, code_family: null },
    },
  });
  const seconds = Number(new URL(link as string).searchParams.get('expires')) - now / 1_000_000;
  assert.ok(seconds > 7 * 86_400 - 60 && seconds <= 7 * 86_400, String(seconds));
});

test('detections come in the package of the time in which they were made or changed', async () => {
  const { store } = workstation.server;
  const apk = (await store.apks.findBySha256(sha256('a')))!;
  await store.transaction(async (inside) => {
    const source = { kind: 'antivirus', antivirus: 'TestAV' } as const;
    await inside.detections.save(apk.id, source, {
      signature: 'Fake',
      score: null,
      tags: [],
      additional_information: {},
    });
    await inside.detections.save(apk.id, { kind: 'community' }, { community_rating: -3 });
    await inside.apks.recount([apk.id]);
  });
  await passTo(hourStart + 20 * minute);
  const first = (await unzip((await one('analyses', '5-minutes', hourStart + 15 * minute)).download_url))[
    `${sha256('a')}.json`
  ] as { source: string; information: Record<string, unknown> }[];
  assert.deepEqual(
    first.map(({ source }) => source),
    ['TestAV', 'community'],
  );
  assert.deepEqual(Object.keys(first[0]!.information).toSorted(), [
    'additional_information',
    'first_detection_at',
    'score',
    'signature',
    'tags',
  ]);
  assert.deepEqual(first[1]!.information, { community_rating: -3 });
  await store.transaction(({ detections }) => detections.save(apk.id, { kind: 'community' }, { community_rating: -4 }));
  await passTo(hourStart + 25 * minute);
  const second = await unzip((await one('detected', '5-minutes', hourStart + 20 * minute)).download_url);
  assert.deepEqual(second, {
    [`${sha256('a')}.json`]: [{ source: 'community', information: { community_rating: -4 } }],
  });
});

test('an APK whose detection stands no more is in the analyses, not among the detected', async () => {
  const { store } = workstation.server;
  const apk = await store.transaction(({ apks }) =>
    apks.insert({ ...newApk(11), sha256: sha256('b'), isDetected: false }),
  );
  await store.transaction(({ detections }) => detections.save(apk.id, { kind: 'community' }, { community_rating: -3 }));
  await passTo(hourStart + 30 * minute);
  const at = hourStart + 25 * minute;
  assert.deepEqual(Object.keys(await unzip((await one('analyses', '5-minutes', at)).download_url)), [
    `${sha256('b')}.json`,
  ]);
  assert.deepEqual(await unzip((await one('detected', '5-minutes', at)).download_url), {});
});

test("an hour's package holds what its packages of 5 minutes hold, with the latest word of each source", async () => {
  await workstation.ask(`/apks/${sha256('b')}/`, { method: 'DELETE' });
  await passTo(hourStart + hour);
  const package_ = await one('apks', '1-hour', hourStart);
  assert.equal(package_.package, nameOf(hourStart, 11));
  for (const type of ['apks', 'analyses', 'detected']) {
    const query = new URLSearchParams({ feed_type: type, package_type: '5-minutes' });
    const { body } = await workstation.ask(`/feed/?${query}`);
    assert.equal(body.count, 10);
    const names = new Set<string>();
    for (const { download_url } of body.results) {
      for (const name of Object.keys(await unzip(download_url))) names.add(name);
    }
    const ofHour = await unzip((await one(type, '1-hour', hourStart)).download_url);
    assert.deepEqual(Object.keys(ofHour).toSorted(), [...names].toSorted(), type);
    if (type === 'apks') continue;
    const detections = ofHour[`${sha256('a')}.json`] as { source: string; information: object }[];
    assert.deepEqual(
      detections.map(({ source }) => source),
      ['TestAV', 'community'],
    );
    assert.deepEqual(detections[1]!.information, { community_rating: -4 });
  }
});

test('the list is filtered by feed, length and time, newest first, and its pages follow each other', async () => {
  const all = (await workstation.ask('/feed/?page_size=100')).body;
  assert.equal(all.count, 33);
  const times = all.results.map(({ package_datetime }: { package_datetime: string }) => package_datetime);
  assert.deepEqual(times, times.toSorted().toReversed());
  const paged: string[] = [];
  for (let next: string | null = '/feed/?page_size=7'; next !== null; ) {
    const { body } = await workstation.ask(next);
    paged.push(...body.results.map(({ id }: { id: string }) => id));
    next = body.next;
  }
  assert.deepEqual(
    paged,
    all.results.map(({ id }: { id: string }) => id),
  );
  const hours = (await workstation.ask('/feed/?package_type=1-hour')).body;
  assert.equal(hours.count, 3);
});

test('a time in a query may have lost its plus sign, stand in another zone, or name none', async () => {
  const at = hourStart + 15 * minute;
  const text = iso(at).slice(0, 19);
  const inParis = iso(at + hour).slice(0, 19);
  for (const written of [
    `${text}.000000+00:00`,
    `${text}%2B00:00`,
    `${text}Z`,
    text,
    text.slice(0, 16),
    `${inParis}%2B01:00`,
    `${inParis}+0100`,
    text.replaceAll(/[-:]/g, ''),
  ]) {
    const { status, body } = await workstation.ask(`/feed/?package_datetime=${written}`);
    assert.equal(status, 200, written);
    assert.equal(body.count, 3, written);
  }
  for (const written of ['yesterday', '2026-13-40T00:00', '2026-02-30T00:00Z', '2026']) {
    const { status, body } = await workstation.ask(`/feed/?package_datetime=${written}`);
    assert.equal(status, 400, written);
    assert.deepEqual(Object.keys(body), ['package_datetime']);
  }
  assert.equal((await workstation.ask('/feed/?feed_type=else')).status, 400);
  assert.equal((await workstation.ask('/feed/?package_type=1-day')).status, 400);
});

test('links to packages are signed for one package and lapse', async () => {
  const { body } = await workstation.ask('/feed/apks/');
  const other = (await workstation.ask('/feed/analyses/')).body;
  const link = new URL(body.download_url);
  const status = async (address: string) => (await workstation.ask(address, { token: null })).status;
  assert.equal(await status(link.origin + link.pathname), 403);
  assert.equal(await status(new URL(other.download_url).href.replace(/\?.*/, link.search)), 403);
  const signedAt = now;
  now = signedAt + 59 * minute;
  assert.equal(await status(link.href), 200);
  now = signedAt + 61 * minute;
  assert.equal(await status(link.href), 410);
  now = signedAt;
  assert.equal(await status(`${workstation.url}/feed/0123456789abcdef/`), 401);
  assert.equal((await workstation.ask('/feed/0123456789abcdef/')).status, 404);
});

test('the rest of a package is sent to whoever has read its beginning, of an empty one too', async () => {
  const sizes = new Set<number>();
  for (const { download_url: address } of (await workstation.ask('/feed/?page_size=100')).body.results) {
    const bytes = async (headers: Record<string, string>) => {
      const answer = await fetch(address, { headers });
      return { status: answer.status, headers: answer.headers, read: Buffer.from(await answer.arrayBuffer()) };
    };
    const { headers, read: whole } = await bytes({});
    if (sizes.has(whole.length)) continue;
    sizes.add(whole.length);
    assert.equal(headers.get('accept-ranges'), 'bytes');
    const rest = await bytes({ range: 'bytes=10-' });
    assert.equal(rest.status, 206);
    assert.equal(rest.headers.get('content-range'), `bytes 10-${whole.length - 1}/${whole.length}`);
    assert.ok(rest.read.equals(whole.subarray(10)));
    assert.equal((await bytes({ range: `bytes=${whole.length}-` })).status, 416);
    assert.equal((await bytes({ range: 'bytes=10-', 'if-range': '"any"' })).status, 200);
  }
  assert.ok(sizes.has(emptyZipSize) && sizes.size > 1, [...sizes].join());
});

test('a package that is made late says what detections said at its time, whatever became of them since', async () => {
  const { store } = workstation.server;
  const source = { kind: 'antivirus', antivirus: 'LateAV' } as const;
  const say = (id: number, signature: string) =>
    store.transaction(({ detections }) =>
      detections.save(id, source, { signature, score: null, tags: [], additional_information: {} }),
    );
  const start = Math.ceil(now / hour) * hour;
  await passTo(start);
  const changed = await store.transaction(({ apks }) => apks.insert({ ...newApk(30), sha256: sha256('c') }));
  const withdrawn = await store.transaction(({ apks }) => apks.insert({ ...newApk(31), sha256: sha256('d') }));
  const restated = await store.transaction(({ apks }) => apks.insert({ ...newApk(32), sha256: sha256('e') }));
  for (const { id } of [changed, withdrawn, restated]) await say(id, 'First');
  now = start + 6 * minute;
  await say(changed.id, 'Second');
  await say(restated.id, 'First');
  now = start + 11 * minute;
  await say(changed.id, 'Third');
  await store.transaction(({ detections }) => detections.remove(withdrawn.id, source));
  await store.transaction(({ apks }) => apks.recount([changed.id, withdrawn.id, restated.id]));
  // The workstation was off until now: all these packages are made in one go.
  await passTo(start + 20 * minute);
  const saidAt = async (type: string, at: number) => {
    const files = await unzip((await one(type, '5-minutes', at)).download_url);
    return Object.fromEntries(
      Object.entries(files).map(([name, detections]) => [
        name[0],
        (detections as { information: { signature: string } }[]).map(({ information }) => information.signature).join(),
      ]),
    );
  };
  assert.deepEqual(await saidAt('analyses', start), { c: 'First', d: 'First', e: 'First' });
  assert.deepEqual(await saidAt('analyses', start + 5 * minute), { c: 'Second' });
  assert.deepEqual(await saidAt('analyses', start + 10 * minute), { c: 'Third' });
  assert.deepEqual(await saidAt('analyses', start + 15 * minute), {});
  // Only those that count as detected at present.
  assert.deepEqual(await saidAt('detected', start), { c: 'First', e: 'First' });
  const [shown] = (await workstation.ask(`/apks/${sha256('c')}/`)).body.detections;
  assert.equal(shown.information.signature, 'Third');
  assert.ok(shown.created_at < shown.updated_at);
  for (const letter of ['c', 'd', 'e']) await workstation.ask(`/apks/${sha256(letter)}/`, { method: 'DELETE' });
});

test('what was made while the clock was ahead is made again when its time is over', async () => {
  const before = now;
  const newest = async (type: string) => (await workstation.ask(`/feed/${type}/`)).body.package_datetime;
  const real = await newest('apks');
  await passTo(before + 3 * hour);
  assert.notEqual(await newest('apks'), real);
  await passTo(before);
  assert.equal(await newest('apks'), real);
  await workstation.server.store.transaction(({ apks }) => apks.insert({ ...newApk(20), sha256: sha256('f') }));
  await passTo(before + 2 * hour);
  const hours = await workstation.ask('/feed/?feed_type=apks&package_type=1-hour&page_size=3');
  const found: string[] = [];
  for (const { download_url: url } of hours.body.results) found.push(...Object.keys(await unzip(url)));
  assert.ok(found.includes(`${sha256('f')}.json`));
  await workstation.ask(`/apks/${sha256('f')}/`, { method: 'DELETE' });
});

test('what was missed is made afterwards for 7 days, and the older packages are deleted with their files', async () => {
  const week = 7 * 24 * hour;
  await passTo(hourStart + week + 3 * hour + 7 * minute);
  const { body } = await workstation.ask('/feed/?page_size=1&feed_type=apks&package_type=1-hour');
  assert.equal(body.count, 7 * 24);
  assert.equal(body.results[0].package_datetime, iso(hourStart + week + 2 * hour));
  assert.equal((await workstation.ask('/feed/?feed_type=apks&package_type=5-minutes')).body.count, 7 * 24 * 12 + 1);
  assert.deepEqual(readdirSync(join(workstation.dataDir, 'feeds')), []);
});

test('a damaged package of 5 minutes is made anew for the package of its hour, and holds up none', async () => {
  const start = now - (now % hour) + hour;
  now = start + minute;
  await workstation.server.store.transaction(({ apks }) => apks.insert({ ...newApk(21), sha256: sha256('9') }));
  await passTo(start + 5 * minute);
  writeFileSync(join(workstation.dataDir, 'feeds', `apks_${nameOf(start, 13)}.zip`), 'what a failing disk leaves');
  await passTo(start + hour + 5 * minute);
  for (const type of ['5-minutes', '1-hour']) {
    const files = await unzip((await one('apks', type, start)).download_url);
    assert.deepEqual(Object.keys(files), [`${sha256('9')}.json`], type);
  }
  await one('apks', '5-minutes', start + hour);
  await workstation.ask(`/apks/${sha256('9')}/`, { method: 'DELETE' });
});

test('an installation that was made while the clock was ahead has its feeds when it is set right', async () => {
  const dataDir = temporaryFolder('clock');
  const start = (clock: () => number) => startServer({ dataDir, log: quietLog, clock });
  await (await start(() => installedAt + 1000 * hour)).close();
  let time = installedAt;
  const server = await start(() => time++);
  try {
    // What the start makes is over before the clock goes on.
    await server.makeFeeds();
    time += 10 * minute;
    await server.makeFeeds();
    assert.equal(await server.services.feeds.count({ feedType: 'apks', packageType: '5-minutes' }), 2);
  } finally {
    await server.close();
  }
});
