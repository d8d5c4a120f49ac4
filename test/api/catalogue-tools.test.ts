import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import type { FacetValue } from '../../server/contract/catalogue/facet.ts';
import { reportTerms } from '../../server/engine/term-collection.ts';
import { indexTerms } from '../../server/services/catalogue/search-indexing.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation } from '../fixtures/workstation.ts';

// Statistics and limits count by days: these tests run at the noon of one that does not end meanwhile.
const tillNoon = new Date().setUTCHours(12, 0, 0, 0) - Date.now();
const now = () => Date.now() + tillNoon;
const workstation = await startWorkstation({ clock: () => now() * 1000 });
after(() => workstation[Symbol.asyncDispose]());
const { store } = workstation.server;
const hash = (name: string, text: string) => createHash(name).update(text).digest('hex');
const signer = await store.transaction(({ signers }) =>
  signers.ensure({ sha256: 'ab'.repeat(32), sha1: 'cd'.repeat(20) }),
);
const insert = (app: string, fields: object = {}) =>
  store.transaction(({ apks }) =>
    apks.insert({
      sha256: hash('sha256', app),
      sha1: hash('sha1', app),
      md5: hash('md5', app),
      size: 1,
      app,
      ...fields,
    }),
  );
const torch = await insert('Torch', { size: 150_000, signerId: signer.id, company: 'Lamp Ltd', isDetected: true });
await insert('Torchlight', { size: 90, signerId: signer.id, company: 'Lamp Ltd', packageName: 'org.lamp.light' });
await insert('Bank', { size: 7_000_000, company: 'Money and Co', version: '1.0' });
await store.transaction(({ apks }) => apks.addTag(torch.id, 'banker'));
await store.transaction(({ apks }) => apks.addTag(torch.id, 'two words'));
await store.transaction(({ apks }) => apks.addTag(torch.id, 'Banker'));
const torchTerms = reportTerms(
  {
    androguard: {
      permissions: ['android.permission.SEND_SMS'],
      min_sdk_version: 14,
      target_sdk_version: 30,
      known_libraries: [{ name: 'OkHttp' }],
      functionalities: {
        SMS: [{ code: 'invoke-virtual v0, v1, Landroid/telephony/SmsManager;->sendTextMessage(Ljava/lang/String;)V' }],
        crypto: [{ code: 'invoke-direct v0, Ljavax/crypto/spec/SecretKeySpec;-><init>()V' }],
        runbinary: [{ code: 'invoke-virtual v0, Lorg/lamp/Shell;->exec()V' }, { code: "const-string v0, 'su'" }],
      },
      indicators: { domains: [{ value: 'a.evil.example' }, { value: 'evil.example' }], ips: [{ value: '10.0.2.2' }] },
    } as never,
    cuckoo: null,
  },
  [
    ...['class:*', 'class:org.lamp.Main', 'class:Main', 'class:org.lamp.', 'class:org.', 'class:org.ember.Fire'],
    ...['api:*', 'api:android.telephony.SmsManager', 'api:android.telephony.SmsManager.sendTextMessage'],
    ...['api:javax.crypto.spec.SecretKeySpec.<init>', 'api:android.'],
  ].join(' '),
);
await store.transaction((inside) => indexTerms(inside, torch.id, torchTerms));
const analyst = await workstation.analyst('ada');
const other = await workstation.analyst('bob');
const query = (fields: Record<string, string>) => new URLSearchParams(fields);
const appsOf = (body: { results: { app: string }[] }) => body.results.map(({ app }) => app);

