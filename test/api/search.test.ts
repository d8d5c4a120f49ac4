import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { reportTerms } from '../../server/engine/term-collection.ts';
import { createWorkerPool } from '../../server/jobs/worker-pool.ts';
import { indexStoredReports, indexTerms } from '../../server/services/catalogue/search-indexing.ts';
import { systemClock } from '../../server/store/clock.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation } from '../fixtures/workstation.ts';

// Searches by day: this one does not end meanwhile.
const tillNoon = new Date().setUTCHours(12, 0, 0, 0) - Date.now();
const workstation = await startWorkstation({ clock: () => systemClock() + tillNoon * 1000 });
after(() => workstation[Symbol.asyncDispose]());
const { store } = workstation.server;
const hash = (name: string, text: string) => createHash(name).update(text).digest('hex');
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

const signer = await store.transaction(({ signers }) =>
  signers.ensure({ sha256: 'ab'.repeat(32), sha1: 'cd'.repeat(20) }),
);
const whatsapp = await insert('WhatsApp Messenger', {
  packageName: 'com.whatsapp',
  company: 'Meta Inc',
  version: '2.22.1',
  size: 5_000_000,
});
await insert('Whatsap', {
  packageName: 'net.fake.thing',
  company: 'Nobody',
  size: 3_000,
  isDetected: true,
  signerId: signer.id,
});
await insert('Übersetzer', { packageName: 'de.woerter', company: 'Sprache GmbH', size: 20_000, isTrusted: true });
await insert('50% Torch_App', { packageName: 'org.lamp', rating: -4, isStaticAnalyzed: true });
const torch = (await store.apks.findBySha256(hash('sha256', '50% Torch_App')))!;
await store.transaction(({ apks }) => apks.addTag(torch.id, 'banker'));
const torchTerms = reportTerms(
  {
    androguard: {
      permissions: ['android.permission.SEND_SMS'],
      new_permissions: ['org.lamp.OWN'],
      activities: ['org.lamp.MainScreen'],
      services: ['org.lamp.Worker'],
      receivers: ['org.lamp.Boot'],
      providers: ['org.lamp.Data'],
      filters: ['android.intent.action.MAIN'],
      urls: ['http://evil.example/gate.php'],
      trackers: [{ name: 'Lamp Analytics' }],
      certificate: { subjectDN: '/O=Lamps and Sons/CN=Lamp' },
      indicators: { domains: [{ value: 'gate.evil.example' }], ips: [{ value: '10.0.2.2' }] },
    } as never,
    cuckoo: {
      network: {
        hosts: ['8.8.8.8'],
        dns: [{ request: 'c2.example' }],
        domains: [{ domain: 'drop.example', ip: '1.2.3.4' }],
        http: [{ uri: 'http://c2.example/in' }],
      },
    } as never,
  },
  'class:* class:org.lamp.Main class:Main class:org.lamp. api:* api:android.telephony.SmsManager.sendTextMessage api:SmsManager.sendTextMessage',
);
await store.transaction((inside) => indexTerms(inside, torch.id, torchTerms));
await store.transaction(({ apks }) => apks.setRisk(torch.id, 72, 'high'));
const torchMarks = { finding: ['signature-missing'], technique: ['T1636.004'] };
await store.transaction(({ marks }) => marks.replace(torch.id, torchMarks));

const ask = (search: string, token?: string) =>
  workstation.ask(`/apks/?${new URLSearchParams({ search })}`, token === undefined ? {} : { token });
const find = async (search: string, token?: string) => {
  const { status, text, body } = await ask(search, token);
  assert.equal(status, 200, text);
  const apps: string[] = body.results.map(({ app }: { app: string }) => app.split(' ')[0]);
  assert.equal(body.count, apps.length, search);
  return apps.reverse().join(',');
};

