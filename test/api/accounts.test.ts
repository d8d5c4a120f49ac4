import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import {
  accountSchema,
  createdTokenSchema,
  sessionSchema,
  statisticsSchema,
} from '../../server/contract/people/account.ts';
import { analystSchema, createdAnalystSchema } from '../../server/contract/people/analyst.ts';
import { createTokenFor } from '../../server/services/people/accounts.ts';
import { systemClock } from '../../server/store/clock.ts';
import { openStore } from '../../server/store/store.ts';
import { commandLine } from '../fixtures/program.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
const minute = 60_000_000;
/** Microseconds that the workstation's clock is ahead. */
let ahead = 0;
before(async () => {
  workstation = await startWorkstation({ clock: () => systemClock() + ahead });
});
after(() => workstation[Symbol.asyncDispose]());

const logIn = (json: object) => workstation.ask('/session/', { method: 'POST', token: null, json });

test('the account of the first token is the owner, with practically no limits', async () => {
  const { body } = await workstation.ask('/account/');
  const account = accountSchema.parse(body);
  assert.equal(account.role, 'owner');
  assert.equal(account.api_group, 'workstation');
  assert.equal(account.can_get_apks_feed, true);
  assert.equal(account.has_password, false);
});

test('the owner is refused nothing for a quota, which is counted all the same and holds for others of the group', async () => {
  const limits = (json: object) => workstation.ask('/limits/', { method: 'PATCH', json });
  await limits({ workstation: { 'apk-search': '1/day' } });
  try {
    const search = async (token?: string) =>
      (await workstation.ask('/apks/', token === undefined ? {} : { token })).status;
    const teammate = await workstation.analyst('quota_teammate', 'workstation');
    assert.deepEqual([await search(), await search(), await search()], [200, 200, 200]);
    assert.deepEqual([await search(teammate), await search(teammate)], [200, 429]);
    const { rate_limits: shown } = statisticsSchema.parse((await workstation.ask('/account/statistics/')).body);
    assert.equal(shown['apk-search'].limit, '1/day');
    assert.ok(shown['apk-search'].used >= 3);
  } finally {
    await limits({ workstation: { 'apk-search': '1000000/day' } });
  }
});

test('a change of the account keeps what is absent and ignores what cannot be changed', async () => {
  const json = {
    first_name: 'Ada',
    username: 'other',
    api_group: 'gold',
    profile: { twitter: '@ada', is_expert: true },
    settings: { notify_new_mention: false, unknown: true },
  };
  const changed = await workstation.ask('/account/', { method: 'PUT', json });
  assert.equal(changed.status, 200);
  assert.equal(changed.body.first_name, 'Ada');
  assert.equal(changed.body.username, 'owner');
  assert.equal(changed.body.api_group, 'workstation');
  assert.equal(changed.body.profile.twitter, '@ada');
  assert.equal(changed.body.profile.is_expert, false);
  assert.equal(changed.body.settings.notify_new_mention, false);
  assert.equal(changed.body.settings.notify_new_follower, true);
  const whole = await workstation.ask('/account/', { method: 'PATCH', json: changed.body });
  assert.equal(whole.status, 200, 'a record can be sent back as it came');
});

test('a wrong value is a field error under the name of its field', async () => {
  const cases: [object, string][] = [
    [{ first_name: 5 }, 'first_name'],
    [{ first_name: 'x'.repeat(151) }, 'first_name'],
    [{ profile: { biography: [] } }, 'profile.biography'],
    [{ settings: { notify_new_follower: 'perhaps' } }, 'settings.notify_new_follower'],
    [{ email: 'nobody' }, 'email'],
  ];
  for (const [json, field] of cases) {
    const { status, body } = await workstation.ask('/account/', { method: 'PATCH', json });
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body), [field]);
    assert.ok(body[field].every((message: unknown) => typeof message === 'string'));
  }
});

