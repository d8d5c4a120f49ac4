// Certificates are read as OpenSSL reads them, and where it gives up, as far as they go.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { FormatError } from '../../../../../server/engine/formats/byte-reader.ts';
import { parseCertificate } from '../../../../../server/engine/formats/x509/certificate.ts';
import { isSameName } from '../../../../../server/engine/formats/x509/distinguished-name.ts';
import {
  type CertificatePlan,
  der,
  makeCertificate,
  name,
  oid,
  seq,
  set,
  signingKey,
} from '../../../../fixtures/signing-keys.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';

const key = signingKey('ec-p256');
const recordOf = (plan: CertificatePlan, id = 'ec-p256') =>
  parseCertificate(makeCertificate(signingKey(id), plan)).record();
const generalized = (text: string): Buffer => der(24, Buffer.from(text));
const utc = (text: string): Buffer => der(23, Buffer.from(text));

const android = name([
  ['2.5.4.6', 'US'],
  ['2.5.4.8', 'California'],
  ['2.5.4.7', 'Mountain View'],
  ['2.5.4.10', 'Android'],
  ['2.5.4.11', 'Android'],
  ['2.5.4.3', 'Android'],
  ['1.2.840.113549.1.9.1', 'android@android.com', 22],
  ['2.5.4.5', '42'],
  ['0.9.2342.19200300.100.1.25', 'example'],
  ['2.5.4.65', 'nick'],
]);

const plans: readonly (readonly [string, CertificatePlan, string?])[] = [
  ['a usual one', {}],
  ['a name with all usual attributes', { subject: android }],
  [
    'an issuer of its own',
    {
      subject: android,
      issuer: name([
        ['2.5.4.3', 'Issuer'],
        ['2.5.4.10', 'Company, Inc.'],
      ]),
    },
  ],
  ['a long serial number', { serial: [0, 0x93, 0x6e, 0xac, 0xbe, 0x07, 0xf2, 0x01, 0xdf] }],
  ['a time after 2049', { notAfter: generalized('20700301025251Z') }],
  ['a time before 2000', { notBefore: utc('991231235959Z') }],
  ['an RSA key', {}, 'rsa-3072'],
  ['a DSA key', {}, 'dsa-2048'],
  ['a key on another curve', {}, 'ec-p521'],
];

const openssl = systemTool('openssl');

test('serial, names, times and fingerprint are those that OpenSSL prints', { skip: openssl.skip }, () => {
  for (const [title, plan, id = 'ec-p256'] of plans) {
    const certificate = makeCertificate(signingKey(id), plan);
    const options = ['-serial', '-subject', '-issuer', '-startdate', '-enddate', '-fingerprint', '-sha1'];
    const words = ['x509', '-inform', 'DER', '-noout', '-nameopt', 'compat', ...options];
    const text = execFileSync(openssl.path!, words, { input: certificate, encoding: 'utf8' });
    const value = (field: string) => new RegExp(`^${field}=\\s*(.*)$`, 'im').exec(text)?.[1] ?? '';
    const record = parseCertificate(certificate).record();
    assert.equal(record.serial.padStart(value('serial').length, '0'), value('serial'), title);
    assert.equal(record.subjectDN, value('subject'), title);
    assert.equal(record.issuerDN, value('issuer'), title);
    assert.equal(record.not_before, value('notBefore').replace(/\s+/g, ' '), title);
    assert.equal(record.not_after, value('notAfter').replace(/\s+/g, ' '), title);
    assert.equal(record.sha1, value('sha1 fingerprint').replaceAll(':', ''), title);
  }
});

test('a day of one digit stands behind one blank', () => {
  const record = recordOf({ notBefore: utc('150529025251Z'), notAfter: generalized('20700301025251Z') });
  assert.equal(record.not_before, 'May 29 02:52:51 2015 GMT');
  assert.equal(record.not_after, 'Mar 1 02:52:51 2070 GMT');
});

test('keys are named with their size or curve', () => {
  assert.equal(recordOf({}, 'rsa-4096').public_key, 'RSA 4096');
  assert.equal(recordOf({}, 'dsa-1024').public_key, 'DSA 1024');
  assert.equal(recordOf({}, 'ec-p256').public_key, 'EC secp256r1');
  assert.equal(recordOf({}, 'ec-p521').public_key, 'EC secp521r1');
  assert.equal(recordOf({}, 'rsa-1024').signature_algorithm, 'SHA256withRSA');
});

test('serial numbers may be zero or negative', () => {
  assert.equal(recordOf({ serial: [0] }).serial, '0');
  assert.equal(recordOf({ serial: [0xfb] }).serial, '-5');
  assert.equal(recordOf({ serial: [0x17, 0xe0, 0x3d, 0x09] }).serial, '17E03D09');
});

