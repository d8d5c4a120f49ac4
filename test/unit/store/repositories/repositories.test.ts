import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { DuplicateError } from '../../../../server/store/store-errors.ts';
import { newApk } from '../new-apk.ts';
import { openScratch, scratchFolder } from '../scratch-store.ts';

let now = 1_700_000_000_000_000;
const store = await openScratch(scratchFolder(), { clock: () => now });
after(() => store.close());
const analyst = (username: string) =>
  store.transaction(({ accounts }) => accounts.insert({ username, role: 'analyst', apiGroup: 'basic' }));

test('an account keeps its username whatever the case, and its switches one by one', async () => {
  const account = await analyst('Ada');
  assert.deepEqual(await store.accounts.findByUsername('aDA'), account);
  await assert.rejects(analyst('ADA'), DuplicateError);
  assert.equal(account.settings.notify_analysis_completed, true);
  assert.equal(account.settings.email_analysis_completed, false);
  const changed = await store.transaction(({ accounts }) =>
    accounts.update(account.id, {
      firstName: 'Ada',
      isExpert: true,
      settings: { email_new_follower: true, notify_new_mention: false },
    }),
  );
  assert.deepEqual(changed, {
    ...account,
    firstName: 'Ada',
    isExpert: true,
    settings: { ...account.settings, email_new_follower: true, notify_new_mention: false },
  });
  assert.deepEqual(await store.transaction(({ accounts }) => accounts.update(account.id, {})), changed);
  assert.equal(await store.transaction(({ accounts }) => accounts.update(12_345, { firstName: 'x' })), null);
});

test('accounts are listed in the order of their creation', async () => {
  await analyst('Zoe');
  await analyst('Bob');
  const names = (await store.accounts.list({ offset: 1, limit: 2 })).map(({ username }) => username);
  assert.deepEqual(names, ['Zoe', 'Bob']);
  assert.equal(await store.accounts.count(), 3);
});

test('a token is found by its secret alone until it expires or is revoked', async () => {
  const account = await analyst('Tok');
  const secret = randomBytes(20).toString('hex');
  const token = await store.transaction(({ tokens }) =>
    tokens.insert({
      accountId: account.id,
      kind: 'session',
      name: 'window',
      secret,
      expiresAt: now + 1000,
    }),
  );
  assert.deepEqual(await store.tokens.findBySecret(secret), token);
  assert.equal(await store.tokens.findBySecret(`${secret} `), null);
  now += 1000;
  assert.equal(await store.tokens.findBySecret(secret), null);
  assert.equal(await store.transaction(({ tokens }) => tokens.removeExpired(now)), 1);
  const other = await store.transaction(({ tokens }) =>
    tokens.insert({ accountId: account.id, kind: 'api', name: 'sdk', secret }),
  );
  assert.equal(await store.transaction(({ tokens }) => tokens.remove(other.id, account.id + 1)), false);
  assert.deepEqual(await store.tokens.listByAccount(account.id), [other]);
  assert.equal(await store.transaction(({ tokens }) => tokens.removeByAccount(account.id)), 1);
  assert.equal(await store.tokens.findBySecret(secret), null);
});

test('the use of a token is noted once a minute', async () => {
  const account = await analyst('Toucher');
  const token = await store.transaction(({ tokens }) =>
    tokens.insert({ accountId: account.id, kind: 'api', name: '', secret: 'first' }),
  );
  await store.transaction(({ tokens }) => tokens.touch(token));
  const touched = await store.tokens.findBySecret('first');
  assert.equal(touched?.lastUsedAt, now);
  now += 59_000_000;
  await store.transaction(({ tokens }) => tokens.touch(touched!));
  assert.equal((await store.tokens.findBySecret('first'))?.lastUsedAt, touched?.lastUsedAt);
  now += 1_000_000;
  await store.transaction(({ tokens }) => tokens.touch(touched!));
  assert.equal((await store.tokens.findBySecret('first'))?.lastUsedAt, now);
});

