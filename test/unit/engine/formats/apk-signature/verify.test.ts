// The report of a verification: which scheme says what, who signed, and what the signing block holds.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { signatureReportSchema } from '../../../../../server/contract/engine/reports.ts';
import { Findings } from '../../../../../server/engine/findings.ts';
import {
  readSigner,
  signatureName,
  type VerifyOptions,
  verifySignatures,
} from '../../../../../server/engine/formats/apk-signature/verify.ts';
import { openZip } from '../../../../../server/engine/formats/zip/archive.ts';
import { fileSource, memorySource } from '../../../../../server/vault/byte-source.ts';
import {
  apkFiles,
  apkZip,
  contentDigest,
  lineageAttribute,
  pairId,
  prefixed,
  rotationAttribute,
  type SignerPlan,
  type SigningPair,
  signedApk,
  signWith,
  u32,
  usualSigner,
  v2Pair,
  v3Pair,
  v31Pair,
} from '../../../../fixtures/apk-signing.ts';
import { jarSignature } from '../../../../fixtures/jar-signing.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';
import { type SigningKey, signingKey } from '../../../../fixtures/signing-keys.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';
import { buildZip } from '../../../../fixtures/zip-builder.ts';

const open = (apk: Buffer) => openZip(memorySource(apk), new Findings());
const verify = (apk: Buffer, minSdk: number | null, options?: VerifyOptions) =>
  signatureReportSchema.parse(verifySignatures(open(apk), minSdk, options));
const schemeOf = (report: ReturnType<typeof verify>, scheme: string) =>
  report.schemes.find((each) => each.scheme === scheme)!;

const oldKey = signingKey('rsa-1024');
const newKey = signingKey('rsa-2048');
const rsaSigner = (key: SigningKey, more: Partial<SignerPlan> = {}): SignerPlan => ({
  key,
  algorithms: ['rsa-pkcs1-sha256'],
  ...more,
});

test('every scheme has its verdict, present or not', () => {
  const report = verify(
    signedApk({}, (zip) => [v2Pair(zip, usualSigner())]),
    24,
  );
  assert.deepEqual(
    report.schemes.map(({ scheme, present, verified }) => [scheme, present, verified]),
    [
      ['v1', false, null],
      ['v2', true, true],
      ['v3', false, null],
      ['v3.1', false, null],
      ['v4', false, null],
    ],
  );
  assert.deepEqual(schemeOf(report, 'v2').signers[0]?.algorithms, ['SHA256_WITH_ECDSA']);
  assert.equal(report.min_sdk_version, 24);
});

test('an older scheme that no platform looks at is reported as it claims to be, unchecked', () => {
  const plan = { minSdk: 28, targetSdk: 28 };
  const jar = jarSignature(apkFiles(plan), { signers: [{ infos: [{ key: newKey, hash: 'sha1' }] }] });
  const apk = signedApk({ ...plan, signatureFiles: jar }, (zip) => [
    v2Pair(zip, rsaSigner(newKey, { isSignatureWrong: true })),
    v3Pair(zip, rsaSigner(newKey)),
  ]);
  const report = verify(apk, 28);
  assert.equal(report.verified, true);
  for (const scheme of ['v1', 'v2']) {
    const verdict = schemeOf(report, scheme);
    assert.equal(verdict.present, true);
    assert.equal(verdict.verified, null);
    assert.deepEqual(verdict.errors, []);
    assert.equal(verdict.signers[0]?.certificates[0]?.public_key, 'RSA 2048');
  }
  assert.deepEqual(schemeOf(report, 'v1').signers[0]?.algorithms, ['SHA1_WITH_RSA']);
});

test('a broken scheme still names the signer it claims', () => {
  const report = verify(
    signedApk({}, (zip) => [v2Pair(zip, usualSigner({ isSignatureWrong: true }))]),
    24,
  );
  assert.equal(report.verified, false);
  assert.equal(report.signers[0]?.[0]?.subjectDN, '/CN=ec-p256');
});

