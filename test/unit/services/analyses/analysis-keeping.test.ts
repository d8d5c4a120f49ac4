import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { EngineTask } from '../../../../server/contract/process-line/tasks.ts';
import { joinReports } from '../../../../server/engine/report-packing.ts';
import { reportTerms } from '../../../../server/engine/term-collection.ts';
import type { WorkerPool } from '../../../../server/jobs/worker-pool.ts';
import { type KeptAnalysis, keepAnalysis } from '../../../../server/services/analyses/analysis-keeping.ts';
import { openStore } from '../../../../server/store/store.ts';
import { DamagedReportError } from '../../../../server/vault/packed-bytes.ts';
import { packJson, unpackJson } from '../../../../server/vault/packed-json.ts';

const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-keeping-'));
const store = await openStore(folder, { log: { info: () => undefined, warn: () => undefined } });
after(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const { signal } = new AbortController();
const describe = { status: 'done', engineVersion: 1 } as const;
const network = (...hosts: string[]) => ({ network: { hosts }, behavior: { summary: { files: [] } } });
let count = 0;
const newApk = () => {
  count += 1;
  const hash = (length: number) => String(count).padStart(length, '0');
  return store.transaction(({ apks }) => apks.insert({ sha256: hash(64), sha1: hash(40), md5: hash(32), size: 1 }));
};

/** A worker that joins; something else may happen while it does. */
function joiner(meanwhile: (round: number) => Promise<void> = async () => undefined) {
  let rounds = 0;
  const pool = {
    run: async (task: Extract<EngineTask, { kind: 'join' }>) => {
      rounds += 1;
      await meanwhile(rounds);
      return { status: 'done', result: joinReports(task) };
    },
  } as unknown as WorkerPool;
  return { pool, rounds: () => rounds };
}

const dynamic = (apkId: number, ...hosts: string[]): KeptAnalysis => ({
  reports: [],
  removed: [],
  describe,
  cuckoo: ({ androguard, cuckoo }) => ({
    kind: 'join',
    androguard,
    cuckoo,
    parts: packJson(network(...hosts)),
    added: null,
  }),
  update: (inside) => inside.apks.update(apkId, { isDynamicAnalyzed: true }),
});

test('a report of 20 MB is stored as the bytes that the worker sent', async () => {
  const apk = await newApk();
  const cuckoo = packJson({ strings: ['x'.repeat(20_000_000)] });
  const index = reportTerms({ androguard: null, cuckoo: null }, null);
  const { pool, rounds } = joiner();
  await keepAnalysis(
    store,
    pool,
    apk.id,
    { ...dynamic(apk.id), cuckoo: () => ({ kind: 'joined', cuckoo, index }) },
    signal,
  );
  const stored = await store.reports.readCompressed(apk.id, 'cuckoo');
  assert.equal(stored?.size, cuckoo.size);
  assert.equal(Buffer.compare(stored!.compressed, cuckoo.compressed), 0);
  assert.equal(rounds(), 0);
});

test('a report that changes while its parts are joined loses nothing', async () => {
  const apk = await newApk();
  await store.transaction(({ reports }) =>
    reports.save([{ apkId: apk.id, kind: 'cuckoo', ...describe, content: { strings: ['old'] } }]),
  );
  const { pool, rounds } = joiner(async (round) => {
    if (round > 1) return;
    await store.transaction(({ reports }) =>
      reports.save([{ apkId: apk.id, kind: 'cuckoo', ...describe, content: { strings: ['new'] } }]),
    );
  });
  await keepAnalysis(store, pool, apk.id, dynamic(apk.id, 'c2.example'), signal);
  assert.equal(rounds(), 2);
  // Whom the app spoke to joins the strings.
  const joined = { strings: ['new', 'c2.example'], ...network('c2.example') };
  assert.deepEqual(await store.reports.readJson(apk.id, 'cuckoo'), joined);
});

test('an APK that is deleted while its analysis ends leaves nothing behind', async () => {
  const apk = await newApk();
  const { pool } = joiner(async () => void (await store.transaction(({ apks }) => apks.remove(apk.id))));
  const outcome = await keepAnalysis(store, pool, apk.id, dynamic(apk.id), signal);
  assert.deepEqual(outcome, { status: 'kept', changed: null });
  assert.deepEqual(await store.reports.list(apk.id), []);
});

test('what a device showed stands beside what the interpreter found, whichever came last', async () => {
  const apk = await newApk();
  const { pool } = joiner();
  await keepAnalysis(store, pool, apk.id, dynamic(apk.id, 'c2.example', 'both.example'), signal);
  const onDevice: KeptAnalysis = {
    ...dynamic(apk.id),
    cuckoo: ({ androguard, cuckoo }) => ({
      kind: 'join',
      androguard,
      cuckoo,
      parts: null,
      added: packJson(network('both.example', 'device.example')),
    }),
  };
  await keepAnalysis(store, pool, apk.id, onDevice, signal);
  const hosts = async () =>
    (await store.reports.readJson<{ network: { hosts: string[] } }>(apk.id, 'cuckoo'))!.network.hosts;
  assert.deepEqual(await hosts(), ['c2.example', 'both.example', 'device.example']);
});

test('a damaged cuckoo report is not taken for an empty one by a dynamic analysis, and a static one takes its place', async () => {
  const damaged = packJson({ ...network('c2.example'), strings: ['of the app'] });
  damaged.compressed[damaged.compressed.length >> 1]! ^= 0x10;
  const parts = packJson(network('c2.example'));
  assert.throws(
    () => joinReports({ androguard: null, cuckoo: damaged, parts, added: null }),
    (error) => error instanceof DamagedReportError && error.cause instanceof Error,
  );
  const cuckoo = packJson({ strings: ['of the app'] });
  const joined = joinReports({ androguard: null, cuckoo, parts: damaged, added: null });
  assert.deepEqual(unpackJson(joined.cuckoo!), { strings: ['of the app'] });
});
