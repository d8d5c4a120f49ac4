// Statistics of rules over HTTP: how many APKs each matches, how often it was dismissed, and its quarantine.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

const rules = `rule Archive { strings: $a = "PK" condition: $a at 0 }
  rule Unlocks { strings: $a = "Lio/appium/unlock/Unlock;" condition: $a }`;

let workstation: TestWorkstation;
let rulesetId: string;
let unlock: string;
let ime: string;
before(async () => {
  workstation = await startWorkstation();
  const changes = { analyze_dynamic_on_upload: false, analyze_static_on_upload: false };
  await workstation.ask('/settings/', { method: 'PATCH', json: changes });
  const json = { name: 'Noisy ones', rules, is_public: true };
  rulesetId = (await workstation.ask('/rulesets/', { method: 'POST', json })).body.id;
  unlock = (await workstation.upload(realApks.unlock)).body.sha256;
  ime = (await workstation.upload(realApks.unicodeIme)).body.sha256;
  await workstation.server.idle();
});
after(() => workstation[Symbol.asyncDispose]());

const statistics = async (query = '', token?: string) =>
  (await workstation.ask(`/rule_statistics/?${query}`, token === undefined ? {} : { token })).body;
const counted = async (query = '') =>
  (await statistics(query)).results.map((rule: Record<string, unknown>) => [
    rule.name,
    rule.apks_count,
    rule.dismissals_count,
  ]);
const dismiss = async (json: object) =>
  (await workstation.ask('/dismissals/', { method: 'POST', json: { ruleset: rulesetId, reason: 'noise', ...json } }))
    .body;
const notifications = async () =>
  (await workstation.ask('/notifications/')).body.results.filter(
    ({ type }: { type: string }) => type === 'ruleset_matched',
  ).length;

test('rules stand by how many APKs they match, with their ruleset and package', async () => {
  const { count, apks_count, results } = await statistics();
  assert.deepEqual([count, apks_count], [2, 2]);
  const [first] = results;
  assert.deepEqual(
    [first.name, first.apks_count, first.ruleset.id, first.ruleset.name, first.package, first.quarantine],
    ['Archive', 2, rulesetId, 'Noisy ones', null, null],
  );
  assert.deepEqual(await counted(), [
    ['Archive', 2, 0],
    ['Unlocks', 1, 0],
  ]);
});

test('they are found by a part of their name or of the ruleset’s, and ordered by dismissals or name', async () => {
  await dismiss({ rule: 'Unlocks', scope: 'apk', apk: unlock });
  assert.deepEqual(await counted('ordering=-dismissals'), [
    ['Unlocks', 1, 1],
    ['Archive', 2, 0],
  ]);
  assert.deepEqual(await counted('search=unlo'), [['Unlocks', 1, 1]]);
  assert.equal((await counted('search=noisy&ordering=name')).length, 2);
  assert.deepEqual(await counted('search=%25'), []);
  assert.equal((await workstation.ask('/rule_statistics/?ordering=apks')).status, 400);
});

test('a rule that is dismissed everywhere is in quarantine: nobody is notified of what it alone matches', async () => {
  const { id } = await dismiss({ rule: 'Archive', scope: 'everywhere' });
  const [rule] = (await statistics('is_quarantined=true')).results;
  assert.deepEqual([rule.name, rule.quarantine.id, rule.quarantine.reason], ['Archive', id, 'noise']);
  assert.deepEqual(await counted('is_quarantined=false'), [['Unlocks', 1, 1]]);
  // An answer to a scan that somebody asked for tells of all matches.
  const scan = async (sha256: string) => {
    const before = await notifications();
    const { body } = await workstation.ask(`/apks/${sha256}/analyze_yara/`, { method: 'POST' });
    await workstation.jobEnd(body.id);
    return (await notifications()) - before;
  };
  assert.equal(await scan(ime), 0);
  assert.equal(await scan(unlock), 1);
  await workstation.ask(`/dismissals/${id}/`, { method: 'DELETE' });
  assert.equal(await scan(ime), 1);
  assert.equal((await statistics()).results[0].quarantine, null);
});

test('counts follow APKs and rulesets into the trash and back, and rules that go', async () => {
  const restored = async () => {
    const [item] = (await workstation.ask('/trash/')).body.results;
    assert.equal((await workstation.ask(`/trash/${item.id}/restore/`, { method: 'POST', json: {} })).status, 200);
  };
  await workstation.ask(`/apks/${unlock}/`, { method: 'DELETE' });
  assert.deepEqual(await counted(), [['Archive', 1, 0]]);
  await restored();
  assert.equal((await counted())[0][1], 2);
  await workstation.ask(`/rulesets/${rulesetId}/`, { method: 'DELETE' });
  assert.deepEqual(await counted(), []);
  await restored();
  assert.deepEqual(
    (await counted()).map(([name, apks]: unknown[]) => [name, apks]),
    [
      ['Archive', 2],
      ['Unlocks', 1],
    ],
  );
  const json = { rules: rules.split('\n')[1] };
  await workstation.ask(`/rulesets/${rulesetId}/`, { method: 'PATCH', json });
  for (const sha256 of [unlock, ime]) await workstation.ask(`/apks/${sha256}/analyze_yara/`, { method: 'POST' });
  await workstation.server.idle();
  assert.deepEqual(
    (await counted()).map(([name, apks]: unknown[]) => [name, apks]),
    [['Unlocks', 1]],
  );
});

test('rules of somebody’s private ruleset are theirs alone', async () => {
  const token = await workstation.analyst('stranger');
  assert.equal((await statistics('', token)).count, 1);
  await workstation.ask(`/rulesets/${rulesetId}/`, { method: 'PATCH', json: { is_public: false } });
  assert.equal((await statistics('', token)).count, 0);
  assert.equal((await statistics()).count, 1);
});

test('rulesets are found by what stands in their rules', async () => {
  const found = async (search: string) => (await workstation.ask(`/rulesets/?search=${search}`)).body.count;
  assert.equal(await found('lio%2FAPPIUM%2Funlock'), 1);
  assert.equal(await found('noisy'), 1);
  assert.equal(await found('nowhere'), 0);
});