test("a token's secret is shown once, opens the account, and stops doing so when it is revoked", async () => {
  const made = await workstation.ask('/account/tokens/', { method: 'POST', json: { name: 'script' } });
  assert.equal(made.status, 201);
  const { token, id } = createdTokenSchema.parse(made.body);
  assert.equal((await workstation.ask('/account/', { token })).status, 200);
  const listed = await workstation.ask('/account/tokens/');
  assert.ok(listed.body.results.some((one: { id: string }) => one.id === id));
  assert.doesNotMatch(listed.text, new RegExp(token));
  assert.equal((await workstation.ask(`/account/tokens/${id}/`)).body.name, 'script');
  const stranger = await workstation.analyst('stranger');
  assert.equal((await workstation.ask(`/account/tokens/${id}/`, { method: 'DELETE', token: stranger })).status, 404);
  assert.equal((await workstation.ask(`/account/tokens/${id}/`, { method: 'DELETE' })).status, 204);
  assert.equal((await workstation.ask('/account/', { token })).status, 401);
  assert.equal((await workstation.ask(`/account/tokens/${id}/`, { method: 'DELETE' })).status, 404);
});

test('a login code opens one session, in which the owner sets a password', async () => {
  const code = new URLSearchParams(workstation.server.loginUrl.split('?')[1]).get('code');
  const opened = await logIn({ login_code: code });
  assert.equal(opened.status, 201);
  const { token, account } = sessionSchema.parse(opened.body);
  assert.equal(account.username, 'owner');
  const again = await logIn({ login_code: code });
  assert.equal(again.status, 401);
  assert.ok('detail' in again.body);
  const short = await workstation.ask('/account/password/', { method: 'POST', token, json: { password: 'short' } });
  assert.deepEqual(Object.keys(short.body), ['password']);
  const json = { password: 'correct horse' };
  const set = await workstation.ask('/account/password/', { method: 'POST', token, json });
  assert.equal(set.status, 200);
  assert.equal(set.body.has_password, true);
  assert.equal((await logIn({ username: 'OWNER', password: 'correct horse' })).status, 201);
  assert.equal((await workstation.ask('/session/', { method: 'DELETE', token })).status, 204);
  assert.equal((await workstation.ask('/account/', { token })).status, 401);
});

test('a login code lapses after half an hour, a session after 14 days, however it is used', async () => {
  const { sessions } = workstation.server.services;
  const [early, late] = [sessions.createLoginCode(null), sessions.createLoginCode(null)];
  ahead = 29 * minute;
  const { body, status } = await logIn({ login_code: early });
  assert.equal(status, 201);
  ahead = 31 * minute;
  assert.equal((await logIn({ login_code: late })).status, 401);
  const accountStatus = async () => (await workstation.ask('/account/', { token: body.token })).status;
  for (ahead = 31 * minute; ahead < 14 * 24 * 60 * minute; ahead += 11 * 60 * minute) {
    assert.equal(await accountStatus(), 200);
  }
  ahead = 14 * 24 * 60 * minute;
  assert.equal(await accountStatus(), 200);
  ahead += 30 * minute;
  assert.equal(await accountStatus(), 401);
  ahead = 0;
});

