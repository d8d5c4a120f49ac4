// Indicators of APKs for other programs, over HTTP: of one APK, a search, a family, a ruleset, a hunt, in each format.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { reportTermFields } from '../../server/contract/engine/report-terms.ts';
import { methods, putApks } from '../fixtures/made-apps.ts';
import { commandLine } from '../fixtures/program.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let evil: string;
let other: string;
before(async () => {
  workstation = await startWorkstation();
  [evil, other] = (await putApks(workstation, 1, [
    { packageName: 'com.evil', code: methods(1, 300) },
    { packageName: 'com.other', code: methods(2, 300) },
  ])) as [string, string];
  const { store } = workstation.server;
  const ids = await Promise.all([evil, other].map(async (sha256) => (await store.apks.findBySha256(sha256))!.id));
  await store.transaction(async (inside) => {
    const of = (field: string, ...texts: string[]) => texts.map((text) => ({ field, text }));
    await inside.search.replaceTerms(reportTermFields, [
      {
        apkId: ids[0]!,
        terms: [
          ...of('domain', 'gate.evil.com', 'named.example', 'localhost'),
          ...of('ip', '203.0.113.7', '2001:db8::1'),
          ...of('url', "http://gate.evil.com/it's\\a?b=1", 'http://', 'content://nothing'),
          ...of('network.dns', 'gate.evil.com'),
          ...of('network.hosts', '203.0.113.7'),
        ],
        sdk: { minSdk: null, targetSdk: null },
      },
      { apkId: ids[1]!, terms: of('domain', 'named.example'), sdk: { minSdk: null, targetSdk: null } },
    ]);
    await inside.marks.replace(ids[0]!, { technique: ['T1406.002', 'T9999'] });
  });
  const said = { verdict: 'malicious', family: 'Joker', note: '=cmd()' };
  await workstation.ask(`/apks/${evil}/verdict/`, { method: 'PUT', json: said });
});
after(() => workstation[Symbol.asyncDispose]());

interface Stix {
  type: string;
  id: string;
  [property: string]: unknown;
}

const written = async (query: string, expected = 200) => {
  const { status, body, text } = await workstation.ask(`/indicators/?${query}`);
  assert.equal(status, expected, `${query}: ${text}`);
  return { body, text };
};
const bundleOf = async (query: string): Promise<Stix[]> =>
  (JSON.parse((await written(`format=stix&${query}`)).text) as { objects: Stix[] }).objects;

test('CSV has a line for each hash, name and host of an APK, none of them a formula, and says what a run spoke to', async () => {
  const { text } = await written(`format=csv&apk=${evil}`);
  const lines = text.trim().split('\r\n');
  assert.equal(lines[0], 'type,value,contacted,apk_sha256,package_name,app,family,verdict,risk');
  const cells = lines.slice(1).map((line) => line.split(',').slice(0, 3).join(' '));
  assert.deepEqual(
    cells.filter((cell) => /^(?:domain|ip|package)/.test(cell)),
    [
      'package com.evil false',
      'domain gate.evil.com true',
      'domain named.example false',
      'ip 2001:db8::1 false',
      'ip 203.0.113.7 true',
    ],
  );
  assert.match(text, new RegExp(`^sha256,${evil},false,${evil},com\\.evil,[^,]*,Joker,malicious,`, 'm'));
  assert.doesNotMatch(text, /localhost|content:/);
});

test('hosts are defanged on request, hashes are not, and programs that need hosts as they are get none that are not', async () => {
  const { text } = await written(`format=json&defanged=true&apk=${evil}`);
  const { apks, is_defanged } = JSON.parse(text);
  assert.equal(is_defanged, true);
  const values = apks[0].indicators.map(({ value }: { value: string }) => value);
  assert.ok(values.includes('gate[.]evil[.]com'));
  assert.ok(values.includes('203[.]0[.]113[.]7'));
  assert.ok(values.includes('2001[:]db8[:][:]1'));
  assert.ok(values.includes("hxxp[://]gate[.]evil[.]com/it's\\a?b=1"));
  assert.ok(values.includes(evil));
  assert.deepEqual(apks[0].techniques, [{ id: 'T1406.002', name: 'Software Packing' }]);
  await written(`format=stix&defanged=true&apk=${evil}`, 400);
});