test('the catalogue comes in the order of any columns, and goes on in it by its links', async () => {
  const { body } = await workstation.ask(`/apks/?${query({ ordering: '-size', page_size: '2' })}`);
  assert.deepEqual(appsOf(body), ['Bank', 'Torch']);
  assert.equal(body.results[1].target_sdk, 30);
  const next = await workstation.ask(body.next);
  assert.deepEqual(appsOf(next.body), ['Torchlight']);
  assert.deepEqual(appsOf((await workstation.ask(next.body.previous)).body), ['Bank', 'Torch']);
  const several = await workstation.ask(`/apks/?${query({ ordering: 'company,-app', search: 'o' })}`);
  assert.deepEqual(appsOf(several.body), ['Torchlight', 'Torch', 'Bank']);
});

test('a list begins anywhere, and its links go both ways from there', async () => {
  const { body } = await workstation.ask(`/apks/?${query({ skip: '1', page_size: '1' })}`);
  assert.deepEqual(appsOf(body), ['Torchlight']);
  assert.equal(body.count, 3);
  assert.deepEqual(appsOf((await workstation.ask(body.next)).body), ['Torch']);
  assert.deepEqual(appsOf((await workstation.ask(body.previous)).body), ['Bank']);
  const searched = await workstation.ask(`/apks/?${query({ skip: '1', search: 'torch', ordering: 'app' })}`);
  assert.deepEqual([appsOf(searched.body), searched.body.count, searched.body.next], [['Torchlight'], 2, null]);
  assert.deepEqual(appsOf((await workstation.ask(`/apks/?${query({ skip: '9' })}`)).body), []);
});

test('a skip that is no number is refused', async () => {
  for (const fields of [{ skip: '-1' }, { skip: 'x' }]) {
    const { status, body } = await workstation.ask(`/apks/?${query(fields)}`);
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body), Object.keys(fields));
  }
});

test('facets count what a search finds, and their searches find as many', async () => {
  const { status, body } = await workstation.ask(`/apks/facets/?${query({ search: 'torch' })}`);
  assert.equal(status, 200);
  assert.equal(body.count, 2);
  assert.deepEqual(body.facets.signer, [
    { value: 'ab'.repeat(32), label: 'Lamp Ltd', count: 2, search: `cert:${'ab'.repeat(32)}` },
  ]);
  assert.deepEqual(body.facets.target_sdk, [{ value: '30', label: '30', count: 1, search: 'target_sdk:30' }]);
  const shown = (facet: string) => body.facets[facet].map(({ value, count }: FacetValue) => [value, count]);
  assert.deepEqual(shown('library'), [['OkHttp', 1]]);
  assert.deepEqual(shown('api'), [
    ['android.telephony.SmsManager.sendTextMessage', 1],
    ['javax.crypto.spec.SecretKeySpec.<init>', 1],
  ]);
  assert.deepEqual(shown('domain'), [
    ['a.evil.example', 1],
    ['evil.example', 1],
  ]);
  assert.deepEqual([shown('ip'), body.sampled], [[['10.0.2.2', 1]], null]);
  const [{ workstation: known }] = (
    await workstation.ask(`/apks/?${query({ ordering: '-hosts_count,-apis_count,-libraries_count' })}`)
  ).body.results;
  assert.deepEqual([known.hosts_count, known.apis_count, known.libraries_count], [3, 2, 1]);
  for (const values of Object.values(body.facets) as { search: string; count: number }[][]) {
    for (const { search, count } of values) {
      const found = await workstation.ask(`/apks/?${query({ search: `torch ${search}` })}`);
      assert.equal(found.body.count, count, search);
    }
  }
  const faulty = await workstation.ask(`/apks/facets/?${query({ search: 'size:big' })}`);
  assert.deepEqual([faulty.status, faulty.body.position], [400, 5]);
});

const completed = async (search: string, position?: number) => {
  const fields: Record<string, string> = { search };
  if (position !== undefined) fields.position = String(position);
  const { status, body } = await workstation.ask(`/apks/completions/?${query(fields)}`, { token: analyst });
  assert.equal(status, 200);
  const texts: string[] = body.completions.map(({ text }: { text: string }) => text);
  return { from: body.from, to: body.to, texts };
};

