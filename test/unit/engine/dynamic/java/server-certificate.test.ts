import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { serverCertificate } from '../../../../../server/engine/dynamic/java/net/server-certificate.ts';

test('a server shows a certificate of its own name or address, as OpenSSL reads it', () => {
  const named = new X509Certificate(serverCertificate('c2.example.org'));
  assert.equal(named.checkHost('c2.example.org'), 'c2.example.org');
  assert.equal(named.checkHost('other.example.org'), undefined);
  assert.deepEqual([named.subject, named.subjectAltName], ['CN=c2.example.org', 'DNS:c2.example.org']);
  assert.equal(new X509Certificate(serverCertificate('203.0.113.9')).checkIP('203.0.113.9'), '203.0.113.9');
});

test('whatever an app calls a host, its certificate can be read', () => {
  for (const host of ['', '::1', '999.1.1.1', 'é'.repeat(300), 'a'.repeat(70_000), '\0\n", DNS:x', '\ud800']) {
    assert.equal(new X509Certificate(serverCertificate(host)).publicKey.type, 'public');
  }
});
