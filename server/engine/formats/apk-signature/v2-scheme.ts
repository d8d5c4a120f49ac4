// APK Signature Scheme v2: its signers and the signatures over their signed data. Reads no APK contents.
import { ByteReader } from '../byte-reader.ts';
import { maxSigners } from './platform-versions.ts';
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

/** Names the newer scheme that was there when v2 was signed, so that stripping it shows. */
const strippingProtectionAttribute = 0xbeeff00d;

/** The schemes of the APK Signing Block by their number, as stripping protection names them. */
export interface KnownSchemes {
  /** Those that the checked platform versions know. */
  supported: ReadonlySet<number>;
  /** Those that the APK carries. */
  found: ReadonlySet<number>;
}

interface Scope extends KnownSchemes {
  minSdkVersion: number;
  maxSdkVersion: number;
}

/**
 * Reads and verifies every signer of a v2 block; the digests of the APK's contents are left to compare.
 * Specification: https://source.android.com/docs/security/features/apksigning/v2#v2-verification
 */
export function verifyV2Block(block: Uint8Array, scope: Scope): SchemeResult {
  const result = new SchemeResult('v2');
  const { issues } = result;
  const signers = attempt(
    () => prefixedReader(new ByteReader(block)),
    () => issues.error('v2-sig-malformed-signers', 'The list of signers cannot be read'),
  );
  if (signers === null) return result;
  if (signers.remaining === 0) issues.error('v2-sig-no-signers', 'There are no signers');
  for (let count = 1; signers.remaining > 0; count++) {
    if (count > maxSigners) {
      issues.error('v2-sig-max-signatures-exceeded', `There are more than ${maxSigners} signers`);
      break;
    }
    const signer = newSigner(count - 1);
    result.signers.push(signer);
    const context: SignerContext = { prefix: 'v2-sig', issues, signer };
    const isRead = attempt(
      () => {
        verifySigner(context, signer, prefixedReader(signers), scope);
        return true;
      },
      () => signerError(context, 'malformed-signer', 'its block cannot be read'),
    );
    if (isRead === null) break;
  }
  return result;
}

function verifySigner(context: SignerContext, signer: Signer, block: ByteReader, scope: Scope): void {
  const signedData = prefixedBytes(block);
  const signatures = prefixedReader(block);
  const publicKeyBytes = prefixedBytes(block);
  signer.certificates = claimedCertificates(signedData);
  const { minSdkVersion, maxSdkVersion } = scope;
  const verified = verifySignedData(context, signedData, signatures, publicKeyBytes, minSdkVersion, maxSdkVersion);
  if (verified === null) return;
  const reader = new ByteReader(signedData);
  const digests = prefixedReader(reader);
  const certificates = prefixedReader(reader);
  const attributes = prefixedReader(reader);
  if (!readCertificates(context, certificates, publicKeyBytes)) return;
  if (!readDigests(context, digests, verified.signatureIds)) return;
  const expected = new Set<number>();
  const areRead = readAttributes(context, attributes, (id, value) => {
    if (id !== strippingProtectionAttribute) {
      signerWarning(context, 'unknown-additional-attribute', `the attribute 0x${id.toString(16)} is unknown`);
      return;
    }
    const scheme = value.u32();
    if (scope.supported.has(scheme)) expected.add(scheme);
    else signerWarning(context, 'unknown-apk-sig-scheme-id', `it names the unknown signature scheme ${scheme}`);
  });
  if (!areRead) return;
  for (const scheme of expected) {
    if (scope.found.has(scheme)) continue;
    const message = `it says that the APK was signed with scheme v${scheme} too, which is gone`;
    signerError(context, 'missing-apk-sig-referenced', message);
  }
}
