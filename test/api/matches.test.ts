import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { apkDetailSchema } from '../../server/contract/catalogue/apk.ts';
import { matchListSchema, matchSchema } from '../../server/contract/rules/match.ts';
import type { Happening } from '../../server/services/event-bus.ts';
import type { MatchedRule } from '../../server/services/rules/matches.ts';
import type { Writes } from '../../server/store/store.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { newApk } from '../unit/store/new-apk.ts';

let workstation: TestWorkstation;
let ada: string;
let ben: string;
let number = 0;
const happenings: Happening[] = [];
before(async () => {
  workstation = await startWorkstation();
  ada = await workstation.analyst('ada');
  ben = await workstation.analyst('ben');
  const { events } = workstation.server.services;
  const happened = events.happened.bind(events);
  mock.method(events, 'happened', (happening: Happening, inside: Writes) => {
    if (happening.name !== 'evidence_changed') happenings.push(happening);
    return happened(happening, inside);
  });
});
after(() => workstation[Symbol.asyncDispose]());

const rule = (name: string): MatchedRule => ({
  name,
  tags: ['bank'],
  metadata: { author: 'ada' },
  file: 'classes.dex',
  strings: [{ identifier: '$a', offset: 12, length: 4, data: 'iban' }],
  strings_count: 1,
  files_count: 1,
});

async function makeApk() {
  number += 1;
  const apk = newApk(number);
  return workstation.server.store.transaction(({ apks }) => apks.insert(apk));
}

async function makeRuleset(isPublic: boolean) {
  const json = { name: 'Bank', is_public: isPublic, rules: 'rule steals { condition: true }' };
  const { body } = await workstation.ask('/rulesets/', { method: 'POST', token: ada, json });
  return {
    path: `/rulesets/${body.id}/`,
    id: workstation.server.services.ids.decode('ruleset', body.id)!,
    hashid: body.id,
  };
}

const scan = (apkId: number, rulesetId: number, ...names: string[]) => scanOf(undefined, apkId, rulesetId, ...names);
/** @param jobId undefined: none that anybody could ask for */
const scanOf = (jobId: number | undefined, apkId: number, rulesetId: number, ...names: string[]) =>
  workstation.server.services.matches.recordScan(
    apkId,
    [
      {
        rulesetId,
        version: 1,
        outcome: {
          status: 'done',
          code: '',
          message: '',
          matches_count: names.length,
          rules_matched: names.map(rule),
        },
      },
    ],
    jobId === undefined ? {} : { jobId },
  );
const trouble = (apkId: number, rulesetId: number, status: 'timeout' | 'over-share' | 'failed') =>
  workstation.server.services.matches.recordScan(apkId, [
    {
      rulesetId,
      version: 1,
      outcome: { status, code: status, message: 'It took too long.', matches_count: 0, rules_matched: [] },
    },
  ]);
const list = async (path: string, token = ada) =>
  matchListSchema.parse((await workstation.ask(`${path}matches/`, { token })).body);
const detail = async (sha256: string, token = ada) =>
  apkDetailSchema.parse((await workstation.ask(`/apks/${sha256}/`, { token })).body);

test('a match is found under its APK and its ruleset, and by itself', async () => {
  const apk = await makeApk();
  const ruleset = await makeRuleset(true);
  await scan(apk.id, ruleset.id, 'steals');
  const [match] = (await list(`/apks/${apk.sha256}/`)).results;
  assert.deepEqual((await list(ruleset.path, ben)).results, [match]);
  assert.deepEqual(matchSchema.parse((await workstation.ask(match!.url, { token: ben })).body), match);
  assert.equal(match!.apk.sha256, apk.sha256);
  assert.deepEqual(match!.ruleset, {
    id: ruleset.hashid,
    url: `${workstation.url}${ruleset.path}`,
    name: 'Bank',
    author: 'ada',
  });
  assert.deepEqual(match!.rules_matched, [rule('steals')]);
  const other = await makeRuleset(true);
  assert.equal((await workstation.ask(`${other.path}matches/${match!.id}/`)).status, 404);
  assert.equal((await workstation.ask(ruleset.path)).body.matches_count, 1);
  assert.notEqual((await detail(apk.sha256)).last_yara_analysis_at, null);
});