test('a session that nobody uses ends by the setting, and shows when; programs keep their tokens', async () => {
  const { sessions } = workstation.server.services;
  await workstation.analyst('idler');
  const idler = await workstation.server.services.accounts.get('idler');
  const open = async () => (await logIn({ login_code: sessions.createLoginCode(idler) })).body;
  const status = async (token: string, headers = {}) => (await workstation.ask('/account/', { token, headers })).status;
  const first = await open();
  assert.equal(first.idle_minutes, 720);
  ahead = 11 * 60 * minute;
  assert.equal(await status(first.token), 200, 'used, it goes on');
  ahead = 22 * 60 * minute;
  const { results } = (await workstation.ask('/account/sessions/', { token: first.token })).body;
  const shown = results.find((one: { is_current: boolean }) => one.is_current);
  const left = Date.parse(shown.ends_at) * 1000 - (systemClock() + ahead);
  assert.ok(left > 719 * minute && left <= 720 * minute);
  ahead += 721 * minute;
  assert.equal(await status(first.token), 401);

  await workstation.ask('/settings/', { method: 'PATCH', json: { session_idle_minutes: 30, session_days: 1 } });
  const second = await open();
  assert.deepEqual(
    [second.idle_minutes, Date.parse(second.expires_at) * 1000 - systemClock() - ahead <= 1440 * minute],
    [30, true],
  );
  const identified = (await sessions.identify(second.token))!;
  ahead += 20 * minute;
  assert.equal(
    await status(second.token, { 'x-unattended': 'yes' }),
    200,
    'a window that asks by itself keeps nothing alive',
  );
  ahead += 15 * minute;
  assert.equal(await sessions.isValid(identified), false);
  assert.equal(await status(second.token), 401);
  const third = await open();
  const listed = (await workstation.ask('/account/sessions/', { token: third.token })).body.results;
  assert.equal(listed.length, 1, 'ended ones are not listed');
  await workstation.ask('/settings/', { method: 'PATCH', json: { session_idle_minutes: 0 } });
  ahead += 23 * 60 * minute;
  assert.equal(await status(third.token), 200, 'without an idle end its life is all that counts');
  ahead += 2 * 60 * minute;
  assert.equal(await status(third.token), 401);
  assert.equal(await status(workstation.ownerToken), 200);
  await workstation.ask('/settings/', { method: 'PATCH', json: { session_idle_minutes: null, session_days: null } });
  ahead = 0;
});

test('only a session can be logged out, a token is revoked by its address', async () => {
  assert.equal((await workstation.ask('/session/', { method: 'DELETE' })).status, 403);
  assert.equal((await workstation.ask('/account/')).status, 200);
});

test('a session that was closed or whose account is disabled is no longer valid for what is still open', async () => {
  const { sessions } = workstation.server.services;
  const { body: made } = await workstation.ask('/analysts', { method: 'POST', json: { username: 'leaving' } });
  const opened = await logIn({ username: 'leaving', password: made.one_time_password });
  const identified = (await sessions.identify(opened.body.token))!;
  assert.equal(await sessions.isValid(identified), true);
  await workstation.ask('/analysts/leaving', { method: 'PATCH', json: { is_disabled: true } });
  assert.equal(await sessions.isValid(identified), false);
});

test('a password that is tried first, or has the name of its owner in it, is refused', async () => {
  const token = await workstation.analyst('marguerite');
  const set = (password: string) =>
    workstation.ask('/account/password/', { method: 'POST', token, json: { password } });
  for (const password of ['iloveyou', 'Password1!', 'marguerite & I', 'zzzzzzzz', '\u{1f980}'.repeat(7)]) {
    const { status, body } = await set(password);
    assert.deepEqual([status, Object.keys(body)], [400, ['password']], password);
  }
  assert.equal((await set(`${'long sentence '.repeat(9)}end`)).status, 200, 'of 129 characters');
});

test('a new password asks for the current one and ends the other sessions', async () => {
  const first = (await logIn({ username: 'owner', password: 'correct horse' })).body.token;
  const second = (await logIn({ username: 'owner', password: 'correct horse' })).body.token;
  const set = (json: object) => workstation.ask('/account/password/', { method: 'POST', token: first, json });
  assert.deepEqual(Object.keys((await set({ password: 'battery staple' })).body), ['current_password']);
  assert.equal((await set({ password: 'battery staple', current_password: 'wrong' })).status, 400);
  assert.equal((await set({ password: 'battery staple', current_password: 'correct horse' })).status, 200);
  assert.equal((await workstation.ask('/account/', { token: first })).status, 200);
  assert.equal((await workstation.ask('/account/', { token: second })).status, 401);
  assert.equal((await logIn({ username: 'owner', password: 'correct horse' })).status, 401);
});

test('a log-in says what is missing, and not whether the username exists', async () => {
  assert.deepEqual(Object.keys((await logIn({})).body).sort(), ['password', 'username']);
  assert.deepEqual((await logIn({ username: 'owner' })).body, { password: ['This field is required.'] });
  const known = await logIn({ username: 'owner', password: 'wrong' });
  const unknown = await logIn({ username: 'nobody', password: 'wrong' });
  assert.equal(known.status, 401);
  assert.deepEqual(known.body, unknown.body);
  assert.equal(known.headers.get('www-authenticate'), 'Token');
});

