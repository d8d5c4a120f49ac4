// Who is let in how often, and what the audit log says of it: log-ins, settings, the command line, hosts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Sessions } from '../../server/services/people/sessions.ts';
import { commandLine } from '../fixtures/program.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

interface Logged {
  username: string;
  action: string;
  subject: string;
  status: number;
}

const newest = async (): Promise<Logged> => (await workstation.ask('/audit/')).body.results[0];

test('a log-in by a link is told with the name of whom it let in', async () => {
  const login_code = workstation.server.services.sessions.createLoginCode(null);
  const { status } = await workstation.ask('/session/', { method: 'POST', token: null, json: { login_code } });
  assert.equal(status, 201);
  const { username, action, subject } = await newest();
  assert.deepEqual([username, action, subject], ['owner', 'POST /session', 'owner']);
});

test('the audit log tells in words what was done, names files by their hashes, and is filtered by action and day', async () => {
  const { body: apk } = await workstation.upload(realApks.unlock);
  const upload = (await workstation.ask('/audit/')).body.results[0];
  assert.deepEqual([upload.action, upload.subject], ['POST /uploads', apk.sha256]);
  assert.equal(upload.words, 'Uploads an APK whose hash need not be known');
  const found = async (query: string) =>
    (await workstation.ask(`/audit/?${query}`)).body.results.map(({ action }: Logged) => action);
  assert.deepEqual(new Set(await found('action=UPLOADS an')), new Set(['POST /uploads']));
  assert.deepEqual(await found('action=nothing of this kind'), []);
  const today = upload.at.slice(0, 10);
  assert.ok((await found(`action=/uploads&from=${today}&to=${today}`)).length > 0);
  assert.deepEqual(await found('to=2001-01-31'), []);
  assert.equal((await workstation.ask('/audit/?from=yesterday')).status, 400);
  const { text } = await workstation.ask('/audit/export/?format=csv&action=/uploads');
  assert.ok(text.includes(apk.sha256) && !text.includes('POST /session'));
});

test('a change of settings is told by their names, never by what they hold; one of limits with its amount', async () => {
  const json = { smtp_host: 'mail.example', smtp_password: 'a secret of ours' };
  await workstation.ask('/settings/', { method: 'PATCH', json });
  assert.equal((await newest()).subject, 'smtp_host smtp_password');
  const { text } = await workstation.ask('/audit/export/');
  assert.ok(!text.includes('a secret of ours'));
  await workstation.ask('/limits/', { method: 'PATCH', json: { basic: { 'api-usage': '7/day' } } });
  assert.equal((await newest()).subject, 'basic api-usage=7/day');
});

test('what is done from the command line is told with the name of the person at the machine', async () => {
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [commandLine, ...words, '--data-dir', workstation.dataDir]);
  run('export');
  run('token', 'create', '--user', 'zoe');
  const file = join(tmpdir(), `apk-workstation-watched-${process.pid}.zip`);
  run('backup', file);
  const { body } = await workstation.ask('/audit/?page_size=3');
  assert.deepEqual(
    body.results.map(({ action, subject }: Logged) => [action, subject.replace(/ \(by .+\)$/, '')]),
    [
      ['backup', file],
      ['token create', 'zoe'],
      ['export', 'the whole catalogue'],
    ],
  );
  execFileSync('rm', [file]);
});

test('guesses sent all at once are counted as those in a row', async () => {
  const guess = () =>
    workstation.ask('/session/', { method: 'POST', token: null, json: { username: 'victim', password: 'wrong one' } });
  const statuses = (await Promise.all(Array.from({ length: 25 }, guess))).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 10);
  assert.equal(statuses.filter((status) => status === 429).length, 15);
});

test('whoever changes the address within one IPv6 network is the same to the throttle, and right log-ins cost nothing', async () => {
  const sessions = new Sessions(workstation.server.store);
  const guess = (address: string) => sessions.openByCode('wrong', { address });
  for (let index = 1; index <= 10; index++) {
    await assert.rejects(guess(`2001:db8:1:2::${index.toString(16)}`), { id: 'wrong-login-code' });
  }
  await assert.rejects(guess('2001:db8:1:2:ffff:1:2:3'), { id: 'throttled' });
  await assert.rejects(guess('2001:db8:1:3::1'), { id: 'wrong-login-code' });
  await assert.rejects(guess('192.168.1.9'), { id: 'wrong-login-code' });
  for (let index = 0; index < 60; index++)
    await sessions.openByCode(sessions.createLoginCode(null), { address: '192.168.1.10' });
});

/** The first line of the answer to a request that no HTTP client would send. */
const raw = (lines: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(workstation.url).port), '127.0.0.1');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer.split('\r\n')[0]!));
    socket.on('error', reject);
    socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  });

test('an absolute request target names the host, whatever the header says', async () => {
  assert.match(await raw(['GET http://localhost/health/ HTTP/1.1', 'Host: localhost']), / 200 /);
  assert.match(await raw(['GET http://evil.example/health/ HTTP/1.1', 'Host: localhost']), / 421 /);
  assert.match(await raw(['GET http://user@localhost/health/ HTTP/1.1', 'Host: localhost']), / 400 /);
  assert.match(await raw(['GET /health/ HTTP/1.1', 'Host: evil.example']), / 421 /);
  assert.match(await raw(['GET /health/ HTTP/1.1']), / 400 /);
});