test('the signers are those that the newest platform goes by, and the lineage leads to them', () => {
  const lineage = lineageAttribute([{ key: oldKey, flags: 0x0b }, { key: newKey }]);
  const apk = signedApk({}, (zip) => [
    v2Pair(zip, rsaSigner(oldKey)),
    v3Pair(zip, rsaSigner(oldKey, { attributes: [rotationAttribute(33)], maxSdk: 32 })),
    v31Pair(zip, rsaSigner(newKey, { attributes: [lineage], minSdk: 33 })),
  ]);
  const report = verify(apk, 24);
  assert.equal(report.verified, true);
  assert.deepEqual(
    report.signers.map((chain) => chain.map(({ subjectDN }) => subjectDN)),
    [['/CN=rsa-2048']],
  );
  assert.deepEqual(
    report.lineage.map(({ certificate, flags }) => [certificate.subjectDN, flags]),
    [
      ['/CN=rsa-1024', ['installed-data', 'shared-uid', 'rollback']],
      ['/CN=rsa-2048', ['installed-data', 'shared-uid', 'permission', 'auth']],
    ],
  );
  const [signer] = schemeOf(report, 'v3.1').signers;
  assert.deepEqual([signer?.min_sdk_version, signer?.max_sdk_version], [33, 0x7fffffff]);
  assert.equal(readSigner(open(apk))?.scheme, 'v3.1');
  assert.equal(readSigner(open(apk))?.certificate.commonName(), 'rsa-2048');
});

test('several signers each have their chain, their own certificate first', () => {
  const apk = signedApk({}, (zip) => [
    v2Pair(
      zip,
      usualSigner({ certificates: [signingKey('ec-p256').certificate, oldKey.certificate] }),
      rsaSigner(newKey),
    ),
  ]);
  assert.deepEqual(
    verify(apk, 24).signers.map((chain) => chain.map(({ subjectDN }) => subjectDN)),
    [['/CN=ec-p256', '/CN=rsa-1024'], ['/CN=rsa-2048']],
  );
});

test('the pairs of the signing block are listed with the names that are known', () => {
  const apk = signedApk({}, (zip) => [
    v2Pair(zip, usualSigner()),
    [0x2146444e, Buffer.alloc(5)],
    [0x504b4453, Buffer.alloc(6)],
    [0x12345678, Buffer.alloc(7)],
  ]);
  assert.deepEqual(verify(apk, 24).signing_block.slice(1), [
    { id: '0x2146444e', name: 'Google Play frosting', size: 5 },
    { id: '0x504b4453', name: 'dependency info', size: 6 },
    { id: '0x12345678', name: '', size: 7 },
  ]);
});

test('a signing block that Android overlooks is reported', () => {
  const apk = signedApk({}, (zip) => [v2Pair(zip, usualSigner())], { lies: { headerSize: 4242 } });
  const { present, warnings } = schemeOf(verify(apk, 24), 'v2');
  assert.equal(present, false);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['malformed-signing-block'],
  );
});

test('without a min SDK every platform counts, so that JAR signing is needed', () => {
  const report = verify(
    signedApk({}, (zip) => [v2Pair(zip, usualSigner())]),
    null,
  );
  assert.equal(report.min_sdk_version, 1);
  assert.equal(report.verified, false);
  assert.equal(schemeOf(report, 'v1').errors[0]?.code, 'jar-sig-no-manifest');
});

test('an app for sandbox version 2 needs more than JAR signing', () => {
  const files = apkFiles({ minSdk: 18 });
  const jar = jarSignature(files, { signers: [{ infos: [{ key: newKey, hash: 'sha256' }] }] });
  const apk = buildZip({ entries: [...files, ...jar] });
  assert.equal(verify(apk, 18).verified, true);
  const report = verify(apk, 18, { targetSandboxVersion: 2 });
  assert.deepEqual(
    report.errors.map(({ code }) => code),
    ['no-sig-for-target-sandbox-version'],
  );
});

test('the signature block is named by the first one that has a signature file', () => {
  const entries = [
    { name: 'META-INF/ALONE.RSA' },
    { name: 'META-INF/ZZW.SF' },
    { name: 'META-INF/ZZW.DSA' },
    { name: 'META-INF/sub/x.rsa' },
  ];
  assert.equal(signatureName(open(buildZip({ entries }))), 'META-INF/ZZW.DSA');
  assert.equal(signatureName(open(buildZip({ entries: entries.slice(0, 1) }))), 'META-INF/ALONE.RSA');
  assert.equal(signatureName(open(buildZip(apkZip({})))), '');
  assert.equal(readSigner(open(buildZip(apkZip({})))), null);
});