test('completions know fields, words and the values of the catalogue', async () => {
  assert.ok((await completed('')).texts.includes('permission:'));
  assert.deepEqual(await completed('perm'), { from: 0, to: 4, texts: ['permission:'] });
  assert.deepEqual((await completed('torch -tor')).texts.slice(0, 2).toSorted(), ['torch', 'torchlight']);
  assert.equal((await completed('torch -tor')).from, 7);
  assert.deepEqual(await completed('detected: t torch', 11), { from: 10, to: 11, texts: ['true'] });
  const tags = (await completed('tag:ba')).texts;
  assert.deepEqual(
    tags.map((tag) => tag.toLowerCase()),
    ['banker'],
  );
  assert.deepEqual((await completed('tag:tw')).texts, ['"two words"']);
  assert.deepEqual(await completed('tag:"two w" torch', 8), { from: 4, to: 11, texts: ['"two words"'] });
  assert.deepEqual((await completed('app:tor')).texts.toSorted(), ['Torch', 'Torchlight']);
  assert.deepEqual((await completed('permission:sms')).texts, ['android.permission.SEND_SMS']);
  assert.deepEqual((await completed('cert:lamp')).texts, ['ab'.repeat(32)]);
  assert.deepEqual((await completed('colour:x')).texts, []);
  const meant: [string, string][] = [
    ['0a1b2c3d4e5f', 'sha256:0a1b2c3d4e5f*'],
    ['ab'.repeat(32), `sha256:${'ab'.repeat(32)}`],
    ['10.0.2.2', 'ip:10.0.2.2'],
    ['2001:db8::1', 'ip:2001:db8::1'],
    ['gate.example.org', 'domain:gate.example.org'],
    ['https://gate.example.org/x', 'domain:gate.example.org'],
    ['com.example.app', 'package:com.example.app'],
    ['t1636.004', 'technique:T1636.004'],
    ['Lcom/example/Main;', 'class:"Lcom/example/Main;"'],
  ];
  for (const [typed, wanted] of meant) {
    const { from, to, texts } = await completed(`torch ${typed}`);
    assert.deepEqual([from, to, texts[0]], [6, 6 + typed.length, wanted]);
  }
  const values: [string, string[]][] = [
    ['class:org', ['org.*']],
    ['class:org.', ['org.*', 'org.ember.*', 'org.lamp.*']],
    ['class:org.lamp.M', ['org.lamp.main']],
    ['api:sms', ['android.telephony.SmsManager.sendTextMessage']],
    ['api:android.tele', ['android.telephony.SmsManager.sendTextMessage', 'android.telephony.*']],
    ['library:ok', ['OkHttp']],
    [`sha1:${hash('sha1', 'Bank').slice(0, 5)}`, [hash('sha1', 'Bank')]],
    [`hash:${hash('md5', 'Bank').slice(0, 7)}`, [hash('md5', 'Bank')]],
    ['target_sdk:3', ['36', '35', '34', '33', '32', '31', '30', '3']],
    ['size:<', ['<1000000']],
    ['rating:<', ['<0', '<=-3']],
    ['version:1.', ['1.0']],
    ['domain:ev', ['evil.example']],
    ['severity:h', ['high']],
  ];
  for (const [typed, wanted] of values) assert.deepEqual((await completed(typed)).texts, wanted, typed);
  assert.ok((await completed('date:20')).texts.length >= 3);
  assert.deepEqual((await completed('app:"')).from, 4);
});

