// Sharing while things change: addresses come and go, names are added, ports are freed, teammates stay connected.
import assert from 'node:assert/strict';
import { Agent, type RequestOptions, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { after, before, test } from 'node:test';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { networkAddresses } from '../../server/services/sharing/sharing.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let ca: string;
before(async () => {
  workstation = await startWorkstation();
  ca = (await workstation.ask('/ca.crt', { token: null })).text;
});
after(() => workstation[Symbol.asyncDispose]());

async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Answer {
  status: number;
  certificate: PeerCertificate;
  /** The client's own port: the same for requests on one connection. */
  from: number;
}

function ask(url: string, options: RequestOptions = {}, json?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Token ${workstation.ownerToken}`, 'content-type': 'application/json' };
    const asked = request(url, { ca, agent: false, headers, ...options }, (response) => {
      const socket = response.socket as TLSSocket;
      const answer = {
        status: response.statusCode!,
        certificate: socket.getPeerCertificate(),
        from: socket.localPort ?? 0,
      };
      response.resume().on('end', () => resolve(answer));
    });
    asked.on('error', reject).end(json === undefined ? undefined : JSON.stringify(json));
  });
}

const change = (json: object) => workstation.ask('/settings/', { method: 'PATCH', json });
const listeners = async () =>
  (await workstation.ask('/sharing/')).body.listeners as { address: string; url: string; error: string | null }[];

test('an address that cannot be served does not cut the others off, and is served as soon as its port is free', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.2', resolve));
  const { port } = taken.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await change({ sharing: true, sharing_addresses: ['127.0.0.1', '127.0.0.2'], sharing_port: port });
  try {
    const { from } = await ask(`https://127.0.0.1:${port}/health/`, { agent });
    await workstation.server.services.sharing.settingsChanged();
    assert.equal((await ask(`https://127.0.0.1:${port}/health/`, { agent })).from, from, 'the connection was kept');
    await new Promise((resolve) => taken.close(resolve));
    await workstation.server.services.sharing.settingsChanged();
    assert.deepEqual(
      (await listeners()).map(({ error }) => error),
      [null, null],
    );
    assert.equal((await ask(`https://127.0.0.2:${port}/health/`)).status, 200);
    assert.equal((await ask(`https://127.0.0.1:${port}/health/`, { agent })).from, from);
  } finally {
    agent.destroy();
    await change({ sharing: false });
  }
});

test('a name that is added stands in the certificate of the next connection once there is an authority for it, and open ones stay', async () => {
  const port = await freePort();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await change({ sharing: true, sharing_addresses: ['127.0.0.1'], sharing_port: port });
  try {
    const first = await ask(`https://127.0.0.1:${port}/health/`, { agent });
    await change({ allowed_hosts: ['apks.lab.example'], public_url: 'https://published.lab.example:9443/' });
    const { body: before } = await workstation.ask('/sharing/');
    assert.deepEqual(before.names_without_certificate, ['apks.lab.example', 'published.lab.example']);
    assert.equal(before.certificate_fingerprint, first.certificate.fingerprint256);
    const replaced = await workstation.ask('/sharing/authority/', { method: 'POST' });
    assert.equal(replaced.status, 201);
    assert.notEqual(replaced.body.authority_fingerprint, before.authority_fingerprint);
    assert.deepEqual(replaced.body.names_without_certificate, []);
    await assert.rejects(ask(`https://127.0.0.1:${port}/health/`), /certificate/, 'it is to be trusted first');
    const former = ca;
    ca = (await workstation.ask('/ca.crt', { token: null })).text;
    const next = await ask(`https://127.0.0.1:${port}/health/`);
    assert.match(next.certificate.subjectaltname ?? '', /DNS:apks\.lab\.example, DNS:published\.lab\.example/);
    assert.notEqual(next.certificate.fingerprint256, first.certificate.fingerprint256);
    assert.equal((await ask(`https://127.0.0.1:${port}/health/`, { agent, ca: former })).from, first.from);
    const { body } = await workstation.ask('/sharing/');
    assert.equal(body.certificate_fingerprint, next.certificate.fingerprint256);
    const named = await ask(`https://127.0.0.1:${port}/health/`, {
      servername: 'published.lab.example',
      headers: { host: 'published.lab.example:9443' },
    });
    assert.equal(named.status, 200);
  } finally {
    agent.destroy();
    await change({ sharing: false, allowed_hosts: [], public_url: '' });
  }
});

