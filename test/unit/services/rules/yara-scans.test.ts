// When APKs are scanned again: after reports that rules can see. No worker runs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createJobQueue, type JobQueue } from '../../../../server/jobs/job-queue.ts';
import type { WorkerPool } from '../../../../server/jobs/worker-pool.ts';
import { Isolation } from '../../../../server/services/analyses/isolation.ts';
import { createTokenFor } from '../../../../server/services/people/accounts.ts';
import { createServices, type Services } from '../../../../server/services/services.ts';
import type { AccountRecord } from '../../../../server/store/repositories/people/account-repository.ts';
import type { Store } from '../../../../server/store/store.ts';
import { newApk } from '../../store/new-apk.ts';
import { openScratch, scratchFolder } from '../../store/scratch-store.ts';

const folder = scratchFolder();
let now = Date.UTC(2030, 0, 1) * 1000;
let store: Store;
let queue: JobQueue;
let services: Services;
let owner: AccountRecord;
let apks = 0;
/** What happens while rules are run. */
let meanwhile = async (_texts: readonly string[]): Promise<void> => undefined;
const pool = {
  run: async ({
    kind,
    rules,
    rulesets,
  }: {
    kind: string;
    rules: string;
    rulesets: { id: string; rules: string }[];
  }) => {
    if (kind === 'yara') return scanned(rulesets);
    return {
      status: 'done',
      result: {
        rules: rules?.match(/\brule\b/g)?.map((name) => ({ name, is_private: false })) ?? [],
        errors: [],
        warnings: [],
        files: [],
        obsolete: [],
      },
    };
  },
} as unknown as WorkerPool;

/** Every ruleset matches. */
async function scanned(rulesets: { id: string; rules: string }[]) {
  await meanwhile(rulesets.map(({ rules }) => rules));
  const match = { name: 'a', tags: [], metadata: {}, file: '', files_count: 1, strings: [], strings_count: 0 };
  const outcome = {
    status: 'done',
    errors: [],
    files_scanned: 1,
    matches_count: 1,
    rules_matched: [match],
    rules_measured: [],
  };
  return {
    status: 'done',
    result: { rulesets: rulesets.map(({ id }) => ({ id, ...outcome })), findings: [], timings: {} },
  };
}

before(async () => {
  store = await openScratch(folder, { clock: () => now });
  queue = createJobQueue(store);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  services = await createServices({ store, isolation: new Isolation(store, null, log), queue, pool, workers: 1, log });
  await createTokenFor(store, 'owner');
  owner = (await services.accounts.find('owner'))!;
});
after(async () => {
  services.events.close();
  await services.limits.close();
  await store.close();
});

type ScannedAfter = 'static' | 'dynamic' | 'device_run' | 'yara';

/** Runs a job of this kind to its end. @returns what waits for the APK then */
async function waitingAfter(kind: ScannedAfter, apkId: number, during?: () => Promise<void>): Promise<string[]> {
  const job = kind === 'device_run' ? { kind, payload: { serial: 'a', seconds: 5 } } : { kind };
  await queue.enqueue({ ...job, apkId, priority: 20 });
  const running = (await queue.claim([kind]))!;
  now += 1000;
  await during?.();
  await queue.finish(running.id, { status: 'done' });
  const { items: jobs } = await queue.page({ apkId, statuses: ['queued'], limit: 10 });
  return jobs.map((waiting) => waiting.kind);
}
const makeApk = async () => {
  apks += 1;
  return (await store.transaction((inside) => inside.apks.insert(newApk(apks)))).id;
};
const saveReport = (apkId: number, kind: 'dynamic' | 'device' | 'androguard') =>
  store.transaction(({ reports }) => reports.save([{ apkId, kind, status: 'done', engineVersion: 1, content: {} }]));

/** While an active ruleset looks at what dynamic analyses report. */
async function withDynamicRules(work: () => Promise<void>): Promise<void> {
  const rules = 'import "droidbox" rule a { condition: droidbox.sendsms(/1/) }';
  const { ruleset } = await services.rulesets.create(owner, { name: 'Dynamic', rules });
  await work();
  await services.rulesets.remove(ruleset, owner);
}

test('a run is followed by a scan where an active ruleset looks at what it reports, else not', async () => {
  await services.rulesets.create(owner, { name: 'Static', rules: 'import "androguard" rule a { condition: true }' });
  for (const kind of ['dynamic', 'device_run'] as const) {
    assert.deepEqual(await waitingAfter(kind, await makeApk()), []);
    await withDynamicRules(async () => {
      assert.deepEqual(await waitingAfter(kind, await makeApk()), ['yara']);
      await queue.cancel((await queue.claim(['yara']))!.id);
    });
    assert.deepEqual(await waitingAfter(kind, await makeApk()), []);
  }
});

test('where uploads are not scanned only what was scanned before is scanned again', async () => {
  await services.rulesets.create(owner, { name: 'Plain', rules: 'rule a { condition: true }' });
  await services.settings.change({ analyze_yara_on_upload: false });
  const fresh = await makeApk();
  const scanned = await makeApk();
  await store.transaction(({ apks }) => apks.update(scanned, { lastYaraAnalysisAt: now }));
  await withDynamicRules(async () => {
    for (const kind of ['static', 'dynamic'] as const) assert.deepEqual(await waitingAfter(kind, fresh), []);
    for (const kind of ['static', 'dynamic'] as const) assert.deepEqual(await waitingAfter(kind, scanned), ['yara']);
  });
  await services.settings.change({ analyze_yara_on_upload: null });
  await queue.cancel((await queue.claim(['yara']))!.id);
  assert.deepEqual(await waitingAfter('static', fresh), ['yara']);
  await queue.cancel((await queue.claim(['yara']))!.id);
});

