// APK Signature Schemes v3 and v3.1: signers for ranges of platform versions, and rotated keys. Reads no APK contents.
import { ByteReader, FormatError } from '../byte-reader.ts';
import type { Certificate } from '../x509/certificate.ts';
import { consolidateLineages, LineageError, type LineageNode, readLineage } from './lineage.ts';
import { apiLevel } from './platform-versions.ts';
import { SchemeResult } from './scheme-result.ts';
import {
  attempt,
  claimedCertificates,
  newSigner,
  prefixedBytes,
  prefixedReader,
  readAttributes,
  readCertificates,
  readDigests,
  type Signer,
  type SignerContext,
  signerError,
  signerWarning,
  verifySignedData,
} from './signer-block.ts';

const attributeId = {
  proofOfRotation: 0x3ba06f8c,
  rotationMinSdkVersion: 0x559f8b02,
  rotationOnDevelopmentRelease: 0xc2a6b3ba,
} as const;

/** Signers share the platform versions among themselves, of which there are some forty; each costs a signature check. */
const maxRangeSigners = 40;

interface Scope {
  scheme: 'v3' | 'v3.1';
  minSdkVersion: number;
  maxSdkVersion: number;
  /** First API level of the v3.1 block's signers, null where the APK has no such block. */
  rotationMinSdkVersion: number | null;
}

/**
 * Reads and verifies every signer of a v3 or v3.1 block, and that their ranges leave no platform version out; the digests
 * of the APK's contents are left to compare.
 * Specification: https://source.android.com/docs/security/features/apksigning/v3#v3-verification, …/v3-1
 */
export function verifyV3Block(block: Uint8Array, scope: Scope): SchemeResult {
  const result = new SchemeResult(scope.scheme);
  const { issues } = result;
  const signers = attempt(
    () => prefixedReader(new ByteReader(block)),
    () => issues.error('v3-sig-malformed-signers', 'The list of signers cannot be read'),
  );
  if (signers === null) return result;
  if (signers.remaining === 0) issues.error('v3-sig-no-signers', 'There are no signers');
  while (signers.remaining > 0) {
    if (result.signers.length === maxRangeSigners) {
      issues.error('v3-sig-max-signatures-exceeded', `There are more than ${maxRangeSigners} signers`);
      break;
    }
    const signer = newSigner(result.signers.length);
    result.signers.push(signer);
    const context: SignerContext = { prefix: 'v3-sig', issues, signer };
    const isRead = attempt(
      () => {
        verifySigner(context, signer, prefixedReader(signers), scope);
        return true;
      },
      () => signerError(context, 'malformed-signer', 'its block cannot be read'),
    );
    if (isRead === null) break;
  }
  if (!issues.hasErrors) checkRanges(result, scope);
  result.lineage =
    consolidateLineages(result.signers.flatMap(({ lineage }) => (lineage === null ? [] : [lineage]))) ?? [];
  return result;
}

function verifySigner(context: SignerContext, signer: Signer, block: ByteReader, scope: Scope): void {
  const { issues } = context;
  const signedData = prefixedBytes(block);
  signer.certificates = claimedCertificates(signedData);
  const minSdkVersion = block.i32();
  const maxSdkVersion = block.i32();
  signer.minSdkVersion = minSdkVersion;
  signer.maxSdkVersion = maxSdkVersion;
  if (minSdkVersion < 0 || minSdkVersion > maxSdkVersion) {
    signerError(context, 'invalid-sdk-versions', `its range of API levels is ${minSdkVersion} to ${maxSdkVersion}`);
  }
  const signatures = prefixedReader(block);
  const publicKeyBytes = prefixedBytes(block);
  const verified = verifySignedData(context, signedData, signatures, publicKeyBytes, minSdkVersion, maxSdkVersion);
  if (verified === null) return;

  const reader = new ByteReader(signedData);
  const digests = prefixedReader(reader);
  const certificates = prefixedReader(reader);
  const compareLevel = (which: 'min' | 'max', parsed: number, signed: number) => {
    if (parsed === signed) return;
    issues.error(
      `v3-${which}-sdk-version-mismatch-between-signer-and-signed-data-record`,
      `Signer ${signer.index + 1}: its ${which}imum API level is ${parsed}, and ${signed} in the signed data`,
    );
  };
  compareLevel('min', minSdkVersion, reader.i32());
  compareLevel('max', maxSdkVersion, reader.i32());
  const attributes = prefixedReader(reader);
  if (!readCertificates(context, certificates, publicKeyBytes)) return;
  if (!readDigests(context, digests, verified.signatureIds)) return;
  verifyAttributes(context, signer, attributes, scope);
}

