// What the shared server speaks with TLS, by real handshakes, and what it asks browsers to remember.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ConnectionOptions, connect, getCiphers } from 'node:tls';
import { LocalAuthority } from '../../server/app/local-authority.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let ca: string;
let port: number;
before(async () => {
  workstation = await startWorkstation();
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  port = (free.address() as AddressInfo).port;
  await new Promise((resolve) => free.close(resolve));
  const json = { sharing: true, sharing_addresses: ['127.0.0.1'], sharing_port: port };
  assert.equal((await workstation.ask('/settings/', { method: 'PATCH', json })).status, 200);
  ca = (await workstation.ask('/ca.crt', { token: null })).text;
});
after(() => workstation[Symbol.asyncDispose]());

/** The cipher and protocol that a client with these options comes to. */
const handshake = (options: ConnectionOptions): Promise<{ cipher: string; protocol: string | null }> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca, ...options }, () => {
      resolve({ cipher: socket.getCipher().name, protocol: socket.getProtocol() });
      socket.destroy();
    });
    socket.on('error', reject);
  });

test('of all ciphers that OpenSSL knows, only those with forward secrecy that authenticate what they encrypt are spoken', async () => {
  const spoken: string[] = [];
  const older = getCiphers().filter((name) => !name.startsWith('tls_'));
  assert.ok(older.some((name) => name === 'ecdhe-ecdsa-aes128-sha256'));
  for (const name of older) {
    const options = { ciphers: `${name.toUpperCase()}:@SECLEVEL=0`, maxVersion: 'TLSv1.2' as const };
    await handshake(options).then(
      ({ cipher }) => spoken.push(cipher),
      () => undefined,
    );
  }
  assert.deepEqual(spoken.toSorted(), [
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
  ]);
});

test('a client that knows CBC alone is refused', async () => {
  const ciphers = 'ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA:ECDHE-ECDSA-AES128-SHA';
  await assert.rejects(handshake({ ciphers, maxVersion: 'TLSv1.2' }), /handshake failure/);
});

test('TLS 1.3 is spoken, 1.1 is not, also after the certificate was renewed', async () => {
  for (let turn = 0; turn < 2; turn += 1) {
    assert.equal((await handshake({})).protocol, 'TLSv1.3');
    assert.equal((await handshake({ maxVersion: 'TLSv1.2' })).protocol, 'TLSv1.2');
    const old = { minVersion: 'TLSv1' as const, maxVersion: 'TLSv1.1' as const, ciphers: 'DEFAULT:@SECLEVEL=0' };
    await assert.rejects(handshake(old));
    await assert.rejects(handshake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256' }));
    assert.equal((await workstation.ask('/sharing/authority/', { method: 'POST' })).status, 201);
    ca = (await workstation.ask('/ca.crt', { token: null })).text;
  }
});

const strictTransport = (host: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/health/',
      ca,
      agent: false as const,
      headers: { host },
      checkServerIdentity: () => undefined,
    };
    request(options, (response) => {
      response.resume();
      resolve(response.headers['strict-transport-security']);
    })
      .on('error', reject)
      .end();
  });

test('browsers are asked to come back with TLS where they know the workstation by a name of its own, and nowhere else', async () => {
  const name = hostname().toLowerCase();
  assert.equal(await strictTransport(`${name}:${port}`), 'max-age=2592000');
  assert.equal(await strictTransport(name), 'max-age=2592000');
  for (const host of [`127.0.0.1:${port}`, `[::1]:${port}`, `localhost:${port}`, 'a.localhost', 'LOCALHOST.']) {
    assert.equal(await strictTransport(host), undefined, host);
  }
  const plain = await fetch(`${workstation.url}/health/`);
  assert.equal(plain.headers.get('strict-transport-security'), null);
});

test('the state of the server tells everybody of the authority, and until when the one before it serves', async () => {
  const told = async () => (await workstation.ask('/health/', { token: null })).body.authority;
  const { body } = await workstation.ask('/sharing/');
  assert.deepEqual(await told(), {
    fingerprint: body.authority_fingerprint,
    expires_at: body.authority_expires_at,
    former_expires_at: null,
  });
  const keys = join(workstation.dataDir, 'keys');
  rmSync(`${keys}/authority.key`);
  const old = new LocalAuthority(keys, () => Date.now() - 650 * 86_400_000);
  await old.serverCertificate(['127.0.0.1']);
  const former = await old.state([]);
  await workstation.server.services.sharing.settingsChanged();
  const renewed = (await workstation.ask('/sharing/')).body;
  assert.equal(renewed.former_authority.fingerprint, former.fingerprint);
  assert.equal((await told()).former_expires_at, renewed.former_authority.expires_at);
  for (const trusted of [former.certificate, (await workstation.ask('/ca.crt', { token: null })).text]) {
    assert.equal((await handshake({ ca: trusted })).protocol, 'TLSv1.3');
    assert.equal((await handshake({ ca: trusted, maxVersion: 'TLSv1.2' })).protocol, 'TLSv1.2');
  }
  await workstation.ask('/settings/', { method: 'PATCH', json: { sharing: false } });
  assert.equal(await told(), null);
});
