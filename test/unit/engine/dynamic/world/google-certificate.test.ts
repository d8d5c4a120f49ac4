import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { googleCertificate } from '../../../../../server/engine/dynamic/world/google-certificate.ts';

// openssl x509 -inform der -noout -subject -fingerprint -sha1
test('Play Store and Play services are signed with the certificate that apps look for', () => {
  const certificate = new X509Certificate(Buffer.from(googleCertificate));
  assert.match(certificate.subject, /CN=Android/);
  assert.match(certificate.subject, /O=Google Inc\./);
  const sha1 = createHash('sha1').update(googleCertificate).digest('hex');
  assert.equal(sha1, '38918a453d07199354f8b19af05ec6562ced5788');
});