test('the queue gives the riskiest that nobody has judged, and goes on behind the one looked at last', async () => {
  const queue = async (fields: Record<string, string>) => {
    const { status, body } = await workstation.ask(`/apks/queue/?${query(fields)}`, { token: analyst });
    assert.equal(status, 200);
    return [body.left, body.apk?.app ?? null];
  };
  const bySha256 = async (app: string) => (await store.apks.findBySha256(hash('sha256', app)))!;
  const risks = { Torch: 10, Bank: 90, Torchlight: null };
  for (const [app, risk] of Object.entries(risks)) {
    const { id } = await bySha256(app);
    await store.transaction(({ apks }) => apks.setRisk(id, risk, null));
  }
  const bank = hash('sha256', 'Bank');
  assert.deepEqual(await queue({}), [3, 'Bank']);
  assert.deepEqual(await queue({ after: bank }), [3, 'Torch']);
  assert.deepEqual(await queue({ search: 'app:torchlight' }), [1, 'Torchlight']);
  const say = (verdict: string) =>
    workstation.ask(`/apks/${bank}/verdict/`, { method: 'PUT', json: { verdict }, token: analyst });
  assert.equal((await say('unknown')).status, 200);
  assert.deepEqual(await queue({}), [2, 'Torch']);
  assert.deepEqual(await queue({ after: hash('sha256', 'Torchlight') }), [2, null]);
  const { status } = await workstation.ask('/apks/queue/?search=colour:x', { token: analyst });
  assert.equal(status, 400);
  const { body } = await workstation.ask(`/apks/?${query({ ordering: '-risk' })}`);
  assert.deepEqual(appsOf(body), ['Bank', 'Torch', 'Torchlight']);
});

test('a search is saved, changed, listed by its name and deleted, and is nobody else’s', async () => {
  const add = (json: object, token = analyst) => workstation.ask('/account/searches/', { method: 'POST', json, token });
  const { status, body } = await add({ name: ' Torches ', search: 'torch', ordering: '-size' });
  assert.equal(status, 201);
  assert.deepEqual([body.name, body.search, body.ordering], ['Torches', 'torch', '-size']);
  await add({ name: 'Banks', search: 'bank' });
  const list = await workstation.ask('/account/searches/', { token: analyst });
  assert.deepEqual(
    list.body.results.map(({ name }: { name: string }) => name),
    ['Banks', 'Torches'],
  );
  assert.equal((await workstation.ask(body.url, { token: other })).status, 404);
  const changed = await workstation.ask(body.url, { method: 'PATCH', json: { search: 'lamp' }, token: analyst });
  assert.deepEqual([changed.body.search, changed.body.name], ['lamp', 'Torches']);
  for (const [json, field] of [
    [{ name: 'Torches', search: '' }, 'name'],
    [{ name: 'x', search: 'size:big' }, 'position'],
    [{ search: '' }, 'name'],
  ] as const) {
    const refused = await add(json);
    assert.equal(refused.status, 400);
    assert.ok(field in refused.body, JSON.stringify(refused.body));
  }
  assert.equal((await workstation.ask(body.url, { method: 'DELETE', token: analyst })).status, 204);
  assert.equal((await workstation.ask(body.url, { token: analyst })).status, 404);
});

test('the statistics tell what came in, what was found and who signed it', async () => {
  await store.transaction(({ apks }) => apks.setRisk(torch.id, 99, 'high'));
  const { status, body } = await workstation.ask('/statistics/?days=3');
  assert.equal(status, 200);
  assert.equal(body.apks.total, 3);
  assert.equal(body.apks.detected, 1);
  assert.deepEqual(
    body.imports.map(({ count }: { count: number }) => count),
    [0, 0, 3],
  );
  assert.equal(body.imports[2].date, new Date(now()).toISOString().slice(0, 10));
  assert.equal(body.signers[0].count, 2);
  assert.equal(body.storage.apks, 7_150_090);
  assert.ok(body.storage.database > 0);
  assert.equal((await workstation.ask('/statistics/?days=0')).status, 400);
  assert.equal(appsOf({ results: body.newest })[0], 'Bank');
  assert.equal(appsOf({ results: body.worst })[0], 'Torch');
  assert.equal(body.worst[0].workstation.risk.score, 99);
  const [gravest] = body.severities;
  assert.deepEqual([gravest.severity, gravest.count], ['high', 1]);
  assert.deepEqual(body.permissions, {
    apks: 3,
    most: [
      {
        name: 'android.permission.SEND_SMS',
        count: 1,
        search: body.permissions.most[0].search,
      },
    ],
  });
  for (const { search } of [gravest, ...body.permissions.most])
    assert.deepEqual(appsOf((await workstation.ask(`/apks/?${query({ search })}`)).body), ['Torch'], search);
});

