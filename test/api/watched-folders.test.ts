// Watched folders: what comes into one is taken in once it stays the same, told as its folder says, and known after a restart.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { quietLog } from '../../server/app/log.ts';
import { noteServerAddress } from '../../server/app/server-address.ts';
import { commandLine, startServer } from '../fixtures/program.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/until.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
  const quick = { analyze_dynamic_on_upload: false };
  await workstation.ask('/settings/', { method: 'PATCH', json: quick });
});
after(() => workstation[Symbol.asyncDispose]());

const unlock = readFileSync(realApks.unlock);
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** Another file of the same app: a comment of the archive changes its hash alone. */
function variant(mark: string): Buffer {
  const end = unlock.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const copy = Buffer.concat([unlock.subarray(0, end + 22), Buffer.from(mark)]);
  copy.writeUInt16LE(mark.length, end + 20);
  return copy;
}

async function watched(path: string, wish: object = {}) {
  const json = { path, settle_seconds: 1, ...wish };
  const { status, body, text } = await workstation.ask('/watched-folders/', { method: 'POST', json });
  assert.equal(status, 201, text);
  return body;
}
const files = async (id: string, query = '') =>
  (await workstation.ask(`/watched-folders/${id}/files/${query}`)).body.results;
const stateOf = async (id: string) =>
  (await workstation.ask('/watched-folders/')).body.results.find((folder: { id: string }) => folder.id === id);
const unwatch = (id: string) => workstation.ask(`/watched-folders/${id}/`, { method: 'DELETE' });
const noteOf = (path: string) => `${path}.apk-workstation.json`;
const noteAt = (path: string) => JSON.parse(readFileSync(noteOf(path), 'utf8'));

test('a file that is still written waits until it stays the same, is tagged by its folder and the folders in it, and has a note beside it', async () => {
  const folder = temporaryFolder('watch');
  const { id, state, outcome } = await watched(folder, { tags: ['dropped'], has_folder_tags: true });
  assert.deepEqual([state, outcome], ['starting', 'note']);
  mkdirSync(join(folder, 'from, a phone/camera'), { recursive: true });
  const path = join(folder, 'from, a phone/camera/unlock.apk');
  const bytes = variant('written slowly');
  const pieces = 6;
  for (let piece = 0; piece < pieces; piece++) {
    appendFileSync(path, bytes.subarray((piece * bytes.length) / pieces, ((piece + 1) * bytes.length) / pieces));
    assert.ok(!existsSync(noteOf(path)), 'taken before it was whole');
    await sleep(600);
  }
  await until(() => existsSync(noteOf(path)), 'a note lies beside the file');
  const sha256 = sha256Of(bytes);
  const { taken_at: _, ...note } = noteAt(path);
  assert.deepEqual(note, {
    ...{ file: 'unlock.apk', size: bytes.length, sha256 },
    ...{ apks: [{ sha256, is_new: true }], refused: [] },
  });
  const { body: apk } = await workstation.ask(`/apks/${sha256}/`);
  assert.deepEqual([...apk.tags].sort(), ['camera', 'dropped', 'from  a phone']);
  assert.deepEqual(apk.workstation.file_names, ['unlock.apk']);
  await until(async () => (await files(id)).length === 1, 'the file is listed');
  assert.deepEqual((await stateOf(id)).taken_count, 1);
  await unwatch(id);
  assert.equal((await workstation.ask(`/apks/${sha256}/`)).status, 200, 'the APK stays');
});

test('an archive of apps is taken in whole; what is refused keeps its reasons, is tried again when asked, and when it changes', async () => {
  const folder = temporaryFolder('watch');
  const inner = variant('in an archive');
  const entries = [
    { name: 'good.apk', content: inner },
    { name: 'bad.apk', content: 'no app' },
  ];
  writeFileSync(join(folder, 'many.zip'), buildZip({ entries }));
  writeFileSync(join(folder, 'notes.txt'), 'no app either');
  writeFileSync(join(folder, 'film.apk.part'), unlock);
  const { id } = await watched(folder);
  await until(async () => (await files(id, '?is_refused=true')).length === 2, 'both are told');
  const [one, other] = (await files(id)).sort((a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1));
  assert.deepEqual(
    [one.path, one.apks, one.refused.length],
    ['many.zip', [{ sha256: sha256Of(inner), is_new: true }], 1],
  );
  assert.match(other.refused[0].reason, /not an Android application/);
  await until(() => existsSync(noteOf(join(folder, 'notes.txt'))), 'a note lies beside it');
  assert.ok(
    !readdirSync(folder).some((name) => name.startsWith('film.apk.part.')),
    'a download under way is left alone',
  );

  const { body } = await workstation.ask(`/watched-folders/${id}/retry/`, { method: 'POST', json: {} });
  assert.equal(body.files, 2);
  await until(async () => (await files(id)).length === 2, 'both were tried again');
  writeFileSync(join(folder, 'notes.txt'), variant('an app after all'));
  await until(async () => (await files(id, '?is_refused=true')).length === 1, 'what has changed is taken in');
  await unwatch(id);
});

