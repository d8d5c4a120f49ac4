// ASN.1 is read in BER as in DER, and never past its bounds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormatError } from '../../../../../server/engine/formats/byte-reader.ts';
import {
  encodeAsn1,
  objectIdentifier,
  octetString,
  parseAsn1,
  signedInteger,
} from '../../../../../server/engine/formats/x509/asn1.ts';
import { oid } from '../../../../fixtures/signing-keys.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const hasCode = (code: string) => (error: unknown) => error instanceof FormatError && error.code === code;

test('lengths may be longer than they need to be', () => {
  assert.deepEqual([...parseAsn1(bytes('04 83 000002 aabb')).content], [0xaa, 0xbb]);
});

test('an indefinite length ends at its end-of-contents octets, through all levels', () => {
  const element = parseAsn1(bytes('30 80 30 80 04 01 05 00 00 04 01 06 00 00 ff'));
  assert.equal(element.end, 14);
  const [inner, last] = element.children();
  assert.equal(inner?.children().length, 1);
  assert.deepEqual([...(last?.content ?? [])], [6]);
});

test('an octet string in pieces is put together', () => {
  assert.deepEqual([...octetString(parseAsn1(bytes('24 80 04 02 0102 04 01 03 00 00')))], [1, 2, 3]);
});

test('object identifiers of every size are written with dots', () => {
  for (const text of ['1.2.840.113549.1.1.11', '2.5.4.3', '0.9.2342.19200300.100.1.25', '2.16.840.1.101.3.4.2.1']) {
    assert.equal(objectIdentifier(parseAsn1(oid(text))), text);
  }
  assert.equal(objectIdentifier(parseAsn1(bytes('06 03 88 37 03'))), '2.999.3');
  const uuid = objectIdentifier(parseAsn1(bytes('06 14 69 83f8 e59d e1bc a5ea 87d4 99b0 8d9f e2ab c8d3 01')));
  assert.match(uuid, /^2\.25\.\d{30,}/);
});

test('integers may be negative', () => {
  assert.equal(signedInteger(bytes('ff')), -1n);
  assert.equal(signedInteger(bytes('00ff')), 255n);
  assert.equal(signedInteger(new Uint8Array(0)), 0n);
});

test('tag numbers past 30 take further octets', () => {
  assert.equal(parseAsn1(bytes('bf 8148 00')).tagNumber, 200);
  assert.throws(() => parseAsn1(bytes('bf ff ff ff ff ff 7f 00')), hasCode('asn1-tag'));
});

test('an element that is longer than its container is refused', () => {
  assert.throws(() => parseAsn1(bytes('04 05 00')), hasCode('asn1-truncated'));
  assert.throws(() => parseAsn1(bytes('30 03 04 05 00')).children(), hasCode('asn1-truncated'));
  assert.throws(() => parseAsn1(bytes('04 88 ffffffffffffffff')), hasCode('asn1-truncated'));
  assert.throws(() => parseAsn1(bytes('30 80 04 01 05')), hasCode('asn1-truncated'));
  assert.throws(() => parseAsn1(new Uint8Array(0)), hasCode('asn1-truncated'));
});

test('a primitive element of indefinite length is refused', () => {
  assert.throws(() => parseAsn1(bytes('04 80 00 00')), hasCode('asn1-length'));
});

test('a tower of elements is refused before the stack ends', () => {
  let tower: Buffer = Buffer.alloc(0);
  for (let level = 0; level < 5000; level++) tower = encodeAsn1(0x30, tower);
  const descend = () => {
    for (let element = parseAsn1(tower); ; element = element.children()[0]!);
  };
  assert.throws(descend, hasCode('asn1-depth'));
  assert.throws(() => parseAsn1(Buffer.alloc(200_000, Buffer.from([0x30, 0x80]))), hasCode('asn1-depth'));
});

test('a set of countless parts is refused', () => {
  assert.throws(() => parseAsn1(encodeAsn1(0x31, Buffer.alloc(200_000))).children(), hasCode('asn1-children'));
});

test('an encoded element reads back', () => {
  for (const length of [0, 1, 127, 128, 255, 256, 70_000]) {
    assert.equal(parseAsn1(encodeAsn1(4, Buffer.alloc(length))).content.length, length);
  }
});
