// Libraries over HTTP: sent, read by a job, shown, removed; what is none says why, and a file that was sent outlives a restart.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openStore } from '../../server/store/store.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/until.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

const bytes = readFileSync(realApks.uiautomator2Test);
const shown = async () => (await workstation.ask('/libraries/')).body;
const incoming = () => readdirSync(join(workstation.dataDir, 'apks/incoming'));

async function sent(body: Buffer<ArrayBuffer> | string, query = '') {
  const { status, body: job } = await workstation.ask(`/libraries/?${query}`, { method: 'POST', body });
  assert.equal(status, 202);
  return workstation.jobEnd(job.id);
}

test('a library that is sent is read by a job, takes the place of its version, is shown, and goes with all its versions', async () => {
  assert.equal((await sent(bytes, 'name=androidx%2Fmany&version=1&source=a.apk')).status, 'done');
  await sent(bytes, 'name=androidx%2Fmany&version=1&source=b.apk');
  await sent(bytes, 'name=androidx%2Fmany&version=2&source=c.apk');
  const { count, results, imports } = await shown();
  assert.deepEqual([count, imports], [2, []]);
  assert.deepEqual(
    results.map(({ imported_at: _, ...library }: { imported_at: string }) => library),
    [
      { name: 'androidx/many', version: '1', methods: 922, source: 'b.apk' },
      { name: 'androidx/many', version: '2', methods: 922, source: 'c.apk' },
    ],
  );
  await until(() => incoming().length === 0, 'the file that was sent is deleted');
  const address = '/libraries/androidx%2Fmany/';
  assert.equal((await workstation.ask(address, { method: 'DELETE' })).status, 204);
  assert.equal((await shown()).count, 0);
  assert.equal((await workstation.ask(address, { method: 'DELETE' })).status, 404);
});

test('what cannot be read as a library fails in words that stay shown, and nothing of it is kept', async () => {
  const job = await sent('no archive', 'source=notes.txt');
  assert.equal(job.status, 'failed');
  assert.match(job.error ?? '', /^It cannot be read as a JAR, an AAR or an APK: /);
  const { count, imports } = await shown();
  assert.equal(count, 0);
  assert.deepEqual(
    imports.map(({ source }: { source: string }) => source),
    ['notes.txt'],
  );
  await until(() => incoming().length === 0, 'the file that was sent is deleted');
  assert.equal((await workstation.ask('/libraries/', { method: 'POST', body: '' })).status, 400);
});

test('files that a queued import has yet to read outlive a start, all others that were received do not', async () => {
  const folder = temporaryFolder('libraries');
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const received = async (store: Awaited<ReturnType<typeof openStore>>) =>
    store.files.receive(
      (async function* () {
        yield Buffer.from('a library');
      })(),
    );
  const before = await openStore(folder, { log });
  const [awaited, other] = [await received(before), await received(before)];
  const payload = { file: awaited.name, source: 'a.jar', name: '', version: '' };
  await before.transaction(({ jobs }) =>
    jobs.insert({ kind: 'libraries', apkId: null, priority: 1, isAutomatic: false, payload, accountId: null }),
  );
  await before.close();

  const now = await openStore(folder, { log });
  assert.notEqual(now.files.receivedReference(awaited.name), null);
  assert.equal(now.files.receivedReference(other.name), null);
  await now.files.discardReceived(awaited.name);
  assert.equal(existsSync(awaited.reference.path), false);
  await now.close();
});
