// What the command line does for accounts, and what it refuses to open: real processes, a running server.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runCommand } from '../../fixtures/program.ts';
import { startWorkstation } from '../../fixtures/workstation.ts';

const workstation = await startWorkstation();
after(() => workstation[Symbol.asyncDispose]());

const run = (...words: string[]) => runCommand([...words, '--data-dir', workstation.dataDir]);

const login = (username: string, password: string) =>
  workstation.ask('/session/', { method: 'POST', token: null, json: { username, password } });

test('reset-password prints a password that logs in once, ends the sessions and keeps the tokens', async () => {
  const token = await workstation.analyst('frank');
  const json = { password: 'correct horse battery' };
  await workstation.ask('/account/password/', { method: 'POST', token, json });
  const session = (await login('frank', json.password)).body.token;
  const { status, stdout, stderr } = await run('account', 'reset-password', 'frank');
  assert.equal(status, 0, stderr);
  assert.equal((await workstation.ask('/account/', { token: session })).status, 401);
  assert.equal((await workstation.ask('/account/', { token })).status, 200);
  assert.equal((await login('frank', json.password)).status, 401);
  assert.equal((await login('frank', stdout.trim())).status, 201);
  assert.equal((await login('frank', stdout.trim())).status, 401, 'once');
  const { body } = await workstation.ask('/audit/?username=frank');
  assert.ok(body.results.some((one: { action: string }) => one.action === 'account reset-password'));
});

test('a command for somebody unknown says so, and names the accounts', async () => {
  await workstation.analyst('frank');
  for (const command of ['reset-password', 'reset-second-factor']) {
    const { status, stderr } = await run('account', command, 'nobody');
    assert.equal(status, 1);
    assert.equal(stderr, 'apk-workstation: There is no account nobody. There are: owner, frank.\n');
  }
});

test('serve refuses to listen beyond this machine without TLS unless told', async () => {
  const { status, stderr } = await run('serve', '--host', '0.0.0.0', '--port', '0');
  assert.equal(status, 1);
  assert.match(stderr, /Share with TLS in the settings \(sharing\), or add --plain-http/);
});