test('of many APKs that came at once each is scanned before the next is analysed, once and after its run where rules look at it', async () => {
  await services.rulesets.create(owner, { name: 'Plain', rules: 'rule a { condition: true }' });
  const inOrder = async () => {
    const ids = [await makeApk(), await makeApk()];
    for (const apkId of ids)
      for (const kind of ['static', 'dynamic'] as const) await queue.enqueue({ kind, apkId, priority: 20 });
    const order: string[] = [];
    for (;;) {
      const job = await queue.claim(['static', 'dynamic', 'yara']);
      if (job === null) return order;
      order.push(`${job.kind} ${ids.indexOf(job.apkId!)}`);
      now += 1000;
      await queue.finish(job.id, { status: 'done' });
    }
  };
  const first = ['static 0', 'yara 0', 'dynamic 0', 'static 1', 'yara 1', 'dynamic 1'];
  assert.deepEqual(await inOrder(), first);
  const withRuns = ['static 0', 'dynamic 0', 'yara 0', 'static 1', 'dynamic 1', 'yara 1'];
  await withDynamicRules(async () => assert.deepEqual(await inOrder(), withRuns));
});

test('a report of a run that came while the scan ran is followed by another scan where rules look at it', async () => {
  for (const kind of ['dynamic', 'device'] as const) {
    const apkId = await makeApk();
    const during = () => saveReport(apkId, kind);
    assert.deepEqual(await waitingAfter('yara', apkId, during), []);
    await withDynamicRules(async () => {
      assert.deepEqual(await waitingAfter('yara', apkId, during), ['yara']);
      await queue.cancel((await queue.claim(['yara']))!.id);
    });
  }
});

test('a report that came while the scan ran is followed by another scan, once', async () => {
  const apkId = await makeApk();
  await saveReport(apkId, 'androguard');
  now += 1000;
  assert.deepEqual(await waitingAfter('yara', apkId), []);
  now += 1000;
  assert.deepEqual(await waitingAfter('yara', apkId, () => saveReport(apkId, 'androguard')), ['yara']);
  now += 1000;
  const { items: jobs } = await queue.page({ apkId, statuses: ['queued'], limit: 10 });
  await queue.claim(['yara']);
  await queue.finish(jobs[0]!.id, { status: 'done' });
  assert.equal(await queue.count({ apkId, statuses: ['queued'] }), 0);
});

/** Scans an APK as the workstation does by itself. */
async function performScan(apkId: number): Promise<void> {
  Object.assign(store.files, { inspect: () => 'ok', fileReference: () => ({ kind: 'plain', path: '' }) });
  const { job } = await queue.enqueue({ kind: 'yara', apkId, priority: 20 });
  await queue.claim(['yara']);
  const context = { signal: new AbortController().signal, progress: () => undefined, noteMachine: () => undefined };
  await queue.finish(job.id, await services.jobHandlers.yara({ ...job, kind: 'yara', payload: null }, context));
}

test('matches of the other rulesets are stored before a new ruleset runs by itself; the APK counts as scanned when all have run', async () => {
  const seen: [rules: string[], matches: number, isScanned: boolean][] = [];
  const scan = async (apkId: number) => {
    meanwhile = async (texts) => {
      const matches = await store.matches.count({ apkId, readerId: owner.id });
      seen.push([[...texts], matches, (await store.apks.findById(apkId))?.lastYaraAnalysisAt !== null]);
    };
    await performScan(apkId);
    return store.apks.findById(apkId);
  };
  await scan(await makeApk());
  seen.length = 0;
  const rules = 'rule fresh { condition: true }';
  await services.rulesets.create(owner, { name: 'Fresh', rules });
  const apk = await scan(await makeApk());
  const [others, fresh] = seen;
  assert.ok(!others![0].includes(rules));
  assert.deepEqual(others!.slice(1), [0, false]);
  assert.deepEqual(fresh, [[rules], others![0].length, false]);
  assert.equal(await store.matches.count({ apkId: apk!.id, readerId: owner.id }), others![0].length + 1);
  assert.notEqual(apk!.lastYaraAnalysisAt, null);
});

test('who asks for a scan that runs already hears of every match, of those recorded before too', async () => {
  const apkId = await makeApk();
  const told = () => store.notifications.count({ accountId: owner.id });
  meanwhile = async () => undefined;
  await performScan(apkId);
  const matches = await store.matches.count({ apkId, readerId: owner.id });
  const before = await told();
  await performScan(apkId);
  assert.equal(await told(), before, 'nothing is new, and nobody asked');
  // A ruleset that is new runs last: the others' matches are recorded by then.
  await services.rulesets.create(owner, { name: 'Last', rules: 'rule last { condition: true }' });
  meanwhile = async (texts) => {
    if (texts.length === 1) await queue.enqueue({ kind: 'yara', apkId, priority: 10, requestedBy: owner.id });
  };
  await performScan(apkId);
  assert.ok(matches > 1);
  assert.equal((await told()) - before, matches + 1 + 1, 'each match, and the end of the scan');
});