test('a report comes back as it was saved, and a newer one takes its place', async () => {
  const apk = await store.transaction(({ apks }) => apks.insert(newApk(1)));
  const report = { strings: ['a', 'ü', '\u{1f389}'], nested: { x: [1, 2, null] } };
  const icon = randomBytes(5000);
  const common = { apkId: apk.id, status: 'done', engineVersion: 3 } as const;
  await store.transaction(({ reports }) =>
    reports.save([
      { ...common, kind: 'androguard', content: report },
      { ...common, kind: 'icon', content: icon },
      { ...common, kind: 'manifest', content: '<manifest/>' },
    ]),
  );
  assert.deepEqual(await store.reports.readJson(apk.id, 'androguard'), report);
  assert(icon.equals((await store.reports.read(apk.id, 'icon'))!.content));
  assert.equal((await store.reports.read(apk.id, 'manifest'))?.content.toString(), '<manifest/>');
  assert.equal(await store.reports.read(apk.id, 'dynamic'), null);
  await store.transaction(({ reports }) =>
    reports.save([{ ...common, kind: 'androguard', status: 'partial', engineVersion: 4, content: { b: 1 } }]),
  );
  assert.deepEqual(await store.reports.readJson(apk.id, 'androguard'), { b: 1 });
  const kinds = (await store.reports.list(apk.id)).map(({ kind, status, engineVersion }) => [
    kind,
    status,
    engineVersion,
  ]);
  assert.deepEqual(kinds, [
    ['androguard', 'partial', 4],
    ['icon', 'done', 3],
    ['manifest', 'done', 3],
  ]);
});

test('APKs whose report is missing or older than the engine are found in steps', async () => {
  const apks: { id: number }[] = [];
  for (let number = 100; number < 105; number += 1)
    apks.push(await store.transaction(({ apks }) => apks.insert(newApk(number))));
  const save = (index: number, engineVersion: number) =>
    store.transaction(({ reports }) =>
      reports.save([{ apkId: apks[index]!.id, kind: 'cuckoo', status: 'done', engineVersion, content: {} }]),
    );
  await save(0, 7);
  await save(1, 6);
  await save(3, 8);
  const ask = (afterId: number, limit: number) =>
    store.reports.outdated({ kind: 'cuckoo', engineVersion: 7, afterId, limit });
  assert.deepEqual(await ask(apks[0]!.id - 1, 2), [apks[1]!.id, apks[2]!.id]);
  assert.deepEqual(await ask(apks[2]!.id, 2), [apks[4]!.id]);
});

test('reports go with their APK', async () => {
  const apk = await store.transaction(({ apks }) => apks.insert(newApk(200)));
  await store.transaction(({ reports }) =>
    reports.save([{ apkId: apk.id, kind: 'files', status: 'done', engineVersion: 1, content: [] }]),
  );
  await store.transaction(({ apks }) => apks.remove(apk.id));
  assert.deepEqual(await store.reports.list(apk.id), []);
});

test('settings are JSON values by key', async () => {
  assert.equal(await store.settings.read('public_url'), undefined);
  await store.transaction(({ settings }) => settings.write('public_url', 'https://lab.example'));
  await store.transaction(({ settings }) => settings.write('size_limit', 5));
  await store.transaction(({ settings }) => settings.write('size_limit', { bytes: 6 }));
  assert.deepEqual(await store.settings.all(), { public_url: 'https://lab.example', size_limit: { bytes: 6 } });
  await store.transaction(({ settings }) => settings.write('size_limit', undefined));
  assert.equal(await store.settings.read('size_limit'), undefined);
});