test('a STIX bundle says what was seen, what was judged, what to look for, and how that belongs together', async () => {
  const objects = await bundleOf(`apk=${evil}`);
  const of = (type: string) => objects.filter((object) => object.type === type);
  const byId = new Map(objects.map((object) => [object.id, object]));
  assert.equal(byId.size, objects.length);
  const [malware, family] = [
    of('malware').find((one) => one.is_family === false)!,
    of('malware').find((one) => one.is_family)!,
  ];
  assert.equal(family.name, 'Joker');
  assert.deepEqual(
    of('indicator')
      .map(({ pattern }) => pattern)
      .toSorted(),
    [
      "[domain-name:value = 'gate.evil.com']",
      `[file:hashes.'SHA-256' = '${evil}']`,
      "[ipv4-addr:value = '203.0.113.7']",
    ],
  );
  const said = of('relationship').map(({ source_ref: from, relationship_type: kind, target_ref: to }) =>
    [from, kind, to].map((each) => byId.get(each as string)?.type ?? each).join(' '),
  );
  assert.deepEqual(
    new Set(said),
    new Set([
      'malware variant-of malware',
      'indicator indicates malware',
      'malware uses attack-pattern',
      'malware communicates-with domain-name',
      'malware communicates-with ipv4-addr',
    ]),
  );
  assert.deepEqual(malware.sample_refs, [of('file')[0]!.id]);
  // Every producer makes the same id of the same host: this one is of the specification's own namespace.
  assert.equal(
    of('domain-name').find(({ value }) => value === 'named.example')!.id,
    'domain-name--1bfb2861-ff32-5868-b452-e971f805d043',
  );
  const references = objects.flatMap((object) =>
    Object.entries(object).flatMap(([key, value]) => (/_refs?$/.test(key) ? [value].flat() : [])),
  );
  for (const id of references) assert.ok(byId.has(id as string), `${id} is not in the bundle`);
});

test('nothing is called malware that nobody judged so, and the same APK has the same ids in every export', async () => {
  const objects = await bundleOf(`apk=${other}`);
  assert.deepEqual(objects.map(({ type }) => type).toSorted(), [
    'domain-name',
    'file',
    'identity',
    'indicator',
    'observed-data',
  ]);
  assert.deepEqual(objects.find(({ type }) => type === 'indicator')!.indicator_types, ['unknown']);
  const again = await bundleOf(`search=${encodeURIComponent('package_name:com.other')}`);
  assert.deepEqual(
    again.map(({ id }) => id),
    objects.map(({ id }) => id),
  );
});

test('a MISP event detects by what is harmful alone: files judged so, and whom they spoke to', async () => {
  const { Event: event } = JSON.parse((await written('format=misp&search=')).text);
  assert.equal(event.threat_level_id, '1');
  const detecting = event.Attribute.filter(({ to_ids }: { to_ids: boolean }) => to_ids);
  assert.deepEqual(
    detecting
      .map(({ type, value }: { type: string; value: string }) => `${type} ${value}`)
      .filter((one: string) => !/^(?:sha1|md5)/.test(one)),
    [`sha256 ${evil}`, 'domain gate.evil.com', 'ip-dst 203.0.113.7'],
  );
  assert.deepEqual(
    event.Tag.map(({ name }: { name: string }) => name),
    ['apk-workstation:family="Joker"', 'misp-galaxy:mitre-attack-pattern="Software Packing - T1406.002"'],
  );
});