const day = new Date(Date.now() + tillNoon).toISOString().slice(0, 10);
const searches: [string, string][] = [
  ['', 'WhatsApp,Whatsap,Übersetzer,50%'],
  ['whatsapp', 'WhatsApp'],
  ['whatsap', 'WhatsApp,Whatsap'],
  ['HATSAP', 'WhatsApp,Whatsap'],
  ['"app mess"', 'WhatsApp'],
  ['übers', 'Übersetzer'],
  ['ÜBERS gmbh', 'Übersetzer'],
  ['50%', '50%'],
  ['51%', ''],
  ['torch_app', '50%'],
  ['torchxapp', ''],
  ['me', 'WhatsApp'],
  ['rg', '50%'],
  ['whats*', 'WhatsApp,Whatsap'],
  ['app*', '50%'],
  ['Whatsapp~1', 'WhatsApp,Whatsap'],
  ['whotsapp~1', 'WhatsApp'],
  ['whatsxxp~2', 'WhatsApp,Whatsap'],
  ['xyzxyz~1', ''],
  [hash('md5', 'Whatsap'), 'Whatsap'],
  [hash('sha1', 'Whatsap').toUpperCase(), 'Whatsap'],
  [`sha256:${hash('sha256', 'Whatsap')}`, 'Whatsap'],
  [`hash: ${hash('md5', 'Whatsap')}`, 'Whatsap'],
  [hash('md5', 'Whatsap').slice(1), ''],
  [`sha256:${hash('sha256', 'Whatsap').slice(0, 12)}*`, 'Whatsap'],
  [`sha1:${hash('sha1', 'Whatsap').slice(0, 5).toUpperCase()}*`, 'Whatsap'],
  [`md5:${hash('md5', 'Whatsap').slice(0, 31)}*`, 'Whatsap'],
  [`hash:${hash('sha1', 'Whatsap').slice(0, 20)}*`, 'Whatsap'],
  [`sha256:${hash('sha256', 'Whatsap').slice(0, 12)}`, ''],
  [`md5:${hash('sha256', 'Whatsap').slice(0, 12)}*`, ''],
  [`${hash('sha256', 'Whatsap').slice(0, 12)}*`, ''],
  ['app:whats and company:meta', 'WhatsApp'],
  ['app:whats AND NOT company:meta', 'Whatsap'],
  ['whats -messenger', 'Whatsap'],
  ['-whats', 'Übersetzer,50%'],
  ['-(whats OR torch)', 'Übersetzer'],
  ['not not torch', '50%'],
  ['messenger or sprache', 'WhatsApp,Übersetzer'],
  ['messenger OR detected:true', 'WhatsApp,Whatsap'],
  ['package_name:com.whatsapp', 'WhatsApp'],
  ['developer : gmbh', 'Übersetzer'],
  ['displayed_version:2.22', 'WhatsApp'],
  ['size:>2097152', 'WhatsApp'],
  ['size:[3000 TO 20000]', 'Whatsap,Übersetzer'],
  ['size: [3000, 20000] -detected:true', 'Übersetzer'],
  ['size:3000', 'Whatsap'],
  ['size:>2999.5 size:<3000.5', 'Whatsap'],
  ['size:2999.5', ''],
  ['size:3000.0', 'Whatsap'],
  ['size:[2999.5 TO 3000.5]', 'Whatsap'],
  ['size:>=2999.5 size:<=3000.5', 'Whatsap'],
  ['size:>2.5MB', 'WhatsApp'],
  ['size:0.003MB', 'Whatsap'],
  ['rating:<=-3.5', '50%'],
  ['rating:<= -3', '50%'],
  ['rating:-4', '50%'],
  [`date:${day}`, 'WhatsApp,Whatsap,Übersetzer,50%'],
  ['created_on:<2020-01-01', ''],
  ['-date:>2020', ''],
  ['created_at:[2020-01-01 TO 2199-12-31] torch', '50%'],
  ['tag:banker', '50%'],
  ['tag:bank*', '50%'],
  ['tag:*', '50%'],
  ['tag:none*', ''],
  ['tags:bank', ''],
  [`cert:${'CD:'.repeat(20).slice(0, -1)}`, 'Whatsap'],
  [`certificate:${'ab'.repeat(32)}`, 'Whatsap'],
  [`-cert:${'ab'.repeat(32)}`, 'WhatsApp,Übersetzer,50%'],
  ['cert:*', 'Whatsap'],
  ['-cert:*', 'WhatsApp,Übersetzer,50%'],
  ['min_sdk:*', ''],
  ['size:* hash:* date:* corrupted:*', 'WhatsApp,Whatsap,Übersetzer,50%'],
  ['is_detected:TRUE', 'Whatsap'],
  ['trusted:true', 'Übersetzer'],
  ['analyzed:true', '50%'],
  ['is_static_analyzed:false trusted:true', 'Übersetzer'],
  ['corrupted:true', ''],
  ['on_devices:true', ''],
  ['is_apk:true torch', '50%'],
  ['apk:false', ''],
  ['permission:send_sms', '50%'],
  ['permission:lamp.own', '50%'],
  ['activity:mainscreen', '50%'],
  ['activity:worker', ''],
  ['service:Worker', '50%'],
  ['receiver:boot', '50%'],
  ['provider:data', '50%'],
  ['filter:action.MAIN', '50%'],
  ['urls:http://evil.example/gate.php', '50%'],
  ['url:gate', '50%'],
  ['network.hosts:8.8.8.8', '50%'],
  ['network.dns:c2', '50%'],
  ['network.domains:drop', '50%'],
  ['network.http:/in', '50%'],
  ['ruleset:none', ''],
  ['finding:signature-missing', '50%'],
  ['finding:signature-*', '50%'],
  ['finding:signature', ''],
  ['technique:t1636', '50%'],
  ['technique:T1636.004', '50%'],
  ['technique:T16', ''],
  ['tracker:lamp', '50%'],
  ['signer:sons', '50%'],
  [`signer:${'CD:'.repeat(5)}*`, 'Whatsap'],
  [`signer:${'ab'.repeat(32)}`, 'Whatsap'],
  ['signer:*', 'Whatsap'],
  ['domain:evil.example', '50%'],
  ['domain:vil.example', ''],
  ['domain:c2.example', '50%'],
  ['ip:10.0.2.2', '50%'],
  ['ip:8.8.*', '50%'],
  // The address of a look-up stands with its domain.
  ['ip:1.2.3.4', ''],
  ['class:org.lamp.Main', '50%'],
  ['class:Main', '50%'],
  ['class:org.lamp.*', '50%'],
  ['class:lamp.Main', ''],
  ['-class:*', 'WhatsApp,Whatsap,Übersetzer'],
  ['api:SmsManager.sendTextMessage', '50%'],
  ['api:"Landroid/telephony/SmsManager;->sendTextMessage"', '50%'],
  ['risk:high', '50%'],
  ['risk:>72', ''],
  ['severity:>=medium', '50%'],
  ['judged:true', ''],
  ['judged:false torch', '50%'],
  ['-permission:sms', 'WhatsApp,Whatsap,Übersetzer'],
];
for (const [search, apps] of searches) {
  test(`the search ${JSON.stringify(search)} finds ${apps || 'nothing'}`, async () =>
    assert.equal(await find(search), apps));
}

