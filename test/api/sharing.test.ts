// Sharing on the network: TLS by the machine's own authority, invitations, hosts, sessions, the audit log.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { get as getPlain } from 'node:http';
import { get, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, test } from 'node:test';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation({ onUpload: [] });
});
after(() => workstation[Symbol.asyncDispose]());

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Got {
  status: number;
  text: string;
}

const gathered =
  (resolve: (got: Got) => void) =>
  (response: import('node:http').IncomingMessage): void => {
    let text = '';
    response.on('data', (chunk) => {
      text += chunk;
    });
    response.on('end', () => resolve({ status: response.statusCode!, text }));
  };

const overTls = (url: string, options: RequestOptions): Promise<Got> =>
  new Promise((resolve, reject) => get(url, { agent: false, ...options }, gathered(resolve)).on('error', reject));

/** Plain HTTP with a Host header of one's own, which fetch does not let one choose. */
const asHost = (host: string, path = '/health/'): Promise<Got> =>
  new Promise((resolve, reject) =>
    getPlain(`${workstation.url}${path}`, { agent: false, headers: { host } }, gathered(resolve)).on('error', reject),
  );

const change = (json: object) => workstation.ask('/settings/', { method: 'PATCH', json });

test('sharing is off at first', async () => {
  const { status, body } = await workstation.ask('/sharing/');
  assert.equal(status, 200);
  assert.equal(body.is_on, false);
  assert.deepEqual(body.listeners, []);
});

test('one switch serves the same API with TLS by the authority of /ca.crt, and ends it as quickly', async () => {
  const port = await freePort();
  const switched = await change({ sharing: true, sharing_addresses: ['127.0.0.1'], sharing_port: port });
  assert.equal(switched.status, 200);
  const { body } = await workstation.ask('/sharing/');
  assert.deepEqual(body.listeners, [{ address: '127.0.0.1', url: `https://127.0.0.1:${port}`, error: null }]);
  const ca = await workstation.ask('/ca.crt', { token: null });
  assert.equal(ca.headers.get('content-type'), 'application/x-x509-ca-cert');
  assert.equal(new X509Certificate(ca.text).fingerprint256, body.authority_fingerprint);

  const headers = { authorization: `Token ${workstation.ownerToken}` };
  const shared = await overTls(`https://127.0.0.1:${port}/account/`, { ca: ca.text, headers });
  assert.equal(shared.status, 200);
  assert.match(
    shared.text,
    new RegExp(`"url":"https://127.0.0.1:${port}/`),
    'links lead to where the client came from',
  );
  await assert.rejects(overTls(`https://127.0.0.1:${port}/health/`, {}), /certificate/);

  assert.equal((await change({ sharing: false })).status, 200);
  await assert.rejects(overTls(`https://127.0.0.1:${port}/health/`, { ca: ca.text }), /ECONNREFUSED/);
});

test('an address that cannot be served says why, and the others are served', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.2', resolve));
  const { port } = taken.address() as AddressInfo;
  try {
    await change({ sharing: true, sharing_addresses: ['127.0.0.2', '127.0.0.3', '203.0.113.7'], sharing_port: port });
    const { body } = await workstation.ask('/sharing/');
    const errors = body.listeners.map((one: { error: string | null }) => one.error);
    assert.match(errors[0], /taken by another program/);
    assert.equal(errors[1], null);
    assert.match(errors[2], /does not have this address/);
  } finally {
    await change({ sharing: false });
    taken.close();
  }
});

test('an interface is shared at every address that it has, and one that is not there is named', async () => {
  const port = await freePort();
  const [loop, loopAddresses = []] = Object.entries(networkInterfaces()).find(([, list]) => list?.[0]?.internal)!;
  await change({ sharing: true, sharing_addresses: [loop], sharing_port: port });
  const { body } = await workstation.ask('/sharing/');
  const served = body.listeners.map((one: { address: string }) => one.address);
  assert.deepEqual(
    served.toSorted(),
    loopAddresses
      .map(({ address }) => address)
      .filter((address) => !address.startsWith('fe80:'))
      .toSorted(),
  );
  await change({ sharing_addresses: ['unplugged7'] });
  const { body: without } = await workstation.ask('/sharing/');
  assert.deepEqual(without.listeners, []);
  assert.match(without.error, /unplugged7/);
  const { status } = await change({ sharing: false, sharing_addresses: ['1.2.3.400'] });
  assert.equal(status, 400);
  await change({ sharing: false, sharing_addresses: [] });
});

