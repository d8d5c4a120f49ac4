// Imports of files of the workstation's machine: how far they are, what they refuse and why, and that they go on after anything.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startKillable } from '../fixtures/killable-workstation.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { splitApp } from '../fixtures/split-app.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/until.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

let workstation: TestWorkstation;
const unlock = readFileSync(realApks.unlock);

before(async () => {
  workstation = await startWorkstation();
  const quick = { analyze_dynamic_on_upload: false, analyze_static_on_upload: false, analyze_yara_on_upload: false };
  await workstation.ask('/settings/', { method: 'PATCH', json: quick });
});
after(() => workstation[Symbol.asyncDispose]());

/** Another file of the same app: a comment of the archive changes its hash alone. */
function variant(mark: string): Buffer {
  const end = unlock.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const copy = Buffer.concat([unlock.subarray(0, end + 22), Buffer.from(mark)]);
  copy.writeUInt16LE(mark.length, end + 20);
  return copy;
}

async function begun(path: string, wish: object = {}) {
  const { status, body, text } = await workstation.ask('/imports/', { method: 'POST', json: { path, ...wish } });
  assert.equal(status, 201, text);
  return body;
}
const get = async (id: string) => (await workstation.ask(`/imports/${id}/`)).body;
async function ended(id: string) {
  await until(async () => (await get(id)).state !== 'running', 'the import has come to its end');
  return get(id);
}
const refusals = async (id: string, query = '') => (await workstation.ask(`/imports/${id}/refused/${query}`)).body;
const countsOf = ({
  state,
  file_count,
  done_files,
  added_count,
  held_count,
  refused_count,
}: Record<string, unknown>) => [...[state, file_count, done_files], ...[added_count, held_count, refused_count]];

test('a folder is imported with all in it, tagged by its folders, and what is refused stands there with its reason and is tried again', async () => {
  const folder = temporaryFolder('import');
  mkdirSync(join(folder, 'bankers/one'), { recursive: true });
  writeFileSync(join(folder, 'a.apk'), variant('first'));
  writeFileSync(join(folder, 'bankers/one/b.apk'), variant('second'));
  writeFileSync(join(folder, 'notes.txt'), 'no app');
  const entries = [
    { name: 'in.apk', content: variant('third') },
    { name: 'bad.apk', content: 'no app either' },
  ];
  writeFileSync(join(folder, 'many.zip'), buildZip({ entries }));
  const { id, state, seconds_left } = await begun(folder, { tags: ['brought'], has_folder_tags: true });
  assert.deepEqual([state, seconds_left], ['running', null]);
  const done = await ended(id);
  assert.deepEqual(countsOf(done), ['ended', 4, 4, 3, 0, 2], JSON.stringify(done));
  assert.equal(done.done_bytes, done.byte_count);
  const { results, count } = await refusals(id);
  assert.equal(count, 2);
  assert.deepEqual(results.map(({ name }: { name: string }) => name).sort(), ['many.zip/bad.apk', 'notes.txt']);
  for (const { reason } of results) assert.match(reason, /not an Android application/i);
  const { body } = await workstation.ask('/apks/?search=tag:one');
  assert.deepEqual([...body.results[0].tags].sort(), ['bankers', 'brought', 'one']);
  assert.equal((await workstation.ask('/apks/?search=tag:brought')).body.count, 3);

  writeFileSync(join(folder, 'notes.txt'), variant('an app after all'));
  await workstation.ask(`/imports/${id}/retry/`, { method: 'POST', json: {} });
  assert.deepEqual(
    countsOf(await ended(id)),
    ['ended', 4, 4, 4, 0, 1],
    'what of the archive is held is not counted again',
  );
  assert.deepEqual(
    (await refusals(id)).results.map(({ name }: { name: string }) => name),
    ['many.zip/bad.apk'],
  );

  const again = await ended((await begun(folder)).id);
  assert.deepEqual(countsOf(again), ['ended', 4, 4, 0, 4, 1], 'what is held is skipped');
  await workstation.ask(`/imports/${id}/`, { method: 'DELETE' });
  assert.equal((await workstation.ask(`/imports/${id}/`)).status, 404);
  assert.equal((await workstation.ask('/apks/?search=tag:brought')).body.count, 4, 'the APKs stay');
});

test('an import that is stopped goes on where it stood, and counts nothing twice', async () => {
  const folder = temporaryFolder('import');
  for (let index = 0; index < 60; index++) writeFileSync(join(folder, `${index}.apk`), variant(`stop ${index}`));
  const { id } = await begun(folder);
  await until(async () => (await get(id)).done_files > 3, 'some are done');
  const stopped = (await workstation.ask(`/imports/${id}/`, { method: 'PATCH', json: { state: 'stopped' } })).body;
  assert.equal(stopped.state, 'stopped');
  assert.ok(stopped.done_files < 60, `${stopped.done_files}`);
  assert.equal((await get(id)).done_files, stopped.done_files, 'nothing more is taken');
  assert.equal(stopped.seconds_left, null);
  await workstation.ask(`/imports/${id}/`, { method: 'PATCH', json: { state: 'running' } });
  const done = await ended(id);
  assert.deepEqual(countsOf(done), ['ended', 60, 60, 60, 0, 0]);
});

test('an import goes on by itself when the server was killed in its midst', async () => {
  const [dataDir, folder] = [temporaryFolder('data'), temporaryFolder('import')];
  for (let index = 0; index < 40; index++) writeFileSync(join(folder, `${index}.apk`), variant(`kill ${index}`));
  await using first = await startKillable(dataDir);
  const { id } = await first.ask('/imports/', 'POST', { path: folder });
  await until(async () => (await first.ask(`/imports/${id}/`)).done_files > 3, 'some are done');
  await first.kill();
  await using second = await startKillable(dataDir);
  await until(async () => (await second.ask(`/imports/${id}/`)).state === 'ended', 'it came to its end');
  const done = await second.ask(`/imports/${id}/`);
  assert.deepEqual([done.done_files, done.file_count, done.added_count + done.held_count], [40, 40, 40]);
  assert.equal((await second.ask('/apks/?page_size=1')).count, 40);
});

test('the files of an app in parts make one APK', async () => {
  const folder = temporaryFolder('import');
  const files = splitApp('by an import');
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const { id } = await begun(folder);
  assert.deepEqual(countsOf(await ended(id)).slice(3), [4, 0, 0]);
  const base = createHash('sha256').update(files['base.apk']!).digest('hex');
  assert.equal((await workstation.ask(`/apks/${base}/`)).body.parts.length, 3);
});

test('a path that is none is refused; one that goes away stops its import with the reason', async () => {
  for (const path of ['here', '/nowhere/at/all']) {
    const { status, body } = await workstation.ask('/imports/', { method: 'POST', json: { path } });
    assert.equal(status, 400);
    assert.match(body.path[0], path === 'here' ? /absolute/ : /ENOENT/);
  }
  const folder = temporaryFolder('import');
  writeFileSync(join(folder, 'gone.apk'), 'no app');
  const { id } = await begun(folder);
  await ended(id);
  rmSync(folder, { recursive: true });
  await workstation.ask(`/imports/${id}/retry/`, { method: 'POST', json: {} });
  const { state, refused_count } = await ended(id);
  assert.deepEqual([state, refused_count], ['ended', 1]);
  assert.match((await refusals(id)).results[0].reason, /ENOENT/);
});