test('findings, trackers and techniques are counted in the record, and facets count them', async () => {
  const { body } = await ask('torch');
  const { risk, severity, findings_count, trackers_count } = body.results[0].workstation;
  assert.deepEqual([risk, severity, findings_count, trackers_count], [{ score: 72, level: 'high' }, 'high', 1, 1]);
  const { body: spread } = await workstation.ask('/apks/facets/');
  const { risk: levels, finding, tracker } = spread.facets;
  assert.deepEqual([levels[0].value, levels[0].count, levels[0].search], ['high', 1, 'risk:high']);
  assert.equal(finding[0].search, 'finding:signature-missing');
  assert.equal(await find(tracker[0].search), '50%');
});

test('a fault in a search is a 400 that names its position', async () => {
  for (const [search, position, word] of [
    ['torch colour:red', 6, 'colour'],
    ['(torch', 0, '('],
    ['size:big', 5, 'big'],
    ['detected:maybe', 9, 'true or false'],
    ['date:soon', 5, 'soon'],
    ['app:>5', 5, 'app'],
  ] as const) {
    const { status, body } = await ask(search);
    assert.equal(status, 400, search);
    assert.deepEqual(Object.keys(body), ['detail', 'position']);
    assert.equal(body.position, position, search);
    assert.ok(body.detail.includes(word), body.detail);
  }
});

