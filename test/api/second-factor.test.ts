// An authenticator app as the second factor: set up, asked for at each way in, taken away.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { stepAt } from '../../server/services/people/one-time-codes.ts';
import { systemClock } from '../../server/store/clock.ts';
import { appCode, bytesOf } from '../fixtures/authenticator-app.ts';
import { commandLine } from '../fixtures/program.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
/** Microseconds that the workstation's clock is ahead: each code serves once, the next one comes half a minute later. */
let ahead = 0;
const clock = () => systemClock() + ahead;
before(async () => {
  workstation = await startWorkstation({ clock });
});
after(() => workstation[Symbol.asyncDispose]());

const password = 'albatross over Kerguelen';
const post = (path: string, json: object, token: string | null) =>
  workstation.ask(path, { method: 'POST', token, json });
const logIn = (json: object) => post('/session/', json, null);

/** The next code of an app, half a minute after the one before. */
function nextCode(secret: string): string {
  ahead += 30_000_000;
  return appCode(secret, stepAt(clock()));
}

/** Somebody with a password and an app. */
async function withApp(username: string): Promise<{ token: string; secret: string; recovery: string[] }> {
  const token = await workstation.analyst(username);
  await post('/account/password/', { password }, token);
  const begun = await post('/account/second_factor/', { current_password: password }, token);
  assert.equal(begun.status, 201, begun.text);
  const { secret } = begun.body;
  const confirmed = await post('/account/second_factor/confirm/', { second_factor: nextCode(secret) }, token);
  assert.equal(confirmed.status, 200, confirmed.text);
  return { token, secret, recovery: confirmed.body.recovery_codes };
}

const wanted = (answer: { status: number; body: object }) =>
  assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['second_factor']]);

test('a second factor is set up by password and a code of the app; until then no code is asked for', async () => {
  const token = await workstation.analyst('ada');
  await post('/account/password/', { password }, token);
  const show = async () => (await workstation.ask('/account/second_factor/', { token })).body;
  assert.deepEqual(await show(), { confirmed_at: null, recovery_codes_left: 0 });
  assert.deepEqual(Object.keys((await post('/account/second_factor/', {}, token)).body), ['current_password']);
  assert.equal((await post('/account/second_factor/', { current_password: 'wrong' }, token)).status, 400);
  const { secret, uri } = (await post('/account/second_factor/', { current_password: password }, token)).body;
  assert.equal(uri, `otpauth://totp/APK%20Workstation:ada?secret=${secret}&issuer=APK%20Workstation`);
  assert.equal((await logIn({ username: 'ada', password })).status, 201, 'not confirmed yet');
  const other = (await logIn({ username: 'ada', password })).body.token;
  wanted(await post('/account/second_factor/confirm/', { second_factor: '000000' }, token));
  const { body } = await post('/account/second_factor/confirm/', { second_factor: nextCode(secret) }, token);
  assert.equal(body.recovery_codes.length, 10);
  assert.equal((await show()).recovery_codes_left, 10);
  assert.equal((await workstation.ask('/account/', { token: other })).status, 401, 'other sessions end');
  assert.equal((await post('/account/second_factor/', { current_password: password }, token)).status, 409);
  assert.equal((await post('/account/second_factor/confirm/', { second_factor: '000000' }, token)).status, 409);
});

test('a log-in asks for a code, which serves once; programs go on with their tokens', async () => {
  const { token, secret } = await withApp('bea');
  wanted(await logIn({ username: 'bea', password }));
  wanted(await logIn({ username: 'bea', password, second_factor: '' }));
  const wrong = await logIn({ username: 'bea', password: 'a guess', second_factor: nextCode(secret) });
  assert.deepEqual([wrong.status, Object.keys(wrong.body)], [401, ['detail']], 'the password is asked for first');
  const code = nextCode(secret);
  wanted(await logIn({ username: 'bea', password, second_factor: '123456' === code ? '654321' : '123456' }));
  assert.equal(
    (await logIn({ username: 'bea', password, second_factor: ` ${code.slice(0, 3)} ${code.slice(3)}` })).status,
    201,
  );
  wanted(await logIn({ username: 'bea', password, second_factor: code }));
  const [one, other] = [nextCode(secret)].flatMap((next) => [next, next]);
  const statuses = (
    await Promise.all([one, other].map((next) => logIn({ username: 'bea', password, second_factor: next })))
  ).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [201, 400], 'sent twice at once it serves once too');
  assert.equal((await workstation.ask('/account/', { token })).status, 200);
});