const bulk = (json: object, token?: string) =>
  workstation.ask('/apks/bulk/', { method: 'POST', json, ...(token === undefined ? {} : { token }) });

test('some APKs are tagged and trusted before the answer, unknown ones are named', async () => {
  const sha256 = [torch.sha256, 'f'.repeat(64)];
  const { status, body } = await bulk({ action: 'tag', tag: 'seen', sha256 }, analyst);
  assert.equal(status, 200);
  assert.deepEqual(body, { count: 1, job: null, done: 1, refused: [{ sha256: 'f'.repeat(64), detail: 'Not found.' }] });
  assert.ok((await store.apks.findById(torch.id))!.tags.includes('seen'));
  assert.equal((await bulk({ action: 'trust', sha256 })).body.done, 1);
  assert.equal((await store.apks.findById(torch.id))!.isTrusted, true);
  assert.equal((await bulk({ action: 'untag', tag: 'seen', sha256 }, analyst)).body.done, 1);
});

test('a bulk action on a search is a job that tells its progress', async () => {
  const { body } = await bulk({ action: 'tag', tag: 'lamp', search: 'torch' }, analyst);
  assert.equal(body.count, 2);
  const job = await workstation.jobEnd(body.job.id);
  assert.deepEqual([job.status, job.kind, job.progress], ['done', 'bulk', 1]);
  assert.equal((await workstation.ask(`/apks/?${query({ search: 'tag:lamp' })}`)).body.count, 2);
  assert.equal((await workstation.ask(`/jobs/${body.job.id}/`, { token: other })).status, 404);
});

test('who may not do it to one APK may not do it to many, and faulty requests are refused', async () => {
  for (const action of ['delete', 'trust', 'untrust'])
    assert.equal((await bulk({ action, search: '' }, analyst)).status, 403);
  for (const json of [
    { action: 'tag', search: '' },
    { action: 'delete' },
    { action: 'delete', search: '', sha256: [torch.sha256] },
    { action: 'delete', sha256: [] },
    { action: 'delete', sha256: ['xyz'] },
    { action: 'melt', search: '' },
    { action: 'delete', search: 'size:big' },
  ])
    assert.equal((await bulk(json)).status, 400, JSON.stringify(json));
  assert.equal(await store.apks.count(), 3);
});

test('many analyses are counted one by one, and those beyond the limit are named', async () => {
  const first = await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  const { body } = await bulk({ action: 'analyze_static', sha256: [first.body.sha256] }, analyst);
  assert.equal(body.done, 1);
  await workstation.server.idle();
  await workstation.ask('/limits/', { method: 'PATCH', json: { basic: { 'apk-analyze': '1/day' } } });
  const second = await bulk({ action: 'analyze_static', sha256: [first.body.sha256] }, analyst);
  assert.equal(second.body.done, 0);
  assert.match(second.body.refused[0].detail, /throttled/);
  const all = await bulk({ action: 'analyze_static', search: 'package:unlock' }, analyst);
  const job = await workstation.jobEnd(all.body.job.id);
  assert.deepEqual([job.status, job.error_code], ['failed', 'incomplete']);
});

test('the owner deletes what a search finds', async () => {
  const { body } = await bulk({ action: 'delete', search: 'tag:lamp' });
  assert.equal((await workstation.jobEnd(body.job.id)).status, 'done');
  assert.equal((await workstation.ask(`/apks/?${query({ search: 'torch' })}`)).body.count, 0);
});
