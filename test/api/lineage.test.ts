// The versions of a package over HTTP, and what each step between them changed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { maxSketchHashes } from '../../server/contract/engine/code-sketch.ts';
import type { NewApk } from '../../server/store/repositories/apk-repository.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { newApk } from '../unit/store/new-apk.ts';

let workstation: TestWorkstation;
let made = 0;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

interface Version extends Partial<NewApk> {
  signer?: number;
  terms?: [field: string, text: string][];
  findings?: string[];
  /** Hashes of its methods. */
  methods?: number[];
}

/** Puts an APK into the catalogue as its analysis would. @returns its SHA-256 */
async function held({ signer, terms = [], findings = [], methods, ...fields }: Version): Promise<string> {
  const apk = { ...newApk(++made), isStaticAnalyzed: true, ...fields };
  await workstation.server.store.transaction(async (inside) => {
    const hash = (signer ?? 0).toString(16).padStart(64, '0');
    const signerId =
      signer === undefined ? null : (await inside.signers.ensure({ sha256: hash, sha1: hash.slice(24) })).id;
    const { id } = await inside.apks.insert({ ...apk, signerId });
    const read = terms.map(([field, text]) => ({ field, text }));
    await inside.search.replaceTerms(['permission', 'domain', 'ip', 'service'], [{ apkId: id, terms: read }]);
    await inside.marks.replace(id, { finding: findings });
    if (methods === undefined) return;
    const hashes = Buffer.alloc(4 * Math.min(methods.length, maxSketchHashes));
    for (const [place, hash] of methods.slice(0, maxSketchHashes).entries()) hashes.writeUInt32BE(hash, 4 * place);
    await inside.codeSketches.put(id, { methods: methods.length, hashes, core: null, bands: [] });
  });
  return apk.sha256;
}

async function lineage(sha256: string, query = '') {
  const { status, body } = await workstation.ask(`/apks/${sha256}/lineage/${query}`);
  assert.equal(status, 200);
  return body;
}
const same = { added: [], removed: [], added_count: 0, removed_count: 0 };

test('versions stand in the order of their codes, each with what it added and took away since the last by its signer', async () => {
  const packageName = 'com.example.versions';
  const second = await held({
    ...{ packageName, versionCode: '10', version: '2.0', signer: 1, size: 300 },
    terms: [
      ['permission', 'android.permission.SEND_SMS'],
      ['domain', 'a.example'],
      ['ip', '192.0.2.1'],
    ],
    findings: ['sends-sms'],
    methods: [1, 2, 3, 5],
  });
  const first = await held({
    ...{ packageName, versionCode: '9', version: '1.0', signer: 1, size: 200 },
    terms: [
      ['domain', 'a.example'],
      ['domain', 'b.example'],
      ['service', 'com.example.Work'],
    ],
    methods: [1, 2, 4],
  });
  const foreign = await held({ packageName, versionCode: '9', version: '1.0', signer: 2, methods: [1, 2, 4] });
  await held({ packageName: 'com.example.versions.other', versionCode: '9' });

  const { count, position, signers, results, next } = await lineage(first);
  assert.deepEqual([count, position, signers, next], [3, 3, 2, null]);
  assert.deepEqual(
    results.map(({ apk }: { apk: { sha256: string } }) => apk.sha256),
    [second, foreign, first],
  );
  const [newest, strange, oldest] = results;
  assert.equal(newest.signer, '1'.padStart(64, '0'));
  assert.equal(newest.apk.size, 300);
  assert.deepEqual(newest.previous, {
    ...{ sha256: first, version: '1.0', version_code: '9', size: 200, min_sdk: null, target_sdk: null },
    ...{ is_dynamic_analyzed: false, is_same_signer: true },
  });
  assert.deepEqual(newest.changes, {
    ...Object.fromEntries(Object.keys(newest.changes).map((part) => [part, same])),
    permissions: { ...same, added: ['android.permission.SEND_SMS'], added_count: 1 },
    hosts: { added: ['192.0.2.1'], added_count: 1, removed: ['b.example'], removed_count: 1 },
    services: { ...same, removed: ['com.example.Work'], removed_count: 1 },
    findings: { ...same, added: ['sends-sms'], added_count: 1 },
  });
  assert.deepEqual(newest.code, { methods: 4, added: 2, removed: 1, is_estimated: false });
  assert.deepEqual([strange.previous.sha256, strange.previous.is_same_signer, strange.code.added], [first, false, 0]);
  assert.deepEqual([newest.is_same_signer, strange.is_same_signer, oldest.is_same_signer], [true, false, true]);
  assert.deepEqual([oldest.previous, oldest.changes, oldest.code], [null, null, null]);
});

test('of a step to or from an APK that was not analysed nothing is told, and numbers of large apps are estimates', async () => {
  const packageName = 'com.example.large';
  const range = (from: number, count: number) => Array.from({ length: count }, (_, place) => (from + place) * 100_000);
  await held({ packageName, versionCode: '1', isStaticAnalyzed: false });
  await held({ packageName, versionCode: '2', methods: range(0, 4096) });
  const last = await held({ packageName, versionCode: '3', methods: range(1024, 4096) });
  const { results } = await lineage(last);
  assert.deepEqual([results[1].changes, results[1].code], [null, null]);
  assert.deepEqual([results[0].code.methods, results[0].code.is_estimated], [4096, true]);
});

test('long lists are cut, and counted whole; pages say where an APK stands among them', async () => {
  const packageName = 'com.example.many';
  let middle = '';
  for (let code = 1; code <= 7; code++) {
    const terms = Array.from({ length: 60 }, (_, place): [string, string] => ['domain', `${code}-${place}.example`]);
    const sha256 = await held({ packageName, versionCode: String(code), terms });
    if (code === 3) middle = sha256;
  }
  const page = await lineage(middle, '?page=2&page_size=3');
  assert.deepEqual([page.count, page.position, page.results.length], [7, 5, 3]);
  assert.match(page.next, /\?page=3&page_size=3$/);
  assert.equal(page.results[1].apk.sha256, middle);
  const { hosts } = page.results[2].changes;
  assert.deepEqual(
    [hosts.added_count, hosts.added.length, hosts.removed_count, hosts.removed.length],
    [60, 50, 60, 50],
  );
  assert.equal((await workstation.ask(`/apks/${middle}/lineage/?page=4&page_size=3`)).status, 404);
});

test('an APK without a package name has no versions but itself, and one that is not there has none', async () => {
  await held({ packageName: '' });
  const { count, position, results } = await lineage(await held({ packageName: '' }));
  assert.deepEqual([count, position, results.length], [1, 1, 1]);
  assert.equal((await workstation.ask(`/apks/${'f'.repeat(64)}/lineage/`)).status, 404);
});