test('each installation has a salt and a secret of its own', async () => {
  const other = await openScratch(scratchFolder());
  const [mine, others] = [await store.settings.installation(), await other.settings.installation()];
  await other.close();
  assert.match(mine.idSalt, /^[A-Za-z0-9]{32}$/);
  assert.equal(mine.signingSecret.length, 32);
  assert.notEqual(mine.idSalt, others.idSalt);
  assert.notDeepEqual(mine.signingSecret, others.signingSecret);
});

test('limits of the groups are as specified and can be edited', async () => {
  const find = async (apiGroup: string, name: string) =>
    (await store.limits.groupLimits()).find((limit) => limit.apiGroup === apiGroup && limit.name === name);
  assert.deepEqual(await find('silver', 'apk-download'), {
    apiGroup: 'silver',
    name: 'apk-download',
    amount: 1000,
    unit: 'day',
  });
  await store.transaction(({ limits }) =>
    limits.setGroupLimit({ apiGroup: 'silver', name: 'apk-download', amount: 7, unit: 'min' }),
  );
  assert.deepEqual(await find('silver', 'apk-download'), {
    apiGroup: 'silver',
    name: 'apk-download',
    amount: 7,
    unit: 'min',
  });
});

test('use of a limit adds up within its window, exactly, however many ask at once', async () => {
  const { id } = await analyst('Counter');
  const use = { accountId: id, name: 'apk-search', start: now, amount: 1 };
  await Promise.all(Array.from({ length: 50 }, () => store.limits.consume([use, { ...use, name: 'api-usage' }])));
  assert.equal(await store.limits.used(id, 'apk-search', now), 50);
  assert.equal(await store.limits.used(id, 'api-usage', now), 50);
  await store.limits.consume([{ ...use, amount: -3 }]);
  assert.equal(await store.limits.used(id, 'apk-search', now), 47);
  assert.equal(await store.limits.used(id, 'apk-search', now + 1), 0);
  await store.transaction(({ limits }) => limits.removeBefore(now + 1));
  assert.equal(await store.limits.used(id, 'apk-search', now), 0);
});

test('a signer is one record however often it is met', async () => {
  const certificate = { sha256: 'ab'.repeat(32), sha1: 'cd'.repeat(20) };
  const [first, second] = await Promise.all([
    store.transaction(({ signers }) => signers.ensure(certificate)),
    store.transaction(({ signers }) => signers.ensure(certificate)),
  ]);
  assert.deepEqual(first, second);
  await store.transaction(({ signers }) => signers.judge(first.id, { isTrusted: true, isBad: false }));
  assert.deepEqual(await store.signers.findById(first.id), { ...first, isTrusted: true });
});

test('a transaction that throws leaves nothing behind, and its listeners hear nothing', async () => {
  const before = await store.apks.count();
  const heard: string[] = [];
  await assert.rejects(
    store.transaction(async (inside) => {
      await inside.apks.insert(newApk(300));
      inside.afterCommit(() => heard.push('failed one'));
      throw new Error('no');
    }),
    /no/,
  );
  await store.transaction(async (inside) => {
    await inside.apks.insert(newApk(301));
    inside.afterCommit(() => heard.push('committed one'));
    assert.deepEqual(heard, []);
  });
  assert.deepEqual(heard, ['committed one']);
  assert.equal(await store.apks.count(), before + 1);
});

test('a listener that fails does not make a commit look like a failure', async () => {
  const apk = await store.transaction(async (inside) => {
    inside.afterCommit(() => {
      throw new Error('a listener');
    });
    return inside.apks.insert(newApk(350));
  });
  assert.notEqual(await store.apks.findById(apk.id), null);
});

test('transactions and queries that arrive together do not mix', async () => {
  const before = await store.apks.count();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      store
        .transaction(async (inside) => {
          await inside.apks.insert(newApk(400 + index));
          if (index % 2 === 1) throw new Error('rolled back');
        })
        .catch((error: Error) => assert.equal(error.message, 'rolled back')),
    ),
  );
  assert.equal(await store.apks.count(), before + 10);
});