test('the owner makes accounts with a one-time password, and nobody else does', async () => {
  const made = await workstation.ask('/analysts', { method: 'POST', json: { username: 'bea', first_name: 'Bea' } });
  assert.equal(made.status, 201, made.text);
  const { one_time_password: password, username, api_group: group } = createdAnalystSchema.parse(made.body);
  assert.equal(username, 'bea');
  assert.equal(group, 'basic');
  const opened = await logIn({ username, password });
  assert.equal(opened.status, 201);
  assert.equal(opened.body.account.has_password, false);
  assert.equal((await logIn({ username, password })).status, 401, 'it opens one session');
  const { token } = opened.body;
  const refused = await workstation.ask('/analysts', { method: 'POST', token, json: { username: 'cee' } });
  assert.equal(refused.status, 403);
  const taken = await workstation.ask('/analysts', { method: 'POST', json: { username: 'BEA' } });
  assert.deepEqual(taken.body, { username: ['A user with that username already exists.'] });
  for (const name of ['', '../x', 'a b', '-x', 'x'.repeat(151), '<script>']) {
    const wrong = await workstation.ask('/analysts', { method: 'POST', json: { username: name } });
    assert.equal(wrong.status, 400, name);
    assert.deepEqual(Object.keys(wrong.body), ['username']);
  }
});

test('a one-time password opens nothing after seven days', async () => {
  const made = await workstation.ask('/analysts', { method: 'POST', json: { username: 'late' } });
  const { one_time_password: password, username } = createdAnalystSchema.parse(made.body);
  ahead = 7 * 24 * 60 * minute;
  const lapsed = await logIn({ username, password });
  ahead = 7 * 24 * 60 * minute - 10 * minute;
  const inTime = await logIn({ username, password });
  ahead = 0;
  assert.deepEqual([lapsed.status, inTime.status], [401, 201]);
});

test('no account may be named "current", which stands for whoever asks', async () => {
  for (const username of ['current', 'Current', 'CURRENT']) {
    const { status, body } = await workstation.ask('/analysts', { method: 'POST', json: { username } });
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body), ['username']);
    await assert.rejects(workstation.analyst(username));
  }
});

test('an analyst edits his own profile, the owner any, and only the owner group, mark and access', async () => {
  const token = await workstation.analyst('dora');
  const change = (username: string, json: object, by?: string) =>
    workstation.ask(`/analysts/${username}`, { method: 'PATCH', json, ...(by === undefined ? {} : { token: by }) });
  const own = await change('dora', { first_name: 'Dora', bio: 'reads dex' }, token);
  assert.equal(own.status, 200);
  assert.equal(analystSchema.parse(own.body).bio, 'reads dex');
  assert.equal(Number.isInteger(own.body.date_joined), true);
  assert.equal((await change('owner', { first_name: 'x' }, token)).status, 403);
  assert.equal((await change('dora', { api_group: 'gold' }, token)).status, 403);
  assert.equal((await change('dora', { is_expert: true }, token)).status, 403);
  assert.equal((await change('nobody', { first_name: 'x' })).status, 404);
  assert.equal((await change('dora', { api_group: 'gold' })).body.api_group, 'gold');
  assert.equal((await workstation.ask('/account/', { token })).body.can_get_detected_feed, true);
  assert.equal((await change('dora', { is_disabled: true })).body.is_disabled, true);
  assert.equal((await workstation.ask('/account/', { token })).status, 401);
  assert.deepEqual(Object.keys((await change('owner', { is_disabled: true })).body), ['is_disabled']);
});