test('a rescan updates the match of an APK and ruleset, and removes it where it no longer holds', async () => {
  const apk = await makeApk();
  const ruleset = await makeRuleset(true);
  happenings.length = 0;
  await scan(apk.id, ruleset.id, 'steals');
  const [first] = (await list(ruleset.path)).results;
  await scan(apk.id, ruleset.id, 'steals', 'sends');
  const [second] = (await list(ruleset.path)).results;
  assert.deepEqual([second!.id, second!.created_at], [first!.id, first!.created_at]);
  assert.notEqual(second!.updated_at, first!.updated_at);
  assert.equal(second!.rules_matched.length, 2);
  assert.deepEqual(
    happenings.map(({ name }) => name),
    ['ruleset_matched', 'ruleset_matched'],
  );
  await scan(apk.id, ruleset.id);
  assert.equal((await list(ruleset.path)).count, 0);
  assert.equal((await detail(apk.sha256)).matches_count, 0);
});

test('disabling a ruleset keeps its matches, deleting it removes them', async () => {
  const apk = await makeApk();
  const ruleset = await makeRuleset(true);
  await scan(apk.id, ruleset.id, 'steals');
  await workstation.ask(ruleset.path, { method: 'PATCH', token: ada, json: { status: 'disabled' } });
  await scan(apk.id, ruleset.id);
  assert.equal((await detail(apk.sha256)).matches_count, 1);
  await workstation.ask(ruleset.path, { method: 'DELETE', token: ada });
  assert.equal((await detail(apk.sha256)).matches_count, 0);
  assert.equal((await list(`/apks/${apk.sha256}/`)).count, 0);
});

test("matches of others' private rulesets are seen and counted nowhere", async () => {
  const apk = await makeApk();
  const ruleset = await makeRuleset(false);
  await scan(apk.id, ruleset.id, 'steals');
  const [match] = (await list(ruleset.path)).results;
  for (const [token, count] of [
    [ada, 1],
    [ben, 0],
    [workstation.ownerToken, 0],
  ] as const) {
    assert.equal((await list(`/apks/${apk.sha256}/`, token)).count, count);
    assert.equal((await detail(apk.sha256, token)).matches_count, count);
    const { body } = await workstation.ask(`/apks/?search=${apk.sha256}`, { token });
    assert.equal(body.results[0].matches_count, count);
    assert.equal((await workstation.ask(match!.url, { token })).status, count === 1 ? 200 : 404);
  }
  for (const [token, count] of [
    [ada, 1],
    [ben, 0],
  ] as const) {
    const abort = new AbortController();
    const headers = { authorization: `Token ${token}` };
    const events = await fetch(`${workstation.url}/events/`, { headers, signal: abort.signal });
    const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
    await workstation.ask(`/apks/${apk.sha256}/tags/`, { method: 'POST', json: { name: `told${count}` } });
    let told = '';
    while (!/^event: apk_updated\ndata: .*\n/m.test(told)) told += (await reader.read()).value;
    abort.abort();
    assert.match(told, new RegExp(`"matches_count":${count}\\b`));
  }
  await workstation.ask(ruleset.path, { method: 'PATCH', token: ada, json: { is_public: true } });
  assert.equal((await detail(apk.sha256, ben)).matches_count, 1);
  await workstation.ask(ruleset.path, { method: 'PATCH', token: ada, json: { is_public: false } });
  assert.equal((await detail(apk.sha256, ben)).matches_count, 0);
});

