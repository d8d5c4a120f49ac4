// The authority's certificates, judged by OpenSSL and by Node's own TLS client.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:https';
import { type AddressInfo, isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as x509 from '@peculiar/x509';
import { LocalAuthority } from '../../../server/app/local-authority.ts';
import { systemTool } from '../../fixtures/system-tools.ts';

const scratch = mkdtempSync(join(tmpdir(), 'apk-workstation-authority-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const names = ['workbench', 'workbench.local', '127.0.0.1', 'fe80::1'];
const openssl = systemTool('openssl');
const day = 86_400_000;
let made = 0;
function newFolder(): string {
  made += 1;
  const folder = join(scratch, String(made));
  mkdirSync(folder);
  return folder;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** What a thief of the authority's key would sign. */
async function stolen(folder: string, name: string, commonName = 'thief'): Promise<{ chain: string; key: string }> {
  const issuer = new x509.X509Certificate(readFileSync(join(folder, 'authority.crt'), 'utf8'));
  const der = createPrivateKey(readFileSync(join(folder, 'authority.key'))).export({ type: 'pkcs8', format: 'der' });
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${commonName}`,
    issuer: issuer.subject,
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
    signingKey: await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
    publicKey: keys.publicKey,
    signingAlgorithm: algorithm,
    extensions: [
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(name === ''
        ? []
        : [new x509.SubjectAlternativeNameExtension([{ type: isIP(name) === 0 ? 'dns' : 'ip', value: name }])]),
    ],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  return {
    chain: certificate.toString('pem'),
    key: createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

interface Trust {
  ca: string;
  chain: string;
  /** When, in milliseconds. */
  at?: number;
}

/** What OpenSSL says of a chain, whose first certificate is the server's. */
function verified({ ca, chain, at }: Trust, ...check: string[]): string {
  const folder = newFolder();
  const [trusted, server] = [join(folder, 'ca.pem'), join(folder, 'server.pem')];
  writeFileSync(trusted, ca);
  writeFileSync(server, chain);
  const when = at === undefined ? [] : ['-attime', String(Math.floor(at / 1000))];
  const words = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', trusted, '-untrusted', server];
  const { stdout, stderr } = spawnSync('openssl', [...words, ...when, ...check, server], { encoding: 'utf8' });
  return stdout + stderr;
}

/** Whether Node's client is served a page under this name. */
async function isServed(ca: string, { chain, key }: { chain: string; key: string }, name: string): Promise<true> {
  const server = createServer({ cert: chain, key }, (_request, response) => response.end('served'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await new Promise<void>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        agent: false as const,
        ca,
        ...(isIP(name) ? {} : { servername: name }),
      };
      get(options, (response) => response.resume().on('end', resolve)).on('error', reject);
    });
    return true;
  } finally {
    server.close();
  }
}

test('OpenSSL verifies the server certificate by the authority alone, for each name and address', openssl, async () => {
  const authority = new LocalAuthority(newFolder());
  const { chain } = await authority.serverCertificate(names);
  const ca = await authority.certificate();
  for (const check of [
    ['-verify_hostname', 'workbench'],
    ['-verify_hostname', 'workbench.local'],
    ['-verify_ip', '127.0.0.1'],
    ['-verify_ip', 'fe80::1'],
  ]) {
    assert.match(verified({ ca, chain }, ...check), /: OK/);
  }
  assert.match(verified({ ca, chain }, '-verify_hostname', 'elsewhere'), /hostname mismatch/i);
});

test(
  'what a thief signs with the authority’s key is believed for no name or address of the internet',
  openssl,
  async () => {
    const folder = newFolder();
    const authority = new LocalAuthority(folder);
    await authority.serverCertificate(names);
    const ca = await authority.certificate();
    for (const name of [
      'example.com',
      'workbench.example.com',
      'xworkbench',
      'com',
      '8.8.8.8',
      '2001:db8::1',
      '172.32.0.1',
    ]) {
      const certificate = await stolen(folder, name);
      assert.match(verified({ ca, ...certificate }), /permitted subtree violation/, name);
      if (isIP(name) === 0) await assert.rejects(isServed(ca, certificate, name), /permitted subtree violation/, name);
    }
    assert.match(verified({ ca, ...(await stolen(folder, '', 'example.com')) }), /permitted subtree violation/);
    for (const name of [
      'workbench',
      'workbench.local',
      'localhost',
      '10.9.8.7',
      '192.168.1.20',
      'fd12::1',
      '127.0.0.1',
    ]) {
      const certificate = await stolen(folder, name);
      assert.match(verified({ ca, ...certificate }), /: OK/, name);
      if (isIP(name) === 0 || name === '127.0.0.1') assert.equal(await isServed(ca, certificate, name), true, name);
    }
  },
);

test('the constraints are critical, and the certificate is for servers alone and lasts two years', async () => {
  const authority = new LocalAuthority(newFolder());
  const pem = await authority.certificate(names);
  const { extensions } = new x509.X509Certificate(pem);
  const constraints = extensions.find(({ type }) => type === '2.5.29.30');
  assert.equal(constraints?.critical, true);
  const certificate = new X509Certificate(pem);
  assert.equal(certificate.validToDate.getTime() - certificate.validFromDate.getTime(), 730 * day);
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  const { chain } = await authority.serverCertificate(names);
  const server = new X509Certificate(chain);
  assert.ok(server.validToDate.getTime() - server.validFromDate.getTime() <= 397 * day);
});

test('a machine that is called like a top-level domain vouches for none of its hosts', openssl, async () => {
  const folder = newFolder();
  const authority = new LocalAuthority(folder);
  const own = ['dev', 'dev.local', '10.0.0.1'];
  await authority.serverCertificate(own);
  const { certificate, uncovered } = await authority.state(own);
  assert.deepEqual(uncovered, ['dev']);
  assert.match(verified({ ca: certificate, ...(await stolen(folder, 'google.dev')) }), /permitted subtree violation/);
  assert.equal((await authority.state(own)).certificate, certificate, 'no other would do better');
});

test(
  'a machine with an address of the internet vouches for it, and for its IPv6 network, where addresses change daily',
  openssl,
  async () => {
    const folder = newFolder();
    const authority = new LocalAuthority(folder);
    await authority.serverCertificate(['workbench', '203.0.113.7', '2001:db8:1:2::77']);
    const ca = await authority.certificate();
    for (const address of ['203.0.113.7', '2001:db8:1:2:a:b:c:d']) {
      assert.match(verified({ ca, ...(await stolen(folder, address)) }), /: OK/, address);
    }
    for (const address of ['203.0.113.8', '2001:db8:1:3::77']) {
      assert.match(verified({ ca, ...(await stolen(folder, address)) }), /permitted subtree violation/, address);
    }
  },
);

test('the same names get the same certificate again, other names a new one by the same authority', async () => {
  const folder = newFolder();
  const first = await new LocalAuthority(folder).serverCertificate(names);
  const again = await new LocalAuthority(folder).serverCertificate([...names].reverse());
  assert.equal(again.fingerprint, first.fingerprint);
  const before = await new LocalAuthority(folder).fingerprint();
  const moved = await new LocalAuthority(folder).serverCertificate([...names, '10.1.2.3']);
  assert.notEqual(moved.fingerprint, first.fingerprint);
  assert.equal(await new LocalAuthority(folder).fingerprint(), before);
});

test('a name that the authority may not vouch for is told of, and stands in no certificate until there is another', async () => {
  const folder = newFolder();
  const authority = new LocalAuthority(folder);
  await authority.certificate(names);
  const wanted = [...names, 'apks.lab.example'];
  const before = await authority.serverCertificate(wanted);
  assert.deepEqual((await authority.state(wanted)).uncovered, [], 'nobody had trusted the first authority yet');
  const more = [...wanted, 'more.lab.example'];
  assert.equal((await authority.serverCertificate(more)).fingerprint, before.fingerprint);
  assert.deepEqual((await authority.state(more)).uncovered, ['more.lab.example']);
  const ca = await authority.certificate();
  await authority.replace(more);
  const { chain } = await authority.serverCertificate(more);
  assert.match(new X509Certificate(chain).subjectAltName!, /DNS:more\.lab\.example/);
  assert.notEqual(await authority.certificate(), ca);
  assert.equal(new X509Certificate(chain).verify(new X509Certificate(ca).publicKey), false);
  assert.equal(existsSync(join(folder, 'authority-former.key')), false);
});

test('a certificate is renewed a month before it lapses', async () => {
  const folder = newFolder();
  const first = await new LocalAuthority(folder).serverCertificate(names);
  const kept = await new LocalAuthority(folder, () => first.expires - 31 * day).serverCertificate(names);
  assert.equal(kept.fingerprint, first.fingerprint);
  const renewed = await new LocalAuthority(folder, () => first.expires - 29 * day).serverCertificate(names);
  assert.ok(renewed.expires > first.expires);
});

test(
  'before an authority ends another follows, and whoever trusts either is served until it does',
  openssl,
  async () => {
    const folder = newFolder();
    let now = Date.now();
    const authority = new LocalAuthority(folder, () => now);
    await authority.serverCertificate(names);
    const first = await authority.state(names);
    const trusting = (ca: string, chain: string) =>
      verified({ ca, chain, at: now }, '-verify_hostname', 'workbench.local');
    now = first.expires - 91 * day;
    assert.equal((await authority.state(names)).fingerprint, first.fingerprint);
    now = first.expires - 89 * day;
    const second = await authority.state(names);
    assert.notEqual(second.fingerprint, first.fingerprint);
    assert.deepEqual(second.former, { fingerprint: first.fingerprint, expires: first.expires });
    assert.ok(second.expires > first.expires + 500 * day);
    for (; now < first.expires; now += 20 * day) {
      const { chain, expires } = await authority.serverCertificate(names);
      assert.ok(expires > now);
      assert.match(trusting(first.certificate, chain), /: OK/);
      assert.match(trusting(second.certificate, chain), /: OK/);
      const foreign = await stolen(folder, 'example.com');
      assert.doesNotMatch(trusting(first.certificate, foreign.chain), /: OK/);
    }
    now = first.expires + day;
    const { chain } = await authority.serverCertificate(names);
    assert.match(trusting(second.certificate, chain), /: OK/);
    assert.doesNotMatch(trusting(first.certificate, chain), /: OK/);
    assert.equal((await authority.state(names)).former, null);
    now = second.expires - 89 * day;
    assert.deepEqual((await authority.state(names)).former?.fingerprint, second.fingerprint);
  },
);

test('the server sends the way from the former authority to the one that follows', async () => {
  const folder = newFolder();
  const authority = new LocalAuthority(folder);
  await authority.serverCertificate(names);
  const first = await authority.state(names);
  const later = new LocalAuthority(folder, () => first.expires - 80 * day);
  const second = await later.state(names);
  const { chain, key } = await later.serverCertificate(names);
  // The certificates are of the time to come: what counts here is the way from one to the other.
  const links = [...chain.matchAll(/-----BEGIN[\s\S]+?-----END CERTIFICATE-----/g)].map(
    ([pem]) => new X509Certificate(pem),
  );
  assert.equal(links.length, 2);
  const [server, cross] = links;
  assert.ok(server!.checkPrivateKey(createPrivateKey(key)));
  assert.ok(server!.verify(cross!.publicKey));
  assert.ok(cross!.verify(new X509Certificate(first.certificate).publicKey));
  assert.deepEqual(
    cross!.publicKey.export({ type: 'spki', format: 'der' }),
    new X509Certificate(second.certificate).publicKey.export({ type: 'spki', format: 'der' }),
  );
  assert.equal(cross!.subject, new X509Certificate(second.certificate).subject);
});

test('an authority that a clock of the future has made gives way to the one before when the clock is right again', async () => {
  const folder = newFolder();
  let now = Date.now();
  const authority = new LocalAuthority(folder, () => now);
  const server = await authority.serverCertificate(names);
  const first = await authority.fingerprint(names);
  for (const years of [1.9, 3, 30]) {
    now += years * 365 * day;
    assert.notEqual(await authority.fingerprint(names), first);
    await authority.serverCertificate(names);
    now -= years * 365 * day;
    assert.equal(await authority.fingerprint(names), first, `${years} years`);
    assert.ok((await authority.serverCertificate(names)).expires <= server.expires + day);
  }
});

test('a clock of the past changes nothing: the teammates’ clocks are right', async () => {
  const folder = newFolder();
  let now = Date.now();
  const authority = new LocalAuthority(folder, () => now);
  const server = await authority.serverCertificate(names);
  const first = await authority.state(names);
  now = 0;
  assert.equal((await authority.serverCertificate(names)).fingerprint, server.fingerprint);
  const state = await authority.state(names);
  assert.equal(state.fingerprint, first.fingerprint);
  assert.ok(state.begins > now, 'which is how it is told of');
});

/** As earlier versions made it: ten years, any name. */
async function earlierAuthority(folder: string): Promise<void> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=APK Workstation authority 12345678, O=APK Workstation',
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + 3650 * day),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const pem = createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(folder, 'authority.key'), pem);
  writeFileSync(join(folder, 'authority.crt'), certificate.toString('pem'));
}

test(
  'an authority of an earlier version serves on where it was trusted, is told of, and is replaced when asked',
  openssl,
  async () => {
    const folder = newFolder();
    await earlierAuthority(folder);
    const before = readFileSync(join(folder, 'authority.crt'), 'utf8');
    writeFileSync(join(folder, 'server.crt'), 'was served');
    const authority = new LocalAuthority(folder);
    const state = await authority.state(names);
    assert.equal(state.isUnbounded, true);
    assert.equal(state.fingerprint, new X509Certificate(before).fingerprint256);
    assert.match(verified({ ca: before, chain: (await authority.serverCertificate(names)).chain }), /: OK/);
    await authority.replace(names);
    const after = await authority.state(names);
    assert.deepEqual([after.isUnbounded, after.former], [false, null]);
    assert.match(verified({ ca: after.certificate, chain: (await authority.serverCertificate(names)).chain }), /: OK/);
  },
);

test('an authority of an earlier version that never served anybody is replaced at once', async () => {
  const folder = newFolder();
  await earlierAuthority(folder);
  assert.equal((await new LocalAuthority(folder).state(names)).isUnbounded, false);
});

test('keys and certificates that were cut off are made anew, and a copy of the folder serves as the folder does', async () => {
  const folder = newFolder();
  const authority = new LocalAuthority(folder);
  const server = await authority.serverCertificate(names);
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  assert.equal((await new LocalAuthority(copy).serverCertificate(names)).fingerprint, server.fingerprint);
  for (const name of ['server.crt', 'server.key', 'authority.key']) {
    writeFileSync(join(copy, name), readFileSync(join(copy, name)).subarray(0, 100));
    const { chain } = await new LocalAuthority(copy).serverCertificate(names);
    assert.ok(
      new X509Certificate(chain).verify(new X509Certificate(await new LocalAuthority(copy).certificate()).publicKey),
      name,
    );
  }
});

test('two first requests at a time make one authority', async () => {
  const authority = new LocalAuthority(newFolder());
  const [first, second] = await Promise.all([authority.certificate(names), authority.certificate(names)]);
  assert.equal(first, second);
});

test('a TLS client that trusts the authority is served, one that does not is not', async () => {
  const authority = new LocalAuthority(newFolder());
  const identity = await authority.serverCertificate(names);
  assert.equal(await isServed(await authority.certificate(), identity, '127.0.0.1'), true);
  const other = new LocalAuthority(newFolder());
  await assert.rejects(isServed(await other.certificate(names), identity, '127.0.0.1'), /certificate/);
});

test('keys are readable by their owner alone', async () => {
  const folder = newFolder();
  const authority = new LocalAuthority(folder);
  const { expires } = await authority.state(names);
  await authority.serverCertificate(names);
  await new LocalAuthority(folder, () => expires - day).certificate(names);
  for (const name of ['authority.key', 'authority-former.key', 'server.key']) {
    assert.equal(statSync(join(folder, name)).mode & 0o077, 0);
    assert.match(readFileSync(join(folder, name), 'utf8'), /^-----BEGIN PRIVATE KEY-----/);
  }
});