test('whoever switches sharing off over the shared address is answered', async () => {
  const port = await freePort();
  await change({ sharing: true, sharing_addresses: ['127.0.0.1'], sharing_port: port });
  // Would the end wait for this connection, it would cut it off.
  const { status } = await ask(`https://127.0.0.1:${port}/settings/`, { method: 'PATCH' }, { sharing: false });
  assert.equal(status, 200);
  await assert.rejects(ask(`https://127.0.0.1:${port}/health/`), /ECONNREFUSED/);
});

test('the same port goes from TLS to plain HTTP and back', async () => {
  const port = await freePort();
  await change({ sharing: true, sharing_addresses: ['127.0.0.1'], sharing_port: port });
  await change({ sharing_plain_http: true });
  assert.equal((await fetch(`http://127.0.0.1:${port}/health/`)).status, 200);
  await change({ sharing_plain_http: false });
  assert.equal((await ask(`https://127.0.0.1:${port}/health/`)).status, 200);
  await change({ sharing: false });
});

test('0.0.0.0 stands for every IPv4 address of a network, each with its name in the certificate', async () => {
  const port = await freePort('0.0.0.0');
  await change({ sharing: true, sharing_addresses: ['0.0.0.0'], sharing_port: port });
  try {
    const served = (await listeners()).map(({ address }) => address);
    assert.deepEqual(
      served,
      networkAddresses()
        .map(({ address }) => address)
        .filter((address) => !address.includes(':')),
    );
    if (served.length === 0) return;
    assert.equal((await ask(`https://${served[0]}:${port}/health/`)).status, 200);
    await assert.rejects(ask(`https://127.0.0.1:${port}/health/`), /ECONNREFUSED/);
  } finally {
    await change({ sharing: false });
  }
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
test('IPv6 addresses are served, and named in the certificate', {
  skip: hasIpv6 ? false : 'this machine has no IPv6',
}, async () => {
  const port = await freePort('::1');
  await change({ sharing: true, sharing_addresses: ['::1'], sharing_port: port });
  try {
    assert.deepEqual(await listeners(), [{ address: '::1', url: `https://[::1]:${port}`, error: null }]);
    assert.equal((await ask(`https://[::1]:${port}/health/`)).status, 200);
  } finally {
    await change({ sharing: false });
  }
});

test('addresses that are none are refused by name', async () => {
  for (const address of ['256.1.1.1', 'a/b', '10.0.0.1/8', 'fe80::1%eth0', '']) {
    const { status, body } = await change({ sharing_addresses: [address] });
    assert.equal(status, 400, address);
    assert.deepEqual(body, { 'sharing_addresses.0': ['An interface, an IPv4 or an IPv6 address.'] });
  }
});

test('where multicast reaches this machine itself, the workstation announces itself by mDNS while the setting says so, and takes it back', async (t) => {
  const { Bonjour } = await import('bonjour-service');
  const browser = new Bonjour({}, () => undefined);
  const port = await freePort();
  const seen: { port: number; host: string }[] = [];
  const gone: number[] = [];
  const finder = browser.find({ type: 'https' });
  finder.on('up', (service) => void seen.push({ port: service.port, host: service.host }));
  finder.on('down', (service) => void gone.push(service.port));
  const within = async (isSo: () => boolean, milliseconds: number) => {
    for (const end = performance.now() + milliseconds; !isSo() && performance.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      finder.update();
    }
    return isSo();
  };
  try {
    const address = { sharing: true, sharing_addresses: ['127.0.0.1'], sharing_port: port };
    await change({ ...address, sharing_announce: true });
    assert.equal((await workstation.ask('/sharing/')).body.error, null);
    if (!(await within(() => seen.some((one) => one.port === port), 4_000))) {
      t.skip('multicast does not reach this machine itself');
      return;
    }
    assert.equal(
      seen.find((one) => one.port === port)?.host,
      `${hostname().split('.')[0]!.toLowerCase()}.local`,
      'the name that requests may carry',
    );
    await change({ sharing_announce: false });
    assert.ok(await within(() => gone.includes(port), 60_000), 'it said goodbye');
  } finally {
    await change({ sharing: false, sharing_announce: false });
    finder.stop();
    browser.destroy();
  }
});