test('matches of a social ruleset are detections as long as it is social', async () => {
  const apk = await makeApk();
  const ruleset = await makeRuleset(true);
  await scan(apk.id, ruleset.id, 'steals');
  assert.equal((await detail(apk.sha256)).is_detected, false);
  await workstation.ask(`${ruleset.path}promote/`, { method: 'POST', token: ada });
  const judge = (accepted: boolean) =>
    workstation.ask(`${ruleset.path}social/`, { method: 'POST', json: { accepted } });
  await judge(true);
  const detected = await detail(apk.sha256, ben);
  assert.equal(detected.is_detected, true);
  const { source, information } = detected.detections[0]!;
  assert.equal(source, `ruleset-${ruleset.hashid}`);
  assert.deepEqual(information, {
    ruleset_hashid: ruleset.hashid,
    ruleset_name: 'Bank',
    rules_matched: ['steals'],
  });
  await scan(apk.id, ruleset.id, 'steals', 'sends');
  assert.deepEqual((await detail(apk.sha256)).detections[0]!.information.rules_matched, ['steals', 'sends']);
  await judge(false);
  assert.deepEqual((await detail(apk.sha256)).detections, []);
  await judge(true);
  await workstation.ask(ruleset.path, { method: 'PATCH', token: ada, json: { is_public: false } });
  assert.equal((await detail(apk.sha256)).is_detected, false);
  const hidden = (await workstation.ask(ruleset.path, { token: ada })).body;
  assert.deepEqual([hidden.is_social, hidden.social_status], [false, 'none']);
});

test('a decision about a ruleset reaches all of its matches, and they page without loss', async () => {
  const ruleset = await makeRuleset(true);
  const { store } = workstation.server;
  const ids: number[] = [];
  for (let index = 0; index < 205; index++) {
    const { id } = await makeApk();
    await scan(id, ruleset.id, 'steals');
    ids.push(id);
  }
  const detected = async () => [...(await store.apks.findByIds(ids)).values()].filter((apk) => apk.isDetected).length;
  await workstation.ask(`${ruleset.path}promote/`, { method: 'POST', token: ada });
  await workstation.ask(`${ruleset.path}social/`, { method: 'POST', json: { accepted: true } });
  assert.equal(await detected(), 205);
  const seen: string[] = [];
  let next: string | null = `${ruleset.path}matches/?page_size=100`;
  while (next !== null) {
    const page = matchListSchema.parse((await workstation.ask(next, { token: ben })).body);
    assert.equal(page.count, 205);
    seen.push(...page.results.map(({ id }) => id));
    next = page.next;
  }
  assert.equal(new Set(seen).size, 205);
  await workstation.ask(ruleset.path, { method: 'DELETE', token: ada });
  assert.equal(await detected(), 0);
  const apks = await store.apks.findByIds(ids);
  assert.ok([...apks.values()].every(({ matchesCount }) => matchesCount === 0));
});

test('an author is told of a new match and of a changed one, not of one that a scan finds again as it was', async () => {
  const apk = await makeApk();
  const ruleset = await makeRuleset(true);
  const told = async () => {
    const { body } = await workstation.ask('/notifications/?type=ruleset_matched&page_size=100', { token: ada });
    return (body.results as { ruleset: { id: string } }[]).filter(({ ruleset: { id } }) => id === ruleset.hashid)
      .length;
  };
  await scan(apk.id, ruleset.id, 'steals');
  assert.equal(await told(), 1);
  await scan(apk.id, ruleset.id, 'steals');
  assert.equal(await told(), 1);
  await scan(apk.id, ruleset.id, 'steals', 'sends');
  assert.equal(await told(), 2);
});

test('a scan that somebody asked for tells the author of every match, with the APK and how many rules match', async () => {
  const apk = await makeApk();
  const ruleset = await makeRuleset(true);
  const { store } = workstation.server;
  const told = async () => {
    const { body } = await workstation.ask('/notifications/?type=ruleset_matched&page_size=100', { token: ada });
    return body.results.filter(({ ruleset: { id } }: { ruleset: { id: string } }) => id === ruleset.hashid);
  };
  await scan(apk.id, ruleset.id, 'steals', 'steals', 'sends');
  const job = await store.transaction(({ jobs }) =>
    jobs.insert({ kind: 'yara', apkId: apk.id, priority: 1, isAutomatic: true, payload: null, accountId: null }),
  );
  const again = () => scanOf(job.id, apk.id, ruleset.id, 'steals', 'steals', 'sends');
  await again();
  assert.equal((await told()).length, 1, 'the workstation itself asked for it');
  const { id: benId } = (await store.accounts.findByUsername('ben'))!;
  await store.transaction(({ jobs }) => jobs.addRequester(job.id, benId, true));
  await again();
  assert.equal((await told()).length, 1, 'an upload does not ask');
  await store.transaction(({ jobs }) => jobs.addRequester(job.id, benId, false));
  await again();
  const notifications = await told();
  assert.equal(notifications.length, 2);
  assert.deepEqual([notifications[0].apk.sha256, notifications[0].matches_count], [apk.sha256, 2]);
});