test('analysts are paged by number', async () => {
  const first = await workstation.ask('/analysts?page_size=2');
  assert.equal(first.body.results.length, 2);
  assert.equal(first.body.previous, null);
  const next = new URL(first.body.next);
  assert.equal(next.searchParams.get('page'), '2');
  assert.equal(next.searchParams.get('page_size'), '2');
  const second = await workstation.ask(first.body.next);
  assert.equal(new URL(second.body.previous).searchParams.get('page'), '1');
  assert.notEqual(second.body.results[0].username, first.body.results[0].username);
  for (const page of ['99', '0', 'x']) {
    const answer = await workstation.ask(`/analysts?page=${page}`);
    assert.equal(answer.status, 404);
    assert.deepEqual(answer.body, { detail: 'Invalid page.' });
  }
});

test('what goes over a limit is a 429 until the time that it says; a refused request is not counted', async () => {
  const token = await workstation.analyst('limited');
  const { store } = workstation.server;
  const statistics = async () =>
    statisticsSchema.parse((await workstation.ask('/account/statistics/', { token })).body).rate_limits;
  assert.deepEqual((await statistics())['apk-detail'], { limit: '60/min', used: 0 });
  const path = `/apks/${'e'.repeat(64)}/`;
  // A minute that ends in the middle of the test would begin a new count.
  ahead = minute - (systemClock() % minute);
  const answers = await Promise.all(Array.from({ length: 65 }, () => workstation.ask(path, { token })));
  assert.equal(answers.filter(({ status }) => status === 404).length, 60);
  const throttled = answers.find(({ status }) => status === 429)!;
  const seconds = Number(throttled.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60);
  assert.deepEqual(throttled.body, { detail: `Request was throttled. Expected available in ${seconds} seconds.` });
  assert.equal((await statistics())['apk-detail'].used, 60);
  ahead += seconds * 1_000_000;
  assert.equal((await workstation.ask(path, { token })).status, 404);
  assert.equal((await statistics())['apk-detail'].used, 1);
  ahead = 0;

  const hash = 'f'.repeat(64);
  await store.transaction(({ apks }) =>
    apks.insert({ sha256: hash, sha1: 'f'.repeat(40), md5: 'f'.repeat(32), size: 1 }),
  );
  await workstation.ask(`/apks/${hash}/analyze_static/`, { token });
  await workstation.server.idle();
  assert.equal((await statistics())['apk-analyze'].used, 1);
});

test('failed log-ins are throttled by address and name', async () => {
  const attempts = [];
  for (let attempt = 0; attempt < 12; attempt++) attempts.push(await logIn({ username: 'bea', password: 'wrong' }));
  assert.equal(attempts[0]!.status, 401);
  const last = attempts.at(-1)!;
  assert.equal(last.status, 429);
  assert.match(last.body.detail, /^Request was throttled\. Expected available in \d+ seconds\.$/);
  assert.ok(last.headers.has('retry-after'));
});