test('plain HTTP is shared only where the setting says so', async () => {
  const port = await freePort();
  await change({ sharing: true, sharing_addresses: ['127.0.0.4'], sharing_port: port, sharing_plain_http: true });
  assert.equal((await fetch(`http://127.0.0.4:${port}/health/`)).status, 200);
  await change({ sharing: false, sharing_plain_http: false });
});

test('only the owner sees and changes how the workstation is shared', async () => {
  const token = await workstation.analyst('sharing_analyst');
  assert.equal((await workstation.ask('/sharing/', { token })).status, 403);
  assert.equal((await workstation.ask('/invitations/', { token })).status, 403);
  assert.equal((await workstation.ask('/audit/', { token })).status, 403);
  assert.equal((await workstation.ask('/settings/', { token, method: 'PATCH', json: { sharing: true } })).status, 403);
});

test('an invitation makes an account and its link logs in once', async () => {
  const invited = await workstation.ask('/invitations/', {
    method: 'POST',
    json: { username: 'carol', api_group: 'silver' },
  });
  assert.equal(invited.status, 201);
  const code = new URL(invited.body.invitation_url.replace('#/', '')).searchParams.get('code');
  const open = () => workstation.ask('/session/', { method: 'POST', token: null, json: { login_code: code } });
  const session = await open();
  assert.equal(session.status, 201);
  assert.equal(session.body.account.username, 'carol');
  assert.equal(session.body.account.api_group, 'silver');
  assert.equal((await open()).status, 401);
  const { body } = await workstation.ask('/invitations/');
  assert.equal(body.results[0].username, 'carol');
  assert.notEqual(body.results[0].used_at, null);
});

test('an invitation that was taken back opens nothing', async () => {
  const invited = await workstation.ask('/invitations/', { method: 'POST', json: { username: 'dave' } });
  assert.equal((await workstation.ask(`/invitations/${invited.body.id}/`, { method: 'DELETE' })).status, 204);
  const code = invited.body.invitation_url.split('code=')[1];
  const opened = await workstation.ask('/session/', { method: 'POST', token: null, json: { login_code: code } });
  assert.equal(opened.status, 401);
});

test('a request for a foreign host name is refused, so that DNS rebinding reaches nothing', async () => {
  assert.equal((await asHost('evil.example')).status, 421);
  assert.equal((await asHost('evil.example:8465', '/app/')).status, 421);
  for (const host of ['localhost', 'LOCALHOST:1234', '127.0.0.1:99', '[::1]:8465', '192.168.1.20']) {
    assert.equal((await asHost(host)).status, 200, host);
  }
  await change({ allowed_hosts: ['apks.lab.example'] });
  assert.equal((await asHost('apks.lab.example')).status, 200);
  await change({ allowed_hosts: [] });
  assert.equal((await asHost('apks.lab.example')).status, 421);
});

