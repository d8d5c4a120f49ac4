import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import type { EngineReply } from '../../../../server/contract/process-line/messages.ts';
import type { SettingChangesBody } from '../../../../server/contract/workstation/settings.ts';
import { createJobQueue } from '../../../../server/jobs/job-queue.ts';
import type { WorkerPool } from '../../../../server/jobs/worker-pool.ts';
import { Isolation } from '../../../../server/services/analyses/isolation.ts';
import { createTokenFor } from '../../../../server/services/people/accounts.ts';
import { createServices, type Services } from '../../../../server/services/services.ts';
import { openStore, type Store } from '../../../../server/store/store.ts';
import { realApks } from '../../../fixtures/real-apks.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-intake-'));
let store: Store;
let services: Services;
/** What the stand-in for the workers answers next. */
let reply: EngineReply<'identify'>;
before(async () => {
  store = await openStore(dataDir, { log });
  const pool = { run: async () => reply, warm: () => undefined, close: async () => undefined } as unknown as WorkerPool;
  services = await createServices({
    store,
    isolation: new Isolation(store, null, log),
    queue: createJobQueue(store),
    pool,
    workers: 1,
    log,
  });
});
after(async () => {
  services.events.close();
  await services.limits.close();
  await store.close();
  rmSync(dataDir, { recursive: true });
});

async function* bytesOf(mark: string) {
  yield readFileSync(realApks.unlock);
  yield Buffer.from(mark);
}

const failed = (code: Extract<EngineReply, { status: 'failed' }>['code']): EngineReply<'identify'> => {
  return { status: 'failed', code, message: 'the reason' };
};

test('a file that breaks its worker is kept as corrupted, with its jobs', async () => {
  for (const code of ['crashed', 'timeout', 'memory', 'internal'] as const) {
    reply = failed(code);
    const { apk, created } = await services.intake.receiveApk(bytesOf(code), { uploader: null });
    assert.equal(created, true);
    assert.equal(apk.isCorrupted, true);
    assert.equal(apk.packageName, '');
    assert.equal(store.files.inspect(apk.sha256), 'ok');
    const identity = await store.reports.readJson<{ findings: { code: string }[] }>(apk.id, 'identity');
    assert.equal(identity?.findings[0]?.code, `identity-${code}`);
    const { items: jobs } = await createJobQueue(store).page({ apkId: apk.id, limit: 5 });
    assert.deepEqual(jobs.map(({ kind }) => kind).sort(), ['dynamic', 'static']);
  }
});

test('an upload gets the analyses that are switched on; its scans follow the static one, where there is one', async () => {
  reply = failed('crashed');
  const kindsWith = async (settings: SettingChangesBody) => {
    await services.settings.change(settings);
    const { apk } = await services.intake.receiveApk(bytesOf(JSON.stringify(settings)), { uploader: null });
    await services.settings.change(Object.fromEntries(Object.keys(settings).map((name) => [name, null])));
    const { items: jobs } = await createJobQueue(store).page({ apkId: apk.id, limit: 5 });
    await store.transaction(({ apks }) => apks.remove(apk.id));
    return jobs.map(({ kind }) => kind).sort();
  };
  const off = { analyze_static_on_upload: false, analyze_dynamic_on_upload: false };
  assert.deepEqual(await kindsWith(off), ['yara']);
  assert.deepEqual(await kindsWith({ ...off, analyze_yara_on_upload: false }), []);
  assert.deepEqual(await kindsWith({ ...off, antivirus: 'clamscan' }), ['antivirus', 'yara']);
  assert.deepEqual(await kindsWith({ analyze_yara_on_upload: false, antivirus: 'clamscan' }), ['dynamic', 'static']);
});

test("who uploads very many APKs at once lets the next analyst's be analysed before the rest", async () => {
  reply = failed('crashed');
  const queue = createJobQueue(store);
  await createTokenFor(store, 'many');
  await createTokenFor(store, 'one');
  const upload = async (username: string, mark: string) => {
    const uploader = await services.accounts.find(username);
    return (await services.intake.receiveApk(bytesOf(mark), { uploader })).apk.id;
  };
  const first: number[] = [];
  for (let index = 0; index < 25; index++) first.push(await upload('many', `many ${index}`));
  const last = await upload('one', 'one');
  const order: number[] = [];
  for (let job = await queue.claim(['static']); job !== null; job = await queue.claim(['static']))
    order.push(job.apkId!);
  const place = (id: number) => order.indexOf(id);
  assert.ok(place(first[19]!) < place(last) && place(last) < place(first[20]!));
  assert.deepEqual(
    order.filter((id) => first.includes(id)),
    first,
  );
});

test('what is no app, or came while the workers ended, is refused and not kept', async () => {
  const held = await store.apks.count();
  for (const [code, id] of [
    ['not-an-apk', 'not-an-apk'],
    ['cancelled', 'stopping'],
  ] as const) {
    reply = failed(code);
    await assert.rejects(services.intake.receiveApk(bytesOf(id), { uploader: null }), { id });
  }
  assert.equal(await store.apks.count(), held);
});

test('when the record cannot be written, the file is taken back', async () => {
  reply = failed('crashed');
  const sha256 = createHash('sha256').update(readFileSync(realApks.unlock)).update('disk').digest('hex');
  const broken = mock.method(store, 'transaction', () => Promise.reject(new Error('the disk is full')));
  await assert.rejects(services.intake.receiveApk(bytesOf('disk'), { uploader: null }), /the disk is full/);
  broken.mock.restore();
  assert.equal(store.files.inspect(sha256), 'missing');
  const { apk } = await services.intake.receiveApk(bytesOf('disk'), { uploader: null });
  assert.equal(apk.sha256, sha256);
  assert.equal(store.files.inspect(sha256), 'ok');
});