test('a match is on disk exactly where its notification is: what cannot be told of is found anew by the next scan', async (t) => {
  const apk = await makeApk();
  const ruleset = await makeRuleset(true);
  const telling = t.mock.method(workstation.server.services.events, 'happened', async () => {
    throw new Error('no room on the disk');
  });
  await assert.rejects(scan(apk.id, ruleset.id, 'steals'), /no room/);
  telling.mock.restore();
  assert.equal((await list(ruleset.path)).count, 0);
  const told = happenings.length;
  await scan(apk.id, ruleset.id, 'steals');
  assert.equal((await list(ruleset.path)).count, 1);
  assert.equal(happenings.length, told + 1);
});

test('a ruleset that makes trouble says so, keeps its matches, and recovers with scans that go well', async () => {
  const apk = await makeApk();
  const ruleset = await makeRuleset(true);
  await scan(apk.id, ruleset.id, 'steals');
  await trouble(apk.id, ruleset.id, 'timeout');
  const shown = async () => (await workstation.ask(ruleset.path, { token: ada })).body;
  const { scan_state, last_scan_error, status } = await shown();
  assert.deepEqual([scan_state, last_scan_error.code, status], ['timed_out', 'timeout', 'enabled']);
  assert.match(last_scan_error.at, /^\d{4}-/);
  assert.equal((await list(ruleset.path)).count, 1);
  for (let times = 0; times < 10; times++) await scan(apk.id, ruleset.id, 'steals');
  const recovered = await shown();
  assert.deepEqual([recovered.scan_state, recovered.last_scan_error.code], ['ok', 'timeout']);
});

test('a ruleset that makes trouble again and again is suspended, its author told; enabled again it has a new chance', async () => {
  const apk = await makeApk();
  const ruleset = await makeRuleset(true);
  for (let times = 0; times < 5; times++) await trouble(apk.id, ruleset.id, 'failed');
  const { body } = await workstation.ask(ruleset.path, { token: ada });
  assert.deepEqual([body.status, body.scan_state, body.active_since], ['disabled', 'suspended', null]);
  const told = await workstation.ask('/notifications/?type=ruleset_suspended', { token: ada });
  assert.deepEqual([told.body.count, told.body.results[0].ruleset.id], [1, ruleset.hashid]);
  const again = await workstation.ask(ruleset.path, { method: 'PATCH', token: ada, json: { status: 'enabled' } });
  assert.deepEqual([again.body.status, again.body.scan_state, again.body.last_scan_error], ['enabled', 'ok', null]);
});

test("a ruleset that is left out again and again for its author's share of the time says so, and is suspended", async () => {
  const apk = await makeApk();
  const ruleset = await makeRuleset(true);
  const shown = async () => (await workstation.ask(ruleset.path, { token: ada })).body;
  await trouble(apk.id, ruleset.id, 'over-share');
  const { status, scan_state, last_scan_error } = await shown();
  assert.deepEqual([status, scan_state, last_scan_error.code], ['enabled', 'timed_out', 'over-share']);
  for (let times = 0; times < 4; times++) await trouble(apk.id, ruleset.id, 'over-share');
  assert.equal((await shown()).scan_state, 'suspended');
  const told = await workstation.ask('/notifications/?type=ruleset_suspended', { token: ada });
  assert.equal(told.body.results[0].ruleset.id, ruleset.hashid);
});
