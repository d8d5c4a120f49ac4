// The clock of the machine goes back and forth by a year, while the workstation runs and between two starts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { quietLog } from '../../server/app/log.ts';
import type { RunningServer } from '../../server/app/server.ts';
import { createTokenFor } from '../../server/services/people/accounts.ts';
import { startServer } from '../fixtures/program.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { newApk } from '../unit/store/new-apk.ts';

const minute = 60_000_000;
const year = 365 * 86_400_000_000;
const right = Date.now() * 1000;
let shift = 0;
let passed = 0;
const clock = () => right + shift + passed++;
const dataDir = temporaryFolder('clocks');
let server: RunningServer;
let token = '';
let session = '';
const start = async () => {
  server = await startServer({ dataDir, log: quietLog, clock });
};
before(async () => {
  await start();
  token = await createTokenFor(server.store, 'ada');
  session = (await openSession()).token;
  await server.store.transaction(({ apks }) => apks.insert(newApk(1)));
  for (const setting of ['retention_days', 'audit_days'])
    await server.store.transaction(({ settings }) => settings.write(setting, 30));
});
after(() => server.close());

async function ask(path: string, secret = token): Promise<number> {
  const headers = { authorization: `Token ${secret}`, connection: 'close' };
  return (await fetch(`${server.url}${path}`, { headers })).status;
}

async function openSession(): Promise<{ token: string }> {
  const code = new URL(server.newLoginUrl().replace('/#/', '/')).searchParams.get('code');
  const answer = await fetch(`${server.url}/session/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ login_code: code }),
  });
  assert.equal(answer.status, 201);
  return answer.json() as Promise<{ token: string }>;
}

const forgetOld = async () => {
  const { services, store } = server;
  assert.equal(await services.storage.enforceRetention(), 0);
  await services.audit.forgetOld();
  await services.limits.forgetOld();
  await services.dryRuns.forgetOld();
  await store.transaction(({ tokens }) => tokens.removeExpired(store.trustedTime.now()));
  await server.makeFeeds();
};

for (const isRestarted of [false, true]) {
  const when = isRestarted ? 'between two starts' : 'while it runs';
  for (const [direction, years] of [
    ['ahead', 1],
    ['back', -1],
  ] as const) {
    test(`a clock that is set ${direction} by a year ${when}, and right again, loses nothing`, async () => {
      passed += 10 * minute;
      await server.makeFeeds();
      const records = await server.services.audit.count(null);
      const packages = await server.services.feeds.count({});
      const apks = await server.store.apks.count();
      assert.ok(packages > 0 && records > 0);
      const set = async (to: number) => {
        if (isRestarted) await server.close();
        shift = to;
        if (isRestarted) await start();
      };
      await set(years * year);
      await forgetOld();
      assert.equal(await ask('/account/'), 200);
      if (years < 0) assert.equal(await ask('/account/', session), 200);
      const odd = (await openSession()).token;
      assert.equal(await ask('/account/', odd), 200);
      await server.store.transaction((inside) => inside.apks.insert(newApk(apks + 1)));
      await set(0);
      passed += 10 * minute;
      await forgetOld();
      assert.equal(await ask('/account/'), 200);
      assert.equal(await ask('/account/', session), 200);
      // Neither one of the future, which would last for a year, nor one of last year, which is long over.
      assert.equal(await ask('/account/', odd), 401);
      assert.equal(await server.store.apks.count(), apks + 1);
      assert.ok((await server.services.audit.count(null)) >= records);
      assert.ok((await server.services.feeds.count({})) >= packages);
    });
  }
}

test('an APK that came while the clock was ahead is told by the feed when the clock is right again', async () => {
  shift = year;
  const apk = await server.store.transaction(({ apks }) => apks.insert({ ...newApk(77), sha256: 'a'.repeat(64) }));
  await server.close();
  shift = 0;
  await start();
  const { createdAt } = (await server.store.apks.findById(apk.id))!;
  assert.ok(createdAt <= clock());
  const after = await server.store.transaction(({ apks }) => apks.insert({ ...newApk(78), sha256: 'b'.repeat(64) }));
  assert.ok(after.createdAt > createdAt && after.createdAt <= clock());
});