test('one selection is named, its APKs are of a family, a ruleset or a hunt, and strangers’ rulesets stay hidden', async () => {
  await written('format=csv', 400);
  await written(`format=csv&apk=${evil}&search=a`, 400);
  await written(`format=csv&apk=${'0'.repeat(64)}`, 404);
  const { body: family } = await workstation.ask('/families/', {
    method: 'POST',
    json: { apks: [evil, other], name: 'F' },
  });
  const lines = (await written(`format=csv&family=${family.id}`)).text.split('\r\n');
  assert.equal(lines.filter((line) => line.startsWith('sha256,')).length, 2);
  const rules = 'rule found { condition: true }';
  const { body: ruleset } = await workstation.ask('/rulesets/', { method: 'POST', json: { name: 'Found', rules } });
  const { store, services } = workstation.server;
  const rulesetId = services.ids.decode('ruleset', ruleset.id)!;
  const apk = (await store.apks.findBySha256(evil))!;
  const found = [{ name: 'found', namespace: '', tags: [], metadata: {}, strings: [], file: '' }];
  await store.transaction((inside) => inside.matches.save(apk.id, rulesetId, found as never));
  const ofRuleset = (await written(`format=csv&ruleset=${ruleset.id}`)).text.split('\r\n');
  assert.deepEqual(
    ofRuleset.filter((line) => line.startsWith('sha256,')).map((line) => line.split(',')[1]),
    [evil],
  );
  const strangers = await workstation.analyst('stranger');
  const refused = await workstation.ask(`/indicators/?format=csv&ruleset=${ruleset.id}`, { token: strangers });
  assert.equal(refused.status, 404);
  await written(`format=csv&ruleset=${'A'.repeat(16)}`, 404);
  await written(`format=csv&retrohunt=${'A'.repeat(16)}`, 404);
});

/** By type, the properties that the specification requires besides those of every object (sections 4, 5 and 6). */
const required: Record<string, string[]> = {
  identity: ['name'],
  'attack-pattern': ['name'],
  indicator: ['pattern', 'pattern_type', 'valid_from'],
  malware: ['is_family'],
  'observed-data': ['first_observed', 'last_observed', 'number_observed', 'object_refs'],
  relationship: ['relationship_type', 'source_ref', 'target_ref'],
  file: ['hashes'],
  'x509-certificate': ['hashes'],
  'domain-name': ['value'],
  'ipv4-addr': ['value'],
  'ipv6-addr': ['value'],
  url: ['value'],
};
const observables = new Set(['file', 'x509-certificate', 'domain-name', 'ipv4-addr', 'ipv6-addr', 'url']);
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('each object of a bundle has what STIX 2.1 requires of its type, and no empty list', async () => {
  const { text } = await written('format=stix&search=');
  const bundle = JSON.parse(text) as { type: string; id: string; objects: Stix[] };
  assert.match(bundle.id, new RegExp(`^bundle--${uuid}$`));
  for (const object of bundle.objects) {
    const { type, id } = object;
    assert.equal(object.spec_version, '2.1');
    assert.match(id, new RegExp(`^${type}--${uuid}$`));
    for (const name of required[type]!) assert.ok(object[name] !== undefined, `${type} without ${name}`);
    for (const [name, value] of Object.entries(object))
      assert.ok(!Array.isArray(value) || value.length > 0, `${type} with an empty ${name}`);
    if (observables.has(type)) continue;
    for (const name of ['created', 'modified']) assert.match(object[name] as string, time);
    assert.ok((object.modified as string) >= (object.created as string), type);
  }
});

test('the command line writes the same of hashes and of searches, and refuses what is not there', async () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [commandLine, 'indicators', ...words, '--data-dir', workstation.dataDir], {
      encoding: 'utf8',
    });
  const { stdout, stderr } = run(evil, '--format', 'csv', '--defanged');
  assert.equal(stdout, (await written(`format=csv&defanged=true&apk=${evil}`)).text, stderr);
  assert.equal(
    run('--search', 'package_name:com.evil', '--format', 'csv').stdout,
    (await written(`format=csv&apk=${evil}`)).text,
  );
  const absent = run('f'.repeat(64));
  assert.deepEqual([absent.status, /holds no APK ffff/.test(absent.stderr)], [1, true]);
  assert.match(run(evil, '--format', 'stix', '--defanged').stderr, /need hosts as they are/);
  assert.match(run().stderr, /name APKs by their SHA-256, or give --search/);
});
