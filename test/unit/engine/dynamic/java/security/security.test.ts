// Digests, ciphers, keys and derived keys with published values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from '../../../../../fixtures/dynamic/phone.ts';

const { call, get, make } = new Phone();
const hex = (bytes: unknown) => (bytes as Buffer).toString('hex');
const bytes = (text: string) => Buffer.from(text, 'hex');
const key = (text: string, algorithm: string) => make('javax.crypto.spec.SecretKeySpec', bytes(text), algorithm);
const noVector = make('javax.crypto.spec.IvParameterSpec', Buffer.alloc(16));

test('digests of "abc" are the published ones', () => {
  const digest = (name: string) =>
    hex(get('java.security.MessageDigest.getInstance', name).call('digest([B)[B', Buffer.from('abc')));
  assert.equal(digest('MD5'), '900150983cd24fb0d6963f7d28e17f72');
  assert.equal(digest('SHA-1'), 'a9993e364706816aba3e25717850c26c9cd0d89d');
  assert.equal(digest('sha-256'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.throws(() => digest('SHA-9'), { message: /^java\.security\.NoSuchAlgorithmException/ });
});

test('HMAC-SHA256 of RFC 4231', () => {
  const mac = get('javax.crypto.Mac.getInstance', 'HmacSHA256');
  mac.call('init', key('0b'.repeat(20), 'HmacSHA256'));
  const expected = 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7';
  assert.equal(hex(mac.call('doFinal([B)[B', Buffer.from('Hi There'))), expected);
});

test('AES of FIPS 197 by block, and by chain there and back', () => {
  const secret = key('000102030405060708090a0b0c0d0e0f', 'AES');
  const cipher = get('javax.crypto.Cipher.getInstance', 'AES/ECB/NoPadding');
  cipher.call('init', 1, secret);
  const block = cipher.call('doFinal([B)[B', bytes('00112233445566778899aabbccddeeff'));
  assert.equal(hex(block), '69c4e0d86a7b0430d8cdb78070b4c55a');
  const chained = get('javax.crypto.Cipher.getInstance', 'AES/CBC/PKCS5Padding');
  chained.call('init', 1, secret, noVector);
  const sealed = chained.call('doFinal([B)[B', Buffer.from('attack at dawn')) as Buffer;
  chained.call('init', 2, secret, noVector);
  assert.deepEqual(chained.call('doFinal([B)[B', sealed), Buffer.from('attack at dawn'));
  assert.equal(chained.call('getBlockSize'), 16);
});

test('a changed tag of GCM, a wrong padding and an unknown mode are refused', () => {
  const gcm = (mode: number) => {
    const cipher = get('javax.crypto.Cipher.getInstance', 'AES/GCM/NoPadding');
    const parameters = make('javax.crypto.spec.GCMParameterSpec', 128, Buffer.alloc(12));
    cipher.call('init', mode, key('00'.repeat(16), 'AES'), parameters);
    return cipher;
  };
  const sealed = gcm(1).call('doFinal([B)[B', Buffer.alloc(16)) as Buffer;
  assert.equal(hex(sealed), '0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf');
  sealed[31]! ^= 1;
  assert.throws(() => gcm(2).call('doFinal([B)[B', sealed), { message: /^javax\.crypto\.AEADBadTagException/ });
  const cipher = get('javax.crypto.Cipher.getInstance', 'AES/CBC/PKCS5Padding');
  cipher.call('init', 2, key('00'.repeat(16), 'AES'), noVector);
  const bad = () => cipher.call('doFinal([B)[B', Buffer.alloc(16));
  assert.throws(bad, { message: /^javax\.crypto\.BadPaddingException/ });
  const unknown = () => call('javax.crypto.Cipher.getInstance', 'AES/XYZ/NoPadding');
  assert.throws(unknown, { message: /^java\.security\.NoSuchAlgorithmException/ });
});

test('DES and RC4 of the old vectors', () => {
  const once = (transformation: string, algorithm: string, secret: string, data: Buffer) => {
    const cipher = get('javax.crypto.Cipher.getInstance', transformation);
    cipher.call('init', 1, key(secret, algorithm));
    return hex(cipher.call('doFinal([B)[B', data));
  };
  assert.equal(once('DES/ECB/NoPadding', 'DES', '133457799bbcdff1', bytes('0123456789abcdef')), '85e813540f0ab405');
  assert.equal(once('ARC4', 'ARC4', '4b6579', Buffer.from('Plaintext')), 'bbf316e8d940af0ad3');
});

test('PBKDF2 of RFC 6070', () => {
  const factory = get('javax.crypto.SecretKeyFactory.getInstance', 'PBKDF2WithHmacSHA1');
  const spec = make('javax.crypto.spec.PBEKeySpec', [...'password'], Buffer.from('salt'), 2, 160);
  assert.equal(hex(factory.get('generateSecret', spec).call('getEncoded')), 'ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957');
});

test('a key of the wrong length is refused', () => {
  const cipher = get('javax.crypto.Cipher.getInstance', 'AES/ECB/PKCS5Padding');
  const begin = () => cipher.call('init', 1, key('0011', 'AES'));
  assert.throws(begin, { message: /^java\.security\.InvalidKeyException/ });
});

test('a signature takes no null for a key', () => {
  // Golden value of OpenJDK 17.
  const signature = get(
    'java.security.Signature.getInstance(Ljava/lang/String;)Ljava/security/Signature;',
    'SHA256withRSA',
  );
  for (const init of ['initSign(Ljava/security/PrivateKey;)V', 'initVerify(Ljava/security/PublicKey;)V']) {
    assert.throws(() => signature.call(init, null), { message: /InvalidKeyException: Key must not be null/ }, init);
  }
});