function verifyAttributes(context: SignerContext, signer: Signer, attributes: ByteReader, scope: Scope): void {
  const { issues } = context;
  let isRotationNamed = false;
  const areRead = readAttributes(context, attributes, (id, value) => {
    switch (id) {
      case attributeId.proofOfRotation:
        signer.lineage = verifyLineage(context, signer.certificates[0]!, value);
        break;
      case attributeId.rotationMinSdkVersion:
        isRotationNamed = true;
        if (scope.maxSdkVersion >= apiLevel.tiramisu) compareRotation(context, value.i32(), scope);
        break;
      case attributeId.rotationOnDevelopmentRelease:
        signer.targetsDevelopmentRelease = true;
        if (scope.scheme === 'v3') {
          issues.warning(
            'v31-rotation-targets-dev-release-attr-on-v3-signer',
            `Signer ${signer.index + 1} of v3 targets a development release, which only v3.1 can`,
          );
        }
        break;
      default:
        signerWarning(context, 'unknown-additional-attribute', `the attribute 0x${id.toString(16)} is unknown`);
    }
  });
  if (areRead && scope.rotationMinSdkVersion !== null && !isRotationNamed) {
    issues.warning(
      'v31-rotation-min-sdk-attr-missing',
      `Nothing protects the v3.1 block, for API level ${scope.rotationMinSdkVersion} on, from being stripped`,
    );
  }
}

function compareRotation({ issues }: SignerContext, named: number, { rotationMinSdkVersion }: Scope): void {
  if (rotationMinSdkVersion === null) {
    issues.error('v31-block-missing', `A v3.1 block for API level ${named} on was there and is gone`);
  } else if (rotationMinSdkVersion !== named) {
    issues.error(
      'v31-rotation-min-sdk-mismatch',
      `The key rotates at API level ${rotationMinSdkVersion} in v3.1, and at ${named} according to v3`,
    );
  }
}

function verifyLineage(context: SignerContext, certificate: Certificate, value: ByteReader): LineageNode[] | null {
  try {
    const lineage = readLineage(value.bytes);
    const position = lineage.findIndex((node) => node.certificate.equals(certificate));
    if (position !== lineage.length - 1 || lineage.length === 0) {
      signerError(context, 'por-cert-mismatch', "the lineage does not end with the signer's certificate");
    }
    return lineage;
  } catch (error) {
    if (error instanceof LineageError) signerError(context, error.code, error.message);
    else if (error instanceof FormatError) signerError(context, 'malformed-lineage', error.message);
    else throw error;
    return null;
  }
}

/** Signers' ranges must adjoin and cover what is asked; lineages only grow from older to newer platforms. */
function checkRanges({ issues, signers }: SchemeResult, scope: Scope): void {
  const ordered = [...signers].sort((a, b) => a.maxSdkVersion! - b.maxSdkVersion!);
  const first = ordered[0]?.minSdkVersion ?? 0;
  let last = 0;
  let lineageLength = 0;
  for (const signer of ordered) {
    const min = signer.minSdkVersion!;
    const isOverlapOfDevelopmentRelease = min === last && signer.targetsDevelopmentRelease;
    if (signer !== ordered[0] && min !== last + 1 && !isOverlapOfDevelopmentRelease) {
      issues.error('v3-inconsistent-sdk-versions', `Ranges of API levels leave a gap or overlap at ${last} and ${min}`);
      break;
    }
    last = signer.maxSdkVersion!;
    if (signer.lineage === null) continue;
    if (signer.lineage.length < lineageLength) {
      issues.error('v3-inconsistent-lineages', 'A newer platform version has a shorter lineage');
      break;
    }
    lineageLength = signer.lineage.length;
  }
  const wantedMax = scope.rotationMinSdkVersion === null ? scope.maxSdkVersion : scope.rotationMinSdkVersion - 1;
  // A v3.1 block may begin at any later version, as long as v3 covers what is before.
  const wantedMin = scope.scheme === 'v3' ? scope.minSdkVersion : scope.maxSdkVersion;
  if (first > wantedMin || last < wantedMax) {
    issues.error('v3-missing-sdk-versions', `Signers cover API levels ${first} to ${last}, not all that are supported`);
  }
  if (consolidateLineages(signers.flatMap(({ lineage }) => (lineage === null ? [] : [lineage]))) === null) {
    issues.error('v3-inconsistent-lineages', 'The lineages of the signers contradict each other');
  }
}