test('a crash forgets no request that was counted, and requests sent at once pass no limit', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-crash-'));
  const started: ChildProcess[] = [];
  const start = async () => {
    const words = [commandLine, 'serve', '--port', '0', '--data-dir', dataDir];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    started.push(child);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return { child, url: (JSON.parse(line) as { url: string }).url };
  };
  try {
    const first = await start();
    const store = await openStore(dataDir, { log: { info: () => undefined, warn: () => undefined }, exclusive: false });
    const ofOwner = {
      authorization: `Token ${await createTokenFor(store, 'owner')}`,
      'content-type': 'application/json',
    };
    const headers = { authorization: `Token ${await createTokenFor(store, 'crashed', 'basic')}` };
    await store.close();
    // A day that ends in the middle of the test would begin a new count.
    const untilMidnight = 86_400_000 - (Date.now() % 86_400_000);
    if (untilMidnight < 90_000) await new Promise((resolve) => setTimeout(resolve, untilMidnight));
    const limits = JSON.stringify({ basic: { 'apk-search': '200/day', 'api-usage': '100000/min' } });
    await fetch(`${first.url}/limits/`, { method: 'PATCH', headers: ofOwner, body: limits });
    const search = async (url: string) => (await fetch(`${url}/apks/?search=x`, { headers })).status;
    let answered = 0;
    const asked = Array.from({ length: 150 }, () =>
      search(first.url).then((status) => {
        assert.equal(status, 200);
        answered += 1;
        if (answered === 60) first.child.kill('SIGKILL');
      }),
    );
    await Promise.allSettled(asked);
    assert.ok(answered >= 60);
    const second = await start();
    const used = async () => {
      const body = await (await fetch(`${second.url}/account/statistics/`, { headers })).json();
      return (body as { rate_limits: Record<string, { used: number }> }).rate_limits['apk-search']!.used;
    };
    const counted = await used();
    assert.ok(counted >= answered && counted <= 150, `${counted} counted, ${answered} answered`);
    const statuses = await Promise.all(Array.from({ length: 300 }, () => search(second.url)));
    assert.equal(statuses.filter((status) => status === 200).length, 200 - counted);
    assert.equal(await used(), 200);
  } finally {
    // One that goes on after a failure keeps this file from ending.
    for (const child of started) child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('the owner takes another name, under which tokens and password still open the account; others may not', async () => {
  const rename = (username: string, token = workstation.ownerToken) =>
    workstation.ask('/account/username/', { method: 'POST', token, json: { username } });
  const other = await workstation.analyst('renamed-by-nobody');
  assert.equal((await rename('something', other)).status, 403);
  assert.deepEqual(Object.keys((await rename('Renamed-By-Nobody')).body), ['username']);
  assert.deepEqual(Object.keys((await rename('../current')).body), ['username']);
  assert.equal((await rename('ada')).body.username, 'ada');
  assert.equal((await workstation.ask('/account/')).body.username, 'ada');
  assert.equal((await rename('owner')).body.username, 'owner');
});

test('the owner makes others owners and takes it back; the workstation keeps one', async () => {
  const token = await workstation.analyst('deputy');
  const give = (name: string, role: string, by = workstation.ownerToken) =>
    workstation.ask(`/analysts/${name}`, { method: 'PATCH', token: by, json: { role } });
  assert.equal((await give('deputy', 'owner', token)).status, 403, 'nobody makes himself one');
  assert.equal((await give('deputy', 'analyst', token)).status, 200, 'a record can be sent back as it came');
  assert.deepEqual(Object.keys((await give('owner', 'analyst')).body), ['role']);
  assert.equal((await give('deputy', 'owner')).body.role, 'owner');
  assert.equal((await workstation.ask('/settings/', { token })).status, 200);
  assert.equal((await give('owner', 'analyst', token)).body.role, 'analyst');
  assert.equal((await workstation.ask('/settings/')).status, 403);
  // The link that a terminal shows is the owner's, whoever came first.
  const code = workstation.server.services.sessions.createLoginCode(null);
  assert.equal((await logIn({ login_code: code })).body.account.username, 'deputy');
  assert.equal((await give('owner', 'owner', token)).body.role, 'owner');
  assert.equal((await give('deputy', 'analyst')).body.role, 'analyst');
  await workstation.ask('/analysts/deputy', { method: 'PATCH', json: { is_disabled: true } });
  assert.deepEqual(Object.keys((await give('deputy', 'owner')).body), ['role'], 'who is disabled owns nothing');
});

test('the owner resets a password: sessions end, a one-time password opens one', async () => {
  const token = await workstation.analyst('forgetful');
  const password = 'a long forgotten one';
  await workstation.ask('/account/password/', { method: 'POST', token, json: { password } });
  const session = (await logIn({ username: 'forgetful', password })).body.token;
  const reset = { method: 'POST', token };
  assert.equal((await workstation.ask('/analysts/forgetful/password/', reset)).status, 403);
  const { body } = await workstation.ask('/analysts/forgetful/password/', { method: 'POST' });
  assert.equal((await workstation.ask('/account/', { token: session })).status, 401);
  assert.equal((await logIn({ username: 'forgetful', password })).status, 401);
  assert.equal((await logIn({ username: 'forgetful', password: body.one_time_password })).status, 201);
  assert.equal((await logIn({ username: 'forgetful', password: body.one_time_password })).status, 401);
});
