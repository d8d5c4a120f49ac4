// Readers of the older feed: the zips themselves, by name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import yauzl from 'yauzl';
import { sha256 } from '../fixtures/client-samples.ts';
import { startWorkstation } from '../fixtures/workstation.ts';

/** The texts inside a zip, by name. */
async function unzip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    files[entry.fileName] = Buffer.concat(pieces).toString();
  }
  return files;
}

test('readers of the older feed get zips by the name of their package, or the latest', async () => {
  const minute = 60_000_000;
  const start = Math.ceil((Date.now() * 1000) / (60 * minute)) * 60 * minute;
  let now = start;
  await using older = await startWorkstation({ clock: () => now++ });
  const read = async (path: string, token = older.ownerToken) => {
    const response = await fetch(`${older.url}/legacy${path}`, { headers: { authorization: `Token ${token}` } });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  assert.equal((await read('/feed/apks')).response.status, 404);
  assert.equal((await read('/feed/apks', await older.analyst('poor'))).response.status, 401);
  const apk = { sha256, sha1: 'a'.repeat(40), md5: 'b'.repeat(32), size: 1 };
  const { id } = await older.server.store.transaction(({ apks }) => apks.insert(apk));
  await older.server.store.transaction(({ detections }) =>
    detections.save(id, { kind: 'community' }, { community_rating: -3 }),
  );
  await older.server.store.transaction(({ apks }) => apks.recount([id]));
  now = start + 6 * minute;
  await older.server.makeFeeds();
  const name = new Date(start / 1000).toISOString().replaceAll(/[-:]/g, '').slice(0, 13);
  // The second Python client leaves a placeholder in the address and sends the parameter again.
  for (const query of ['', '?package=', `?package=${name}`, '?package=%7Bpackage%7D&package=']) {
    const { response, bytes } = await read(`/feed/apks${query}`);
    assert.equal(response.status, 200, query);
    assert.equal(response.headers.get('content-disposition'), `attachment; filename="apks_${name}.zip"`);
    const files = await unzip(bytes);
    assert.deepEqual(Object.keys(files), ['samples']);
    const [hash, link] = files.samples!.trim().split(';');
    assert.equal(hash, sha256);
    assert.match(link!, new RegExp(`^${older.url}/downloads/${sha256}`));
  }
  for (const type of ['analyses', 'detected']) {
    const { response, bytes } = await read(`/feed/${type}?package=${name}`);
    assert.equal(response.headers.get('content-disposition'), `attachment; filename="${type}_${name}.zip"`);
    const [detection] = JSON.parse((await unzip(bytes))[`${sha256}.json`]!);
    assert.equal(detection.source, 'community');
  }
  for (const query of ['?package=20010101T0000', '?package=nonsense', `?package=${name.slice(0, 11)}`]) {
    assert.equal((await read(`/feed/apks${query}`)).response.status, 404, query);
  }
  now = start + 11 * minute;
  await older.server.makeFeeds();
  assert.deepEqual(await unzip((await read('/feed/apks')).bytes), { samples: '' });
  assert.deepEqual(await unzip((await read('/feed/detected')).bytes), {});
});