test('a recovery code opens once in the place of a code, and new ones end the old', async () => {
  const { token, secret, recovery } = await withApp('cee');
  assert.equal((await logIn({ username: 'cee', password, second_factor: recovery[0] })).status, 201);
  wanted(await logIn({ username: 'cee', password, second_factor: recovery[0] }));
  assert.equal((await logIn({ username: 'cee', password, second_factor: recovery[1]!.toUpperCase() })).status, 201);
  assert.equal((await workstation.ask('/account/second_factor/', { token })).body.recovery_codes_left, 8);
  const renewed = { current_password: password, second_factor: nextCode(secret) };
  const { body } = await post('/account/second_factor/renew_recovery_codes/', renewed, token);
  wanted(await logIn({ username: 'cee', password, second_factor: recovery[2] }));
  assert.equal((await logIn({ username: 'cee', password, second_factor: body.recovery_codes[0] })).status, 201);
  const other = await withApp('dee');
  wanted(await logIn({ username: 'cee', password, second_factor: other.recovery[0] }));
});

test('codes are guessed at few times, whatever the password', async () => {
  await withApp('eve');
  for (let count = 0; count < 5; count++)
    wanted(await logIn({ username: 'eve', password, second_factor: `00000${count}` }));
  const throttled = await logIn({ username: 'eve', password, second_factor: '000009' });
  assert.equal(throttled.status, 429);
  assert.ok(Number(throttled.headers.get('retry-after')) >= 1);
  const { results } = (await workstation.ask('/audit/')).body;
  const told = results.filter((one: { subject: string }) => one.subject === 'eve');
  assert.deepEqual(told.map((one: { status: number; count: number }) => [one.status, one.count]).slice(0, 2), [
    [429, 1],
    [400, 5],
  ]);
});

test('neither a one-time password nor an invitation leads past it, and neither is used up by trying', async () => {
  const { secret } = await withApp('fay');
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [commandLine, ...words, '--data-dir', workstation.dataDir]);
  const oneTime = String(run('account', 'reset-password', 'fay')).trim();
  wanted(await logIn({ username: 'fay', password: oneTime }));
  assert.equal((await logIn({ username: 'fay', password: oneTime, second_factor: nextCode(secret) })).status, 201);
  const invitation = await workstation.ask('/invitations/', { method: 'POST', json: { username: 'fay' } });
  const login_code = new URL(invitation.body.invitation_url.replace('/#', '')).searchParams.get('code');
  wanted(await logIn({ login_code }));
  wanted(await logIn({ login_code, second_factor: '000000' }));
  assert.equal((await logIn({ login_code, second_factor: nextCode(secret) })).status, 201);
  assert.equal((await logIn({ login_code, second_factor: nextCode(secret) })).status, 401, 'the link is spent');
});

test('the address that a terminal shows at this machine asks for nothing', async () => {
  await withApp('gil');
  const gil = await workstation.server.services.accounts.get('gil');
  const login_code = workstation.server.services.sessions.createLoginCode(gil);
  assert.equal((await logIn({ login_code })).status, 201);
});

test('it is taken away by password and a code, by the owner, or at the command line', async () => {
  const { token, secret } = await withApp('hal');
  const remove = (json: object) => post('/account/second_factor/remove/', json, token);
  assert.deepEqual(Object.keys((await remove({ second_factor: nextCode(secret) })).body), ['current_password']);
  assert.equal((await remove({ current_password: password })).status, 400);
  wanted(await remove({ current_password: password, second_factor: '000000' }));
  assert.equal((await remove({ current_password: password, second_factor: nextCode(secret) })).status, 204);
  assert.equal((await logIn({ username: 'hal', password })).status, 201);
  assert.equal((await remove({ current_password: password, second_factor: '000000' })).status, 409);

  await withApp('ida');
  const listed = (await workstation.ask('/second_factors/')).body.results.map(
    ({ username }: { username: string }) => username,
  );
  assert.ok(listed.includes('ida') && !listed.includes('hal'));
  const reset = (by?: string) =>
    workstation.ask('/second_factors/ida/', { method: 'DELETE', ...(by && { token: by }) });
  assert.equal((await reset(token)).status, 403);
  assert.equal((await reset()).status, 204);
  assert.equal((await reset()).status, 409);
  assert.equal((await logIn({ username: 'ida', password })).status, 201);

  await withApp('jim');
  const words = ['account', 'reset-second-factor', 'jim', '--data-dir', workstation.dataDir];
  execFileSync(process.execPath, [commandLine, ...words]);
  assert.equal((await logIn({ username: 'jim', password })).status, 201);
  const { results } = (await workstation.ask('/audit/?username=jim')).body;
  assert.ok(results.some(({ action }: { action: string }) => action === 'account reset-second-factor'));
});

test('neither secrets nor recovery codes stand in the database as they are', async () => {
  const { secret, recovery } = await withApp('kay');
  const files = ['catalogue.db', 'catalogue.db-wal'].map((name) => readFileSync(join(workstation.dataDir, name)));
  for (const file of files) {
    assert.equal(file.includes(secret), false);
    assert.equal(file.includes(bytesOf(secret)), false);
    for (const code of recovery) assert.equal(file.includes(code.replaceAll('-', '')) || file.includes(code), false);
  }
});