test('files that were taken in are moved, or deleted where that was chosen, but never what was refused', async () => {
  for (const outcome of ['move', 'delete']) {
    const folder = temporaryFolder('watch');
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'in/good.apk'), variant(`to ${outcome}`));
    writeFileSync(join(folder, 'bad.apk'), 'no app');
    const { id } = await watched(folder, { outcome });
    await until(async () => (await files(id)).length === 2, 'both are told');
    await until(() => !existsSync(join(folder, 'in/good.apk')), 'the file is not in its place any more');
    const own = join(folder, 'apk-workstation');
    const refused = outcome === 'move' ? join(own, 'refused/bad.apk') : join(folder, 'bad.apk');
    await until(() => existsSync(noteOf(refused)), 'the refusal is told');
    assert.ok(existsSync(refused));
    assert.equal(existsSync(join(own, 'taken/in/good.apk')), outcome === 'move');
    assert.equal((await stateOf(id)).taken_count, 1, 'it is remembered');
    // The same name comes again.
    writeFileSync(join(folder, 'in/good.apk'), variant(`to ${outcome} again`));
    await until(async () => (await stateOf(id)).taken_count === 2, 'the next one is taken in');
    await until(() => !existsSync(join(folder, 'in/good.apk')), 'and is gone as well');
    if (outcome === 'move') assert.ok(existsSync(join(own, 'taken/in/good (2).apk')));
    await unwatch(id);
  }
});

test('rulesets of a folder scan its APKs alone, also while they are disabled, and tag what they match', async () => {
  const folder = temporaryFolder('watch');
  const ruleset = { name: 'folder rules', rules: 'rule of_folder { condition: true }', status: 'disabled' };
  const { body } = await workstation.ask('/rulesets/', { method: 'POST', json: ruleset });
  const wish = { rulesets: [body.id], match_tags: ['wanted'], tags: ['lab'], priority: 'upload' };
  const { id } = await watched(folder, wish);
  const [mine, other] = [variant('of the folder'), variant('of nobody')];
  writeFileSync(join(folder, 'mine.apk'), mine);
  await workstation.upload(other);
  const tagsOf = async (bytes: Buffer) => (await workstation.ask(`/apks/${sha256Of(bytes)}/`)).body?.tags ?? [];
  await until(async () => (await tagsOf(mine)).includes('wanted'), 'the match tags the APK');
  await workstation.server.idle();
  assert.deepEqual(await tagsOf(other), []);
  assert.equal((await workstation.ask(`/rulesets/${body.id}/`)).body.matches_count, 1);

  // One that was held already is scanned for the folder as well.
  writeFileSync(join(folder, 'other.apk'), other);
  await until(async () => (await tagsOf(other)).includes('wanted'), 'the match tags what was held');
  await unwatch(id);
});

test('a folder that is away is looked for, its files are not taken for deleted, and those that were changed since are taken in', async () => {
  const folder = join(temporaryFolder('watch'), 'share');
  mkdirSync(folder);
  const path = join(folder, 'a.apk');
  writeFileSync(path, variant('on a share'));
  const { id } = await watched(folder, { uses_polling: true });
  await until(() => existsSync(noteOf(path)), 'the file is taken in');
  const notedAt = statSync(noteOf(path)).mtimeMs;
  renameSync(folder, `${folder}-away`);
  await until(async () => (await stateOf(id)).state === 'unreachable', 'the folder is missed');
  assert.match((await stateOf(id)).problem, /not there/);
  writeFileSync(join(`${folder}-away`, 'b.apk'), variant('while it was away'));
  renameSync(`${folder}-away`, folder);
  await until(() => existsSync(noteOf(join(folder, 'b.apk'))), 'what came meanwhile is taken in');
  assert.equal(statSync(noteOf(path)).mtimeMs, notedAt, 'what was there is known');
  await unwatch(id);
});