test('sessions are listed with what and where they were opened from, and each can be ended', async () => {
  const login = async (agent: string) => {
    const invited = await workstation.ask('/invitations/', { method: 'POST', json: { username: 'erin' } });
    const json = { login_code: invited.body.invitation_url.split('code=')[1] };
    const headers = { 'user-agent': agent };
    return (await workstation.ask('/session/', { method: 'POST', token: null, json, headers })).body.token as string;
  };
  const first = await login('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
  const second = await login('curl/8.5.0');
  const listed = await workstation.ask('/account/sessions/', { token: second });
  assert.deepEqual(
    listed.body.results.map((one: { name: string; is_current: boolean }) => [one.name, one.is_current]),
    [
      ['curl, 127.0.0.1', true],
      ['Firefox on Linux, 127.0.0.1', false],
    ],
  );
  const path = `/account/sessions/${listed.body.results[1].id}/`;
  assert.equal((await workstation.ask(path, { method: 'DELETE', token: second })).status, 204);
  assert.equal((await workstation.ask('/account/', { token: first })).status, 401);
  assert.equal((await workstation.ask('/account/', { token: second })).status, 200);
  assert.equal((await workstation.ask(path, { method: 'DELETE', token: second })).status, 404);
});

test('the audit log says who did what, when and from where, refusals too, and can be taken away whole', async () => {
  const { body: apk } = await workstation.upload(realApks.settings);
  const token = await workstation.analyst('mallory');
  assert.equal((await workstation.ask(`/apks/${apk.sha256}/`, { method: 'DELETE', token })).status, 403);
  const login = { method: 'POST', token: null, json: { username: 'mallory', password: 'a wrong one' } };
  assert.equal((await workstation.ask('/session/', login)).status, 401);
  assert.equal((await workstation.ask(`/apks/${apk.sha256}/download/`)).status, 200);
  const { body } = await workstation.ask('/audit/?page_size=3');
  assert.deepEqual(
    body.results.map((one: Record<string, unknown>) => [
      one.username,
      one.address,
      one.action,
      one.subject,
      one.status,
    ]),
    [
      ['owner', '127.0.0.1', 'GET /apks/:sha256/download', apk.sha256, 200],
      ['', '127.0.0.1', 'POST /session', 'mallory', 401],
      ['mallory', '127.0.0.1', 'DELETE /apks/:sha256', apk.sha256, 403],
    ],
  );
  const older = await workstation.ask(body.next);
  assert.equal(older.body.results[0].action, 'POST /uploads');
  const mine = await workstation.ask('/audit/?username=mallory');
  assert.equal(mine.body.count, 1);
  const headers = { authorization: `Token ${workstation.ownerToken}` };
  const lines = (await (await fetch(`${workstation.url}/audit/export/`, { headers })).text()).trim().split('\n');
  assert.equal(JSON.parse(lines.at(-1)!).subject, apk.sha256);
  const csv = await workstation.ask('/audit/export/?format=csv');
  assert.match(csv.text, /^at,username,address,action,subject,status,count,last_at,words\r\n/);
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="audit.csv"');
});

test('switching sharing on closes uploads without a token, links that were given too, until the owner opens them', async () => {
  const port = await freePort();
  const path = (mark: string) => `/apks/${mark.repeat(64)}/get_upload_url/`;
  const asked = async () => (await workstation.ask(path('d'), { token: null })).status;
  const shown = async () => (await workstation.ask('/settings/')).body.anonymous_upload;
  assert.deepEqual([await asked(), await shown()], [200, true], 'nobody shares it: open');
  const given = (await workstation.ask(path('e'), { token: null })).body.upload_url;
  const send = async (link: string) =>
    (await workstation.ask(link, { method: 'PUT', token: null, body: 'other bytes' })).status;
  assert.equal(await send(given), 422);

  const sharing = { sharing: true, sharing_addresses: ['127.0.0.1'], sharing_port: port };
  await change(sharing);
  assert.deepEqual([await asked(), await shown()], [401, false]);
  assert.equal(await send(given), 401);
  const byAnalyst = (await workstation.ask(path('e'))).body.upload_url;
  assert.equal(await send(byAnalyst), 422, 'a link that an analyst asked for is one for whoever has it');

  await change({ anonymous_upload: true });
  assert.deepEqual([await asked(), await shown(), await send(given)], [200, true, 422]);
  await change({ sharing_port: port });
  assert.equal(await asked(), 200, 'another change leaves it open');
  await change({ ...sharing, sharing: true });
  assert.equal(await asked(), 200, 'what is on is not switched on');

  await change({ sharing: false });
  assert.equal(await asked(), 200);
  await change(sharing);
  assert.deepEqual([await asked(), await shown()], [401, false], 'the owner opens it for each sharing anew');
  await change({ sharing: false });
  await change({ ...sharing, anonymous_upload: true });
  assert.equal(await asked(), 200, 'both are said at once');
  await change({ anonymous_upload: false });
  await change({ sharing: false });
  assert.equal(await asked(), 401, 'what the owner has closed stays closed');
  await change({ anonymous_upload: null });
  assert.equal(await asked(), 200);
});

test('a workstation that is served on the network without sharing is closed likewise', async () => {
  const { settings } = workstation.server.services;
  await settings.noteServedToOthers();
  assert.equal((await workstation.ask('/settings/')).body.anonymous_upload, false);
  await change({ anonymous_upload: true });
  await settings.noteServedToOthers();
  assert.equal((await workstation.ask('/settings/')).body.anonymous_upload, true);
  await change({ anonymous_upload: null });
});
