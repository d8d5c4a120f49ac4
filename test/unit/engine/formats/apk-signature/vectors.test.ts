// Every signature vector has the verdict that Android gives.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { verifySignatures } from '../../../../../server/engine/formats/apk-signature/verify.ts';
import { openZip } from '../../../../../server/engine/formats/zip/archive.ts';
import { memorySource } from '../../../../../server/vault/byte-source.ts';
import { type SignatureVector, signatureVectors } from '../../../../fixtures/signature-vectors.ts';

function reportOf({ apk, minSdk, maxSdk, targetSdk }: SignatureVector) {
  const archive = openZip(memorySource(apk()), new Findings());
  return verifySignatures(archive, minSdk, {
    ...(maxSdk === undefined ? {} : { maxSdkVersion: maxSdk }),
    targetSdkVersion: targetSdk ?? null,
  });
}

describe('the verdict over an APK', () => {
  for (const vector of signatureVectors()) {
    test(vector.title, () => {
      const report = reportOf(vector);
      const errors = [...report.errors, ...report.schemes.flatMap((scheme) => scheme.errors)];
      const codes = errors.map(({ code }) => code);
      if (vector.outcome === 'verified') {
        assert.deepEqual(errors, []);
        assert.equal(report.verified, true);
        assert.ok(report.signers.length > 0, 'a verified APK has a signer');
      } else {
        assert.equal(report.verified, false);
        assert.ok(codes.includes(vector.outcome), `${vector.outcome} is not among ${codes.join(', ')}`);
      }
      const warnings = report.schemes.flatMap((scheme) => scheme.warnings.map(({ code }) => code));
      if (vector.warning !== undefined) assert.ok(warnings.includes(vector.warning), warnings.join(', '));
    });
  }
});
