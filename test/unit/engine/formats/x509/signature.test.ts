// Signatures verify by OpenSSL, and by arithmetic alone where OpenSSL refuses.
import assert from 'node:assert/strict';
import { constants, sign } from 'node:crypto';
import { test } from 'node:test';
import { encodeAsn1 } from '../../../../../server/engine/formats/x509/asn1.ts';
import { parsePublicKey } from '../../../../../server/engine/formats/x509/public-key.ts';
import {
  type HashName,
  isSignatureByArithmetic,
  isSignatureValid,
  type SignatureKind,
} from '../../../../../server/engine/formats/x509/signature.ts';
import { signingKey } from '../../../../fixtures/signing-keys.ts';

const data = Buffer.from('what is signed');
const hashes: readonly HashName[] = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];

function signed(id: string, hash: HashName, isPss: boolean) {
  const { privateKey, spki, algorithm } = signingKey(id);
  const padding = isPss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  const kind: SignatureKind = { key: algorithm, hash, isPss };
  return { key: parsePublicKey(spki), kind, signature: sign(hash, data, { key: privateKey, ...padding }) };
}

const cases: readonly (readonly [string, boolean])[] = [
  ['rsa-1024', false],
  ['rsa-2048', false],
  ['rsa-2048', true],
  ['rsa-4096', true],
  ['dsa-1024', false],
  ['dsa-3072', false],
];

for (const [id, isPss] of cases) {
  test(`${id}${isPss ? ' with PSS' : ''} verifies by OpenSSL and by arithmetic with every hash`, () => {
    // Neither Android nor OpenSSL knows DSA with MD5.
    for (const name of hashes.filter((each) => each !== 'md5' || id.startsWith('rsa'))) {
      const { key, kind, signature } = signed(id, name, isPss);
      const wrong = Buffer.from(signature);
      wrong[wrong.length - 1]! ^= 1;
      for (const check of [isSignatureValid, isSignatureByArithmetic]) {
        assert.equal(check(key, kind, data, signature), true, name);
        assert.equal(check(key, kind, data, wrong), false, name);
        assert.equal(check(key, kind, Buffer.from('something else'), signature), false, name);
        assert.equal(check(key, kind, data, signature.subarray(1)), false, name);
        assert.equal(check(key, kind, data, Buffer.alloc(signature.length)), false, name);
        assert.equal(check(key, kind, data, Buffer.alloc(signature.length, 0xff)), false, name);
      }
    }
  });
}

test('PSS with another salt length, and PKCS #1 in place of PSS, are refused either way', () => {
  const { privateKey, spki } = signingKey('rsa-2048');
  const key = parsePublicKey(spki);
  const pss: SignatureKind = { key: 'RSA', hash: 'sha256', isPss: true };
  const short = sign('sha256', data, { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 10 });
  for (const check of [isSignatureValid, isSignatureByArithmetic]) {
    assert.equal(check(key, pss, data, short), false);
    assert.equal(check(key, pss, data, sign('sha256', data, privateKey)), false);
  }
});

test('an RSA signature without its leading zero is refused either way', () => {
  const { privateKey, spki } = signingKey('rsa-1024');
  const key = parsePublicKey(spki);
  const kind: SignatureKind = { key: 'RSA', hash: 'sha256', isPss: true };
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  let signature: Buffer;
  do signature = sign('sha256', data, { key: privateKey, ...padding });
  while (signature[0] !== 0);
  assert.equal(isSignatureValid(key, kind, data, signature), true);
  assert.equal(isSignatureValid(key, kind, data, signature.subarray(1)), false);
  assert.equal(isSignatureByArithmetic(key, kind, data, signature.subarray(1)), false);
});

test('a key of another algorithm verifies nothing', () => {
  const { kind, signature } = signed('rsa-2048', 'sha256', false);
  assert.equal(isSignatureValid(parsePublicKey(signingKey('ec-p256').spki), kind, data, signature), false);
});

test('EC signatures verify on all three curves', () => {
  for (const id of ['ec-p256', 'ec-p384', 'ec-p521']) {
    const { key, kind, signature } = signed(id, 'sha512', false);
    assert.equal(isSignatureValid(key, kind, data, signature), true);
    assert.equal(isSignatureValid(key, kind, data, signature.subarray(0, -1)), false);
  }
});

test('a key whose modulus is even, as no key has it, is refused before its arithmetic is done', () => {
  const integer = (...octets: number[]) => encodeAsn1(0x02, Buffer.from(octets));
  const sequence = (...parts: Uint8Array[]) => encodeAsn1(0x30, ...parts);
  const large = Buffer.alloc(1250, 0xfe);
  const order = [0, ...Buffer.alloc(32, 0xff)];
  const parameters = sequence(encodeAsn1(0x02, large), integer(...order), integer(2));
  const dsa = sequence(encodeAsn1(0x06, Buffer.from('2a8648ce380401', 'hex')), parameters);
  const key = parsePublicKey(sequence(dsa, encodeAsn1(0x03, Buffer.from([0]), integer(2))));
  const kind: SignatureKind = { key: 'DSA', hash: 'sha256', isPss: false };
  const signature = sequence(integer(1), integer(1));
  const start = process.cpuUsage();
  for (let left = 100; left > 0; left--) assert.equal(isSignatureValid(key, kind, data, signature), false);
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 500_000, `${user + system} microseconds`);
});