test('after a restart files are known by how they look, one that was only touched by its hash, and what came meanwhile is taken in', async () => {
  const [dataDir, folder] = [temporaryFolder('watching'), temporaryFolder('watch')];
  const [one, touched, late] = ['one.apk', 'touched.apk', 'late.apk'].map((name) => join(folder, name));
  writeFileSync(one!, variant('before the restart'));
  writeFileSync(touched!, variant('touched'));
  const options = { dataDir, log: quietLog, analysesGiveWay: false, triesIsolation: false };
  const first = await startServer(options);
  const { secret } = await first.services.sessions.openByCode(first.services.sessions.createLoginCode(null), {
    address: 'test',
  });
  const headers = { authorization: `Token ${secret}`, 'content-type': 'application/json' };
  const wish = JSON.stringify({ path: folder, settle_seconds: 1 });
  assert.equal((await fetch(`${first.url}/watched-folders/`, { method: 'POST', headers, body: wish })).status, 201);
  await until(() => existsSync(noteOf(one!)) && existsSync(noteOf(touched!)), 'both are taken in');
  await until(async () => (await first.store.watchedFolders.looks(1)).length === 2, 'and remembered');
  await first.close();
  const noted = [one!, touched!].map((path) => statSync(noteOf(path)).mtimeMs);
  utimesSync(touched!, new Date(), new Date(Date.now() - 3_600_000));
  writeFileSync(late!, variant('while nobody watched'));

  const second = await startServer(options);
  await until(() => existsSync(noteOf(late!)), 'what came meanwhile is taken in');
  const looked = async () => (await second.store.watchedFolders.looks(1)).find(({ path }) => path === 'touched.apk')!;
  const touchedAt = Math.trunc(statSync(touched!).mtimeMs * 1000);
  await until(async () => (await looked()).modifiedAt === touchedAt, 'the touched file is known again');
  assert.deepEqual(
    [one!, touched!].map((path) => statSync(noteOf(path)).mtimeMs),
    noted,
  );
  await second.close();
});

test('what is no folder of this machine, lies in the data folder or in a watched one is refused, and only the owner may ask', async () => {
  const folder = temporaryFolder('watch');
  mkdirSync(join(folder, 'inner'));
  const { id } = await watched(folder, { is_on: false });
  assert.equal((await stateOf(id)).state, 'off');
  const refused: [string, RegExp][] = [
    ['relative', /absolute/],
    [join(folder, 'nowhere'), /ENOENT/],
    [realApks.unlock, /no folder/],
    [join(workstation.dataDir, 'apks'), /data folder/],
    [join(folder, 'inner'), /one is watched/],
  ];
  for (const [path, reason] of refused) {
    const { status, body } = await workstation.ask('/watched-folders/', { method: 'POST', json: { path } });
    assert.equal(status, 400, path);
    assert.match(body.path[0], reason);
  }
  const token = await workstation.analyst('somebody');
  assert.equal((await workstation.ask('/watched-folders/', { token })).status, 403);
  const changed = await workstation.ask(`/watched-folders/${id}/`, {
    method: 'PATCH',
    json: { tags: ['x'], is_on: true },
  });
  assert.deepEqual([changed.status, changed.body.tags, changed.body.is_on], [200, ['x'], true]);
  await unwatch(id);
  assert.equal((await unwatch(id)).status, 404);
});

test('`watch` has the running server take files in while it runs, prints what became of them, and knows them the next time', async () => {
  const folder = temporaryFolder('watch');
  const app = variant('by the command');
  writeFileSync(join(folder, 'a.apk'), app);
  noteServerAddress(workstation.dataDir, workstation.url);
  const run = () => {
    const options = ['--data-dir', workstation.dataDir, '--tag', 'by-command', '--settle', '1', '--json'];
    const child = spawn(process.execPath, [commandLine, 'watch', folder, ...options]);
    let told = '';
    child.stdout.on('data', (text) => {
      told += String(text);
    });
    child.stderr.on('data', () => undefined);
    return {
      child,
      lines: () =>
        told
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
    };
  };
  const end = async (child: ChildProcess) => {
    child.kill('SIGTERM');
    const [status] = await once(child, 'exit');
    assert.equal(status, 0);
  };
  const first = run();
  await until(() => first.lines().length === 1, 'a line tells of the file');
  const [{ path, apks }] = first.lines();
  assert.deepEqual([path, apks], ['a.apk', [{ sha256: sha256Of(app), is_new: true }]]);
  assert.deepEqual((await workstation.ask(`/apks/${sha256Of(app)}/`)).body.tags, ['by-command']);
  await end(first.child);
  const state = (await workstation.ask('/watched-folders/')).body.results[0];
  assert.deepEqual([state.path, state.is_on, state.state], [folder, false, 'off']);

  const second = run();
  writeFileSync(join(folder, 'b.apk'), variant('by the command, later'));
  await until(() => second.lines().length > 0, 'a line tells of the next file');
  assert.deepEqual(
    second.lines().map((line) => line.path),
    ['b.apk'],
  );
  await end(second.child);
  await unwatch(state.id);
});
