// Hostile signatures cost bounded time and memory, and never more than a verdict.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { parseManifest } from '../../../../../server/engine/formats/apk-signature/jar-manifest.ts';
import { readSigner, verifySignatures } from '../../../../../server/engine/formats/apk-signature/verify.ts';
import { FormatError } from '../../../../../server/engine/formats/byte-reader.ts';
import { openZip } from '../../../../../server/engine/formats/zip/archive.ts';
import { memorySource } from '../../../../../server/vault/byte-source.ts';
import {
  apkFiles,
  pairId,
  prefixed,
  signedApk,
  u32,
  usualSigner,
  v2Pair,
  v3Pair,
} from '../../../../fixtures/apk-signing.ts';
import { jarSignature } from '../../../../fixtures/jar-signing.ts';
import { der, oid, seq, set, signingKey } from '../../../../fixtures/signing-keys.ts';
import { buildZip, type ZipEntryPlan } from '../../../../fixtures/zip-builder.ts';

/** Verifies, and says how long it took in milliseconds of CPU. */
function cost(apk: Buffer, minSdk: number): { verified: boolean; codes: string[]; milliseconds: number } {
  const start = process.cpuUsage();
  const archive = openZip(memorySource(apk), new Findings());
  const report = verifySignatures(archive, minSdk);
  readSigner(archive);
  const { user, system } = process.cpuUsage(start);
  const errors = [...report.errors, ...report.schemes.flatMap((scheme) => scheme.errors)];
  return { verified: report.verified, codes: errors.map(({ code }) => code), milliseconds: (user + system) / 1000 };
}

const generous = 20_000;

test('no flipped bit of a signing block does more than change the verdict', () => {
  const apk = signedApk({}, (zip) => [v2Pair(zip, usualSigner()), v3Pair(zip, usualSigner())]);
  const start = apk.indexOf('AndroidManifest.xml') - 30;
  const block = apk.lastIndexOf('APK Sig Block 42');
  for (let at = block + 15; at > start; at -= 5) {
    const copy = Buffer.from(apk);
    copy[at]! ^= 0x80;
    let archive: ReturnType<typeof openZip>;
    try {
      archive = openZip(memorySource(copy), new Findings());
    } catch (error) {
      assert.ok(error instanceof FormatError);
      continue;
    }
    assert.equal(typeof verifySignatures(archive, 24).verified, 'boolean');
    readSigner(archive);
  }
});

test('no flipped byte of a JAR signature does more than change the verdict', () => {
  const files = apkFiles({ minSdk: 18 });
  const signature = jarSignature(files, {
    signers: [{ infos: [{ key: signingKey('rsa-1024'), hash: 'sha256', attributes: {} }] }],
  });
  for (const target of signature) {
    const content = target.content as Buffer;
    for (let at = 0; at < content.length; at += 3) {
      const copy = Buffer.from(content);
      copy[at]! ^= 0xff;
      const entries = [...files, ...signature.map((entry) => (entry === target ? { ...entry, content: copy } : entry))];
      const archive = openZip(memorySource(buildZip({ entries })), new Findings());
      assert.equal(typeof verifySignatures(archive, 19).verified, 'boolean');
      readSigner(archive);
    }
  }
});

test('a block of countless signers, signatures, digests or attributes ends early', () => {
  const many = (bytes: Buffer, length: number): Buffer => Buffer.alloc(length, bytes);
  const blocks: readonly Buffer[] = [
    prefixed(many(prefixed(), 4_000_000)),
    prefixed(prefixed(prefixed(), prefixed(many(prefixed(u32(0x0103), prefixed()), 4_000_000)), prefixed())),
    prefixed(prefixed(prefixed(many(prefixed(), 4_000_000)), prefixed(), prefixed())),
  ];
  for (const block of blocks) {
    const { verified, milliseconds } = cost(
      signedApk({}, () => [[pairId.v2, block]]),
      24,
    );
    assert.equal(verified, false);
    assert.ok(milliseconds < generous, `${milliseconds} ms`);
    const v3 = cost(
      signedApk({}, () => [[pairId.v3, block]]),
      28,
    );
    assert.ok(!v3.verified && v3.milliseconds < generous, `${v3.milliseconds} ms`);
  }
});

test('a signing block of countless pairs ends early', () => {
  const pairs = Array.from({ length: 30_000 }, () => [1, new Uint8Array(0)] as const);
  const { verified, milliseconds } = cost(
    signedApk({}, () => pairs),
    24,
  );
  assert.ok(!verified && milliseconds < generous, `${milliseconds} ms`);
});

const withMeta = (...entries: ZipEntryPlan[]): Buffer =>
  buildZip({ entries: [...apkFiles({ minSdk: 18 }), ...entries] });

test('a manifest of countless sections, attributes or lines ends early', () => {
  for (const unit of ['a\n\n', 'a\n', 'a: b\r\n', '\n', ' \n', 'Name: x\n\n']) {
    const content = Buffer.alloc(12_000_000, unit);
    const start = process.cpuUsage();
    try {
      parseManifest(content);
    } catch (error) {
      assert.ok(error instanceof FormatError);
    }
    const { user } = process.cpuUsage(start);
    assert.ok(user / 1000 < generous, `${JSON.stringify(unit)}: ${user / 1000} ms`);
  }
});

test('a signature block that nests without end or has countless parts ends early', () => {
  let tower: Buffer = seq();
  for (let level = 0; level < 2000; level++) tower = seq(tower);
  const wrap = (body: Buffer): Buffer => seq(oid('1.2.840.113549.1.7.2'), der(0xa0, body));
  const blocks = [
    tower,
    wrap(tower),
    wrap(seq(der(2, Buffer.from([1])), set(), seq(oid('1.2.3')), der(0xa0, Buffer.alloc(2_000_000)), set())),
    Buffer.alloc(3_000_000, Buffer.from([0x30, 0x80])),
  ];
  for (const content of blocks) {
    const meta = ['META-INF/MANIFEST.MF', 'META-INF/CERT.SF'].map((name) => ({
      name,
      content: 'Signature-Version: 1.0\n\n',
    }));
    const { verified, codes, milliseconds } = cost(withMeta(...meta, { name: 'META-INF/CERT.RSA', content }), 18);
    assert.equal(verified, false);
    assert.ok(codes.includes('jar-sig-parse-exception'), codes.join());
    assert.ok(milliseconds < generous, `${milliseconds} ms`);
  }
});

test('a key with a number of a million digits is no key', () => {
  const number = der(2, Buffer.alloc(400_000, 0x7f));
  const spki = seq(seq(oid('1.2.840.113549.1.1.1'), der(5)), der(3, Buffer.from([0]), seq(number, number)));
  const { codes, milliseconds } = cost(
    signedApk({}, (zip) => [
      v2Pair(zip, usualSigner({ publicKey: spki, signatureIds: [0x0103], digestIds: [0x0103] })),
    ]),
    24,
  );
  assert.ok(codes.includes('v2-sig-malformed-public-key'), codes.join());
  assert.ok(milliseconds < generous, `${milliseconds} ms`);
});