test('no text makes the server fail', async () => {
  for (const search of [
    `"'" OR 1=1 --`,
    'a"b"c',
    '\0',
    'x\0y',
    '*',
    '**',
    '~',
    '~1',
    'a*b',
    '"a""b"',
    '\ud800',
    '^a',
    '{app} : x',
    'app:*',
    'size:99999999999999999',
    'NEAR(a b)',
    '%%%',
    '___',
    '日本語',
    '日*',
    'cert:::',
    '[1 TO 2]',
  ]) {
    const { status, text } = await ask(search);
    assert.ok(status === 200 || status === 400, `${search}: ${text}`);
  }
});

test("others' private rulesets find nothing", async () => {
  const [ada, bob] = [await workstation.analyst('ada'), await workstation.analyst('bob')];
  const { id } = (await store.accounts.findByUsername('ada'))!;
  const rulesetId = await store.transaction(({ rulesets }) =>
    rulesets.insert(id, {
      name: 'Secret Set',
      rules: '',
      rulesCount: 1,
      isEnabled: true,
      isPublic: false,
      isNotifier: false,
    } as never),
  );
  await store.transaction(({ matches }) =>
    matches.save(whatsapp.id, rulesetId, [
      { name: 'Hidden_Rule', tags: [], metadata: {}, file: '', strings: [] } as never,
    ]),
  );
  const named = ['ruleset:"secret set"', 'ruleset:secret*', 'ruleset:*'];
  for (const search of [...named, 'rule:Hidden_Rule', 'rule:hid*', 'rule:*']) {
    assert.equal(await find(search, ada), 'WhatsApp');
    assert.equal(await find(search, bob), '');
  }
  const rules = async (token: string) => {
    const { body } = await workstation.ask('/apks/facets/', { token });
    return body.facets.rule.map(({ value, count }: { value: string; count: number }) => `${value} ${count}`);
  };
  assert.deepEqual([await rules(ada), await rules(bob)], [['Hidden_Rule 1'], []]);
  await store.transaction(({ matches }) => matches.remove(whatsapp.id, rulesetId));
  assert.deepEqual(await rules(ada), []);
});

test('a renamed APK is found by its new name only, a deleted one not at all', async () => {
  const apk = await insert('Chameleon', { packageName: 'old.name' });
  await store.transaction(({ apks }) => apks.update(apk.id, { app: 'Gecko' }));
  assert.equal(await find('chameleon'), '');
  assert.equal(await find('gecko'), 'Gecko');
  await store.transaction(({ apks }) => apks.remove(apk.id));
  assert.equal(await find('gecko'), '');
});

test('a static report can be searched as soon as it is stored, and one stored before the index after it', async () => {
  const { body } = await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  assert.match(await find('filter:intent.action package:unlock'), /\w/);
  assert.match(await find('class:io.appium.unlock.* api:Activity.getWindow finding:*'), /\w/);
  const { id: apkId } = (await store.apks.findBySha256(body.sha256))!;
  await store.transaction(({ search }) => search.replaceTerms(['filter'], [{ apkId, terms: [] }]));
  assert.equal(await find('filter:intent.action package:unlock'), '');
  const older = (await store.apks.findBySha256(hash('sha256', 'Whatsap')))!;
  const report = { apkId: older.id, kind: 'androguard', status: 'done', engineVersion: 1 } as const;
  await store.transaction(({ reports }) =>
    reports.save([{ ...report, content: { filters: ['stored.before.the.index'] } }]),
  );
  const pool = createWorkerPool({ readableFolders: [], isBackground: false });
  try {
    assert.equal(await indexStoredReports(store, pool), 1);
    assert.equal(await find('filter:before'), 'Whatsap');
    assert.equal(await indexStoredReports(store, pool), 0);
  } finally {
    await pool.close();
  }
});