test('names keep the letters of every script, whatever string type they hide in', () => {
  const utf16 = Buffer.from('快播', 'utf16le').swap16();
  const cases: readonly (readonly [string | Buffer, number, string])[] = [
    ['成人快播', 12, '成人快播'],
    [Buffer.from('成人快播'), 19, '成人快播'],
    [utf16, 30, '快播'],
    [Buffer.from([0x4d, 0xfc, 0x6c, 0x6c]), 20, 'Müll'],
    [Buffer.from([0xb3, 0xc9, 0xc8, 0xcb]), 19, '³ÉÈË'],
    [Buffer.from([0, 1, 0xf6, 0x00]), 28, '😀'],
    ['a\nb\0', 12, 'a\\x0Ab\\x00'],
  ];
  for (const [value, stringTag, text] of cases) {
    assert.equal(recordOf({ subject: name([['2.5.4.10', value, stringTag]]) }).subjectDN, `/O=${text}`);
  }
});

test('an attribute without a short name stands under its identifier', () => {
  assert.equal(recordOf({ subject: name([['1.2.3.4', 'x']]) }).subjectDN, '/1.2.3.4=x');
});

test('several attributes of one part of a name all stand in the line', () => {
  const pair = (type: string, value: string) => seq(oid(type), der(12, Buffer.from(value)));
  const subject = seq(set(pair('2.5.4.3', 'a'), pair('2.5.4.11', 'b')), set(pair('2.5.4.10', 'c')));
  assert.equal(recordOf({ subject }).subjectDN, '/CN=a/OU=b/O=c');
});

test('the company is the organization, and the common name is at hand', () => {
  const certificate = parseCertificate(makeCertificate(key, { subject: android }));
  assert.equal(certificate.organization(), 'Android');
  assert.equal(certificate.commonName(), 'Android');
  const blank = parseCertificate(makeCertificate(key, { subject: name([['2.5.4.10', '  ']]) }));
  assert.equal(blank.organization(), null);
  assert.equal(blank.commonName(), null);
});

test('times in odd notations are converted, and what is no time is shown as it is', () => {
  const cases: readonly (readonly [Buffer, string])[] = [
    [utc('2001010000Z'), 'Jan 1 00:00:00 2020 GMT'],
    [utc('200101080000+0800'), 'Jan 1 00:00:00 2020 GMT'],
    [generalized('20200101000000.5Z'), 'Jan 1 00:00:00 2020 GMT'],
    [generalized('00000101000000Z'), 'Jan 1 00:00:00 0 GMT'],
    [utc('not a time'), 'not a time'],
    [utc('470666673724Z'), '470666673724Z'],
    [utc('201301000000Z'), '201301000000Z'],
    [utc('200101240000Z'), '200101240000Z'],
    [utc(''), ''],
  ];
  for (const [time, text] of cases) assert.equal(recordOf({ notBefore: time }).not_before, text);
});

test('a key usage and an unknown critical extension are seen', () => {
  const usage = der(3, Buffer.from([6, 0x40]));
  const plan = {
    extensions: [
      ['2.5.29.15', true, usage],
      ['1.2.3.4', true, der(5)],
    ] as const,
  };
  const certificate = parseCertificate(makeCertificate(key, plan));
  assert.deepEqual(certificate.keyUsage, { digitalSignature: false, nonRepudiation: true });
  assert.equal(certificate.hasUnknownCriticalExtension, true);
});

test('bytes behind the certificate count for its fingerprint, as on Android', () => {
  const encoded = makeCertificate(key);
  const longer = parseCertificate(Buffer.concat([encoded, Buffer.from('tail')]));
  assert.notEqual(longer.record().sha1, parseCertificate(encoded).record().sha1);
});

test('names are the same whatever string types and letter cases they are written in', () => {
  const subject = (text: string, stringTag: number) =>
    parseCertificate(makeCertificate(key, { subject: name([['2.5.4.3', text, stringTag]]) })).subject;
  assert.ok(isSameName(subject('Some  Body', 12), subject('some body', 19)));
  assert.ok(!isSameName(subject('Some Body', 12), subject('Somebody', 12)));
});

test('what is no certificate is refused, wherever it breaks off', () => {
  const encoded = makeCertificate(key);
  for (let length = 0; length < encoded.length; length += 7) {
    assert.throws(() => parseCertificate(encoded.subarray(0, length)), FormatError);
  }
  assert.throws(() => parseCertificate(seq()), FormatError);
  assert.throws(() => parseCertificate(seq(seq(), seq())), FormatError);
});

test('a time that cannot be and an algorithm that is none make a certificate that no verifier takes', () => {
  const deviationOf = (encoded: Buffer) => parseCertificate(encoded).deviation;
  assert.equal(deviationOf(makeCertificate(key)), null);
  assert.equal(deviationOf(makeCertificate(key, { notAfter: utc('470666673724Z') })), 'a time is malformed');
  const rsa = makeCertificate(signingKey('rsa-1024'));
  const algorithm = rsa.indexOf(oid('1.2.840.113549.1.1.11'));
  rsa[algorithm + 10]! |= 0x80;
  assert.equal(deviationOf(rsa), 'the signature algorithm is malformed');
});

test('a flipped bit anywhere makes another certificate or none, and nothing worse', () => {
  const encoded = makeCertificate(signingKey('rsa-1024'), { subject: android });
  for (let at = 0; at < encoded.length; at++) {
    const copy = Buffer.from(encoded);
    copy[at]! ^= 1 << (at % 8);
    try {
      parseCertificate(copy).record();
    } catch (error) {
      assert.ok(error instanceof FormatError, `byte ${at}: ${error}`);
    }
  }
});
