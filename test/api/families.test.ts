// Families of APKs over HTTP: what belongs together by its code, and what people make of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OwnStringCollector } from '../../server/engine/similarity/own-strings.ts';
import { type MadeApk, methods, putApks, version } from '../fixtures/made-apps.ts';
import { startWorkstation, type TestAnswer, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let made = 0;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

/** Puts APKs into the catalogue. @returns their SHA-256 */
function came(...apks: MadeApk[]): Promise<string[]> {
  made += apks.length;
  return putApks(workstation, made - apks.length + 1, apks);
}

const library = methods(1, 200);
/** Versions of one app, each with the same library. */
const versions = (name: number, count: number): MadeApk[] =>
  Array.from({ length: count }, (_, at) => ({
    code: [...version(methods(name, 300), at, 0.15), ...library],
    packageName: `com.app${name}`,
  }));

async function ask(path: string, json?: object, method = 'POST'): Promise<TestAnswer['body']> {
  const { status, body } = await workstation.ask(path, json === undefined ? {} : { method, json });
  assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}
const familyOf = async (sha256: string) => (await ask(`/apks/${sha256}/`)).code_family;
async function membersOf(id: string): Promise<string[]> {
  const { results } = await ask(`/families/${id}/apks/`);
  return results.map(({ apk }: { apk: { sha256: string } }) => apk.sha256);
}
/** Their families, each with its members among these. */
async function together(apks: readonly string[]): Promise<string[][]> {
  const groups = new Map<string | null, string[]>();
  for (const sha256 of apks) {
    const id = (await familyOf(sha256))?.id ?? null;
    groups.set(id, [...(groups.get(id) ?? []), sha256]);
  }
  return [...groups].flatMap(([id, some]) => (id === null ? some.map((one) => [one]) : [some]));
}

test('versions of an app make a family, strangers with the same library are in none, and each APK tells its own', async () => {
  const first = await came(...versions(10, 4));
  const second = await came(...versions(11, 3));
  const [stranger = ''] = await came({ code: [...methods(12, 300), ...library], packageName: 'com.stranger' });
  assert.deepEqual(await together([...first, ...second, stranger]), [first, second, [stranger]]);

  const family = await familyOf(first[0]!);
  assert.deepEqual([family.name, family.is_confirmed, family.apks_count], ['com.app10', false, 4]);
  const { results } = await ask('/families/');
  assert.deepEqual(
    results.map(({ name, apks_count }: { name: string; apks_count: number }) => [name, apks_count]),
    [
      ['com.app11', 3],
      ['com.app10', 4],
    ],
  );
  assert.equal((await ask('/families/?search=APP10')).count, 1);
  assert.deepEqual(await membersOf(family.id), first.toReversed());
  const { workstation: known } = (await ask(`/apks/?search=${first[0]}`)).results[0];
  assert.deepEqual(known.code_family, { id: family.id, name: 'com.app10' });
});

function stringsOf(texts: readonly string[]) {
  const collector = new OwnStringCollector();
  for (const text of texts) collector.add(text, Buffer.from(text), 0, Buffer.byteLength(text));
  return collector.strings();
}

test('a family tells since when it is known, what all members share, what differs and what it may be called', async () => {
  const apks = await came(...versions(20, 3));
  const [stranger = ''] = await came({ code: methods(21, 100), packageName: 'com.other' });
  const { store } = workstation.server;
  await store.transaction(async (inside) => {
    for (const [at, sha256] of apks.entries()) {
      const { id } = (await inside.apks.findBySha256(sha256))!;
      const terms = [
        { field: 'domain', text: 'control.example' },
        { field: 'domain', text: `${at}.example` },
        { field: 'permission', text: 'android.permission.SEND_SMS' },
      ];
      await inside.search.replaceTerms(['domain', 'permission'], [{ apkId: id, terms }]);
      await inside.marks.replace(id, { finding: ['sends-sms', ...(at === 0 ? ['roots'] : [])] });
      await inside.apks.setRisk(id, 60 + at * 10, null);
      const texts = ['cmd=steal all contacts', 'anubis_core', 'the kit that everybody uses'];
      await inside.ownStrings.put(id, stringsOf([...texts, `release ${at} of the bot`]));
    }
    const { id } = (await inside.apks.findBySha256(stranger))!;
    await inside.ownStrings.put(id, stringsOf(['the kit that everybody uses', 'notes of a stranger']));
  });
  await ask(`/apks/${apks[0]}/verdict/`, { verdict: 'malicious', family: 'Joker' }, 'PATCH');
  const { id } = await familyOf(apks[0]!);
  const family = await ask(`/families/${id}/`);
  assert.deepEqual(family.proposed_names, [
    { name: 'Joker', source: 'verdict', reason: '1 of 3 members have it in their verdict' },
    { name: 'com.app20', source: 'package', reason: '3 of 3 members have packages that begin so' },
    { name: 'anubis_core', source: 'string', reason: '3 of 3 members have it in their code' },
  ]);
  assert.deepEqual(family.risk, { score: 70, level: 'high' });
  assert.deepEqual([family.compared_count, family.over_time.length, family.over_time[0].apks_count], [3, 1, 3]);
  assert.ok(family.methods.shared >= 350 && family.methods.shared < 500, String(family.methods.shared));
  assert.deepEqual([family.methods.least, family.methods.most, family.methods.is_estimated], [500, 500, false]);
  const { hosts, permissions, findings, packages, strings } = family.traits;
  assert.deepEqual([hosts.shared, hosts.varying_count], [['control.example'], 3]);
  assert.deepEqual(hosts.varying[0], { name: '0.example', apks_count: 1 });
  assert.deepEqual([permissions.shared, permissions.varying], [['android.permission.SEND_SMS'], []]);
  assert.deepEqual([findings.shared, findings.varying], [['sends-sms'], [{ name: 'roots', apks_count: 1 }]]);
  assert.deepEqual(packages.shared, ['com.app20']);
  assert.deepEqual(strings.shared, ['cmd=steal all contacts', 'anubis_core'], 'what a stranger has is not theirs');
  assert.deepEqual([strings.varying_count, strings.varying[0].apks_count], [3, 1]);
});

test('where nothing else names a family, a text that all of it has and no other APK does', async () => {
  const code = methods(22, 200);
  const apks = await came({ code, packageName: 'net.one' }, { code, packageName: 'org.other' });
  const { store, services } = workstation.server;
  await store.transaction(async (inside) => {
    const ids = [];
    for (const sha256 of apks) ids.push((await inside.apks.findBySha256(sha256))!.id);
    for (const id of ids) await inside.ownStrings.put(id, stringsOf(['flubot_gate', 'ask for the overlay']));
    await services.events.happened({ name: 'evidence_changed', apkIds: ids }, inside);
  });
  await services.familyUpkeep.settled();
  assert.equal((await familyOf(apks[0]!)).name, 'flubot_gate');
});

test('what people name keeps its name and number as APKs come, is found by it, and is not merged with another', async () => {
  const code = methods(30, 300);
  const apks = await came(
    { code: version(code, 1, 0.05), packageName: 'com.one' },
    { code: version(code, 2, 0.05), packageName: 'com.one' },
  );
  const other = methods(31, 300);
  const others = await came(
    { code: version(other, 1, 0.05), packageName: 'com.two' },
    { code: version(other, 2, 0.05), packageName: 'com.two' },
  );
  const [{ id }, { id: otherId }] = [await familyOf(apks[0]!), await familyOf(others[0]!)];
  await ask(`/families/${id}/`, { name: 'Anubis', note: 'by its strings' }, 'PATCH');
  await ask(`/families/${otherId}/`, { name: 'Hydra' }, 'PATCH');
  const [both = '', third = ''] = await came(
    { code: [...version(code, 3, 0.2), ...version(other, 3, 0.2)], packageName: 'com.both' },
    { code: version(code, 4, 0.05), packageName: 'com.one' },
  );
  assert.deepEqual(await together([...apks, ...others]), [apks, others], 'one more APK merges nothing');
  assert.ok([id, otherId].includes((await familyOf(both)).id));
  assert.deepEqual([(await familyOf(third)).id, (await familyOf(third)).name], [id, 'Anubis']);
  const found = await ask('/apks/?search=family:anubis');
  assert.ok(found.results.some(({ sha256 }: { sha256: string }) => sha256 === third));
  await ask(`/families/${id}/`, { name: 'Cerberus' }, 'PATCH');
  assert.equal((await ask('/apks/?search=family:anubis')).count, 0);
  assert.ok((await ask('/apks/?search=family:cerb*')).count >= 3);
  const completed = (await ask('/apks/completions/?search=family:cerb')).completions;
  assert.ok(
    completed.some(({ text }: { text: string }) => text === 'Cerberus'),
    JSON.stringify(completed),
  );
});

test('a member that was taken out does not come back by itself, and comes back when that is undone', async () => {
  const apks = await came(...versions(40, 3));
  const { id } = await familyOf(apks[0]!);
  const out = await workstation.ask(`/families/${id}/apks/${apks[1]}/`, { method: 'DELETE' });
  assert.equal(out.status, 204);
  const { store, services } = workstation.server;
  await store.transaction(async (inside) => {
    const apk = (await inside.apks.findBySha256(apks[1]!))!;
    await inside.families.setWaiting([apk.id], true);
    await services.events.happened({ name: 'evidence_changed', apkIds: [apk.id] }, inside);
  });
  await services.familyUpkeep.settled();
  assert.equal(await familyOf(apks[1]!), null);
  const again = await came(...versions(40, 1));
  assert.equal((await familyOf(again[0]!)).id, id);

  const [action] = (await ask(`/families/${id}/actions/`)).results;
  assert.deepEqual([action.kind, action.description, action.analyst], ['remove', 'Took 1 APK out of it', 'owner']);
  await ask(`/families/${id}/undo/`, { action: action.id });
  assert.equal((await familyOf(apks[1]!)).id, id);
  assert.equal(
    (await workstation.ask(`/families/${id}/undo/`, { method: 'POST', json: { action: action.id } })).status,
    409,
  );
});

test('members are split off, families merged, and both undone; a merged one answers as the one that it went into', async () => {
  const apks = await came(...versions(50, 4));
  const { id } = await familyOf(apks[0]!);
  const split = await ask(`/families/${id}/split/`, { apks: apks.slice(0, 2), name: 'Early ones' });
  assert.deepEqual([split.name, split.apks_count, split.is_confirmed], ['Early ones', 2, true]);
  assert.deepEqual(await together(apks), [apks.slice(0, 2), apks.slice(2)]);
  const fifth = await came(...versions(50, 1));
  assert.equal((await together([...apks, ...fifth])).length, 2, 'a further version goes to one of both');

  await ask(`/families/${id}/merge/`, { family: split.id });
  assert.deepEqual(await together([...apks, ...fifth]), [[...apks, ...fifth]]);
  assert.equal((await ask(`/families/${split.id}/`)).id, id);
  const merged = (await ask(`/families/${id}/actions/`)).results[0];
  assert.deepEqual([merged.kind, merged.other.name], ['merge', 'Early ones']);
  await ask(`/families/${id}/undo/`, { action: merged.id });
  assert.equal((await ask(`/families/${split.id}/`)).name, 'Early ones');
  assert.equal((await together(apks)).length, 2);

  const parted = (await ask(`/families/${split.id}/actions/`)).results.find(
    ({ kind }: { kind: string }) => kind === 'split',
  );
  await ask(`/families/${split.id}/undo/`, { action: parted.id });
  assert.deepEqual(await together(apks), [apks]);
});

test('APKs are put into families by hand, which are judged at once', async () => {
  const [one = '', two = ''] = await came(
    { code: methods(60, 100), packageName: 'com.alone1' },
    { code: methods(61, 100), packageName: 'com.alone2' },
  );
  const family = await ask('/families/', { apks: [one], name: 'Rafel' });
  assert.equal((await familyOf(one)).name, 'Rafel');
  await ask(`/families/${family.id}/apks/`, { apks: [two] });
  const { results } = await ask(`/families/${family.id}/apks/`);
  assert.deepEqual(
    results.map(({ is_fixed: isFixed }: { is_fixed: boolean }) => isFixed),
    [true, true],
  );
  const judged = await ask(`/families/${family.id}/verdict/`, { verdict: 'malicious', note: 'all of them' });
  assert.deepEqual([judged.count, judged.done], [2, 2]);
  const { verdict, family: named, note } = await ask(`/apks/${two}/verdict/`);
  assert.deepEqual([verdict, named, note], ['malicious', 'Rafel', 'all of them']);
  await ask(`/apks/${one}/verdict/`, { verdict: 'suspicious' }, 'PATCH');
  const [action] = (await ask(`/families/${family.id}/actions/`)).results;
  assert.equal(action.description, 'Said of 2 APKs: malicious, “Rafel”');
  await ask(`/families/${family.id}/undo/`, { action: action.id });
  const words = await Promise.all([one, two].map(async (sha256) => (await ask(`/apks/${sha256}/verdict/`)).verdict));
  assert.deepEqual(words, ['suspicious', 'unknown'], 'what somebody said since stays');

  const wrong = await workstation.ask(`/families/${family.id}/apks/`, {
    method: 'POST',
    json: { apks: ['f'.repeat(64)] },
  });
  assert.equal(wrong.status, 400);
  assert.equal((await workstation.ask('/families/0000000000000000/')).status, 404);
});

test('an APK that comes back from the trash is in its family again, also where that was merged meanwhile', async () => {
  const apks = await came(...versions(70, 3));
  const others = await came(...versions(71, 2));
  const { id } = await familyOf(apks[0]!);
  const { id: otherId } = await familyOf(others[0]!);
  await workstation.ask(`/apks/${apks[1]}/`, { method: 'DELETE' });
  assert.equal((await ask(`/families/${id}/`)).apks_count, 2);
  await ask(`/families/${otherId}/merge/`, { family: id });
  const [item] = (await ask('/trash/')).results;
  await ask(`/trash/${item.id}/restore/`, {});
  await workstation.server.services.familyUpkeep.settled();
  assert.equal((await familyOf(apks[1]!)).id, otherId);
  assert.equal((await ask(`/families/${otherId}/`)).apks_count, 5);
});

test('an APK that was in the trash when its like came is with them once it is back', async () => {
  const [first = ''] = await came(...versions(80, 1));
  await workstation.ask(`/apks/${first}/`, { method: 'DELETE' });
  const [second = ''] = await came(...versions(80, 1));
  assert.equal(await familyOf(second), null);
  const [item] = (await ask('/trash/')).results;
  await ask(`/trash/${item.id}/restore/`, {});
  await workstation.server.services.familyUpkeep.settled();
  assert.equal((await familyOf(first)).id, (await familyOf(second)).id);
});

test('what else becomes known of an APK does not keep it out of the family of one that comes later', async () => {
  const { store, services } = workstation.server;
  const [early, late] = versions(90, 2);
  const [first = ''] = await came(early!);
  const { id } = (await store.apks.findBySha256(first))!;
  await store.transaction((inside) => services.events.happened({ name: 'evidence_changed', apkIds: [id] }, inside));
  await services.familyUpkeep.settled();
  const [second = ''] = await came(late!);
  assert.deepEqual(await together([first, second]), [[first, second]]);
});