/** A source stamp by a key over v2's SHA-256 digest. */
function stampPair(zip: Buffer, key: SigningKey, time?: bigint): SigningPair {
  const signature = (data: Buffer) => prefixed(u32(0x0103), prefixed(signWith(key, 'rsa-pkcs1-sha256', data)));
  const digest = contentDigest(zip, 'ecdsa-sha256');
  const digests = Buffer.concat([u32(8 + digest.length, 1, digest.length), digest]);
  const attributes: Buffer[] = [];
  if (time !== undefined) {
    const value = Buffer.alloc(8);
    value.writeBigInt64LE(time);
    const data = prefixed(prefixed(u32(0xe43c5946), value));
    attributes.push(prefixed(data), prefixed(signature(data)));
  }
  const schemes = prefixed(prefixed(u32(2), prefixed(signature(digests))));
  return [pairId.stamp, prefixed(prefixed(key.certificate), schemes, ...attributes)];
}

async function stampedApk(stamp: (zip: Buffer) => SigningPair[], key = newKey): Promise<Buffer> {
  const { createHash } = await import('node:crypto');
  const digest = createHash('sha256').update(key.certificate).digest();
  const files = [{ name: 'stamp-cert-sha256', content: digest }];
  return signedApk({ files }, (zip) => [v2Pair(zip, usualSigner()), ...stamp(zip)]);
}

test('a source stamp is verified for itself and decides nothing', async () => {
  const stampOf = async (...parameters: Parameters<typeof stampedApk>) => {
    const report = verify(await stampedApk(...parameters), 24);
    assert.equal(report.verified, true);
    return { verified: report.source_stamp?.verified, code: report.source_stamp?.errors[0]?.code };
  };
  assert.deepEqual(await stampOf((zip) => [stampPair(zip, newKey)]), { verified: true, code: undefined });
  assert.deepEqual(await stampOf((zip) => [stampPair(zip, newKey, 1_644_886_584n)]), {
    verified: true,
    code: undefined,
  });
  const failures: readonly (readonly [(zip: Buffer) => SigningPair[], SigningKey, string])[] = [
    [() => [], newKey, 'source-stamp-sig-missing'],
    [(zip) => [stampPair(zip, newKey)], oldKey, 'source-stamp-certificate-mismatch-between-signature-block-and-apk'],
    [(zip) => [stampPair(Buffer.concat([Buffer.from('x'), zip]), newKey)], newKey, 'source-stamp-did-not-verify'],
    [(zip) => [stampPair(zip, newKey, 0n)], newKey, 'source-stamp-invalid-timestamp'],
    [(zip) => [stampPair(zip, newKey, -5n)], newKey, 'source-stamp-invalid-timestamp'],
    [() => [[pairId.stamp, Buffer.from([9, 9, 9, 9])]], newKey, 'source-stamp-malformed-signature'],
  ];
  for (const [stamp, key, code] of failures) assert.deepEqual(await stampOf(stamp, key), { verified: false, code });
});

const apksigner = systemTool('apksigner');
/** With the min SDK that each manifest states. */
const real: readonly (readonly [keyof typeof realApks, number])[] = [
  ['settings', 26],
  ['uiautomator2Server', 26],
  ['apiDemos', 14],
  ['unicodeIme', 10],
  ['minicap', 14],
];

test('real APKs have the verdicts and signers that apksigner prints', { skip: apksigner.skip }, () => {
  for (const [id, minSdk] of real) {
    const path = realApks[id];
    const words = ['verify', '--verbose', '--print-certs', '--min-sdk-version', String(minSdk), path];
    let output: string;
    try {
      output = execFileSync(apksigner.path!, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    } catch (error) {
      output = String((error as { stdout: string }).stdout);
    }
    const report = verifySignatures(openZip(fileSource(path), new Findings()), minSdk);
    assert.equal(report.verified, /^Verifies$/m.test(output), `${id}: ${output}`);
    for (const scheme of ['v1', 'v2', 'v3'] as const) {
      const theirs = new RegExp(`Verified using ${scheme} scheme.*: true`).test(output);
      if (report.verified) assert.equal(schemeOf(report, scheme).verified === true, theirs, `${id} ${scheme}`);
    }
    const digests = [...output.matchAll(/^Signer #1 (certificate|public key) SHA-256 digest: (\w+)$/gm)];
    const [signer] = report.signers[0] ?? [];
    for (const [, what, digest] of digests) {
      const ours = what === 'certificate' ? signer?.sha256 : signer?.public_key_sha256;
      assert.equal(ours?.toLowerCase(), digest, `${id} ${what}`);
    }
  }
});
