// The authority's certificates, judged by OpenSSL and by Node's own TLS client.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { LocalAuthority } from '../../../server/app/local-authority.ts';
import { systemTool } from '../../fixtures/system-tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-authority-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const names = ['workbench', 'workbench.local', '127.0.0.1', 'fe80::1'];
const openssl = systemTool('openssl');

test('OpenSSL verifies the server certificate by the authority alone, for each name and address', openssl, async () => {
  const authority = new LocalAuthority(folder);
  const { chain } = await authority.serverCertificate(names);
  const [ca, server] = [join(folder, 'ca.pem'), join(folder, 'one.pem')];
  writeFileSync(ca, await authority.certificate());
  writeFileSync(server, chain);
  for (const check of [
    ['-verify_hostname', 'workbench.local'],
    ['-verify_ip', '127.0.0.1'],
    ['-verify_ip', 'fe80::1'],
  ]) {
    const answer = execFileSync('openssl', [
      'verify',
      '-x509_strict',
      '-purpose',
      'sslserver',
      '-CAfile',
      ca,
      ...check,
      server,
    ]);
    assert.match(answer.toString(), /: OK/);
  }
  assert.throws(() =>
    execFileSync('openssl', ['verify', '-CAfile', ca, '-verify_hostname', 'elsewhere', server], { stdio: 'pipe' }),
  );
});

test('the same names get the same certificate again, other names a new one by the same authority', async () => {
  const first = await new LocalAuthority(folder).serverCertificate(names);
  const again = await new LocalAuthority(folder).serverCertificate([...names].reverse());
  assert.equal(again.fingerprint, first.fingerprint);
  const before = await new LocalAuthority(folder).fingerprint();
  const moved = await new LocalAuthority(folder).serverCertificate([...names, '10.1.2.3']);
  assert.notEqual(moved.fingerprint, first.fingerprint);
  assert.equal(await new LocalAuthority(folder).fingerprint(), before);
});

test('a certificate is renewed a month before it lapses', async () => {
  const first = await new LocalAuthority(folder).serverCertificate(names);
  const later = () => first.expires - 29 * 86_400_000;
  const renewed = await new LocalAuthority(folder, later).serverCertificate(names);
  assert.ok(renewed.expires > first.expires);
});

test('a TLS client that trusts the authority is served, one that does not is not', async () => {
  const authority = new LocalAuthority(mkdtempSync(join(folder, 'served-')));
  const { chain, key } = await authority.serverCertificate(names);
  const ca = await authority.certificate();
  const server = createServer({ cert: chain, key }, (_request, response) => response.end('served'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = (trusted?: string) =>
    new Promise<number>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, agent: false, ...(trusted === undefined ? {} : { ca: trusted }) };
      get(options, (response) => resolve(response.resume().statusCode!)).on('error', reject);
    });
  try {
    assert.equal(await ask(ca), 200);
    await assert.rejects(ask(), /certificate/);
  } finally {
    server.close();
  }
});

test('keys are readable by their owner alone', () => {
  for (const name of ['authority.key', 'server.key']) {
    assert.equal(statSync(join(folder, name)).mode & 0o077, 0);
    assert.match(readFileSync(join(folder, name), 'utf8'), /^-----BEGIN PRIVATE KEY-----/);
  }
});
