// One signer of JAR signing: that its signature block is a signature over its signature file. Knows no manifest.
import { hash } from 'node:crypto';
import { FormatError } from '../byte-reader.ts';
import { objectIdentifier, octetString } from '../x509/asn1.ts';
import type { Certificate } from '../x509/certificate.ts';
import { isSignatureValid } from '../x509/signature.ts';
import {
  certificateChain,
  findCertificate,
  parseSignedAttributes,
  parseSignedData,
  type SignedData,
  type SignerInfo,
  singleValue,
} from './pkcs7.ts';
import { apiLevel } from './platform-versions.ts';
import { findV1Algorithm } from './v1-algorithms.ts';

const attributeOid = { contentType: '1.2.840.113549.1.9.3', messageDigest: '1.2.840.113549.1.9.4' } as const;
const setIdentifier = 0x31;

/** Why a whole signature block fails, in the terms of a verdict's errors. */
export class SignatureBlockError extends Error {
  readonly code:
    | 'jar-sig-parse-exception'
    | 'jar-sig-verify-exception'
    | 'jar-sig-unsupported-sig-alg'
    | 'jar-sig-no-signers'
    | 'jar-sig-did-not-verify';

  constructor(code: SignatureBlockError['code'], message: string) {
    super(message);
    this.name = 'SignatureBlockError';
    this.code = code;
  }
}

interface Range {
  minSdkVersion: number;
  maxSdkVersion: number;
}

/** Whose signature a block claims to be, verified or not. */
export interface ClaimedSigner {
  /** The signer's own certificate first. */
  certificates: Certificate[];
  /** For example `SHA1_WITH_RSA`. */
  algorithms: string[];
}

/** Reads whose signature the block claims to be. @throws FormatError where it is no signature block */
export function readClaimedSigner(block: Uint8Array): ClaimedSigner {
  const data = parseSignedData(block);
  const [signer] = data.signerInfos;
  const leaf = (signer === undefined ? null : findCertificate(data.certificates, signer)) ?? data.certificates[0];
  return {
    certificates: leaf === undefined ? [] : certificateChain(data.certificates, leaf),
    algorithms: data.signerInfos.map(
      (info) =>
        findV1Algorithm(info.digestAlgorithm, info.signatureAlgorithm)?.name ??
        `${info.digestAlgorithm} with ${info.signatureAlgorithm}`,
    ),
  };
}

/**
 * Verifies a signature block against the signature file it is about, as every platform version of the range would.
 * @returns the chain of certificates of the signer that counts, its own first
 * @throws SignatureBlockError where it fails
 */
export function verifySignatureBlock(block: Uint8Array, signatureFile: Uint8Array, range: Range): Certificate[] {
  let data: SignedData;
  try {
    data = parseSignedData(block);
    const unsound = data.certificates.find(({ deviation }) => deviation !== null);
    if (unsound !== undefined) throw new FormatError('pkcs7', 0, `In a certificate, ${unsound.deviation}`);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new SignatureBlockError('jar-sig-parse-exception', error.message);
  }
  if (data.signerInfos.length === 0) throw new SignatureBlockError('jar-sig-no-signers', 'it has no signers');
  // Before Android 7 only the first signer is tried; from then on the first one that verifies counts.
  const candidates = range.minSdkVersion < apiLevel.nougat ? data.signerInfos.slice(0, 1) : data.signerInfos;
  let signer: Certificate | null = null;
  // Every candidate is looked at: one that is malformed fails the block, even behind one that verifies.
  for (const candidate of candidates) {
    const certificate = verifySigner(data, candidate, signatureFile, range);
    signer ??= certificate;
  }
  if (signer === null) throw new SignatureBlockError('jar-sig-did-not-verify', 'the signature does not verify');
  return certificateChain(data.certificates, signer);
}

const refusal = (message: string) => new SignatureBlockError('jar-sig-verify-exception', message);

/** @returns the signer's certificate, or null where the signature is wrong. @throws SignatureBlockError where more is */
function verifySigner(
  data: SignedData,
  signer: SignerInfo,
  signatureFile: Uint8Array,
  range: Range,
): Certificate | null {
  const algorithm = findV1Algorithm(signer.digestAlgorithm, signer.signatureAlgorithm);
  if (algorithm === null || !algorithm.isSupported(range.minSdkVersion, range.maxSdkVersion)) {
    const names = `${signer.digestAlgorithm} with ${signer.signatureAlgorithm}`;
    throw new SignatureBlockError(
      'jar-sig-unsupported-sig-alg',
      `some platform version does not know digest and signature algorithm ${names}`,
    );
  }
  const certificate = findCertificate(data.certificates, signer);
  if (certificate === null) throw refusal("the signer's certificate is missing");
  if (certificate.hasUnknownCriticalExtension) throw refusal('the certificate has an unknown critical extension');
  const { keyUsage, publicKey } = certificate;
  if (keyUsage !== null && !keyUsage.digitalSignature && !keyUsage.nonRepudiation) {
    throw refusal('the certificate is not meant for signing');
  }
  if (publicKey === null || publicKey.algorithm !== algorithm.kind.key) {
    throw refusal(`the key ${publicKey?.description ?? 'unreadable'} does not go with ${algorithm.name}`);
  }
  let content = signatureFile;
  if (signer.signedAttributes !== null) {
    const digest = hash(algorithm.digest, signatureFile, 'buffer');
    if (!doAttributesMatch(data, signer.signedAttributes, digest, range)) return null;
    // The signature is over the attributes as a SET, not with the tag they carry; Android re-encodes nothing else.
    content = Uint8Array.from(signer.signedAttributes);
    content[0] = setIdentifier;
  }
  return isSignatureValid(publicKey, algorithm.kind, content, signer.signature) ? certificate : null;
}

function doAttributesMatch(data: SignedData, encoded: Uint8Array, digest: Buffer, range: Range): boolean {
  if (range.minSdkVersion < apiLevel.kitKat) {
    throw refusal('signed attributes are not safe before Android 4.4, which does not check their digest');
  }
  try {
    const attributes = parseSignedAttributes(encoded);
    if (range.maxSdkVersion >= apiLevel.nougat) {
      const contentType = singleValue(attributes, attributeOid.contentType);
      if (contentType === null) throw refusal('the signed attributes lack the content type');
      if (objectIdentifier(contentType) !== data.contentType) return false;
    }
    const expected = singleValue(attributes, attributeOid.messageDigest);
    if (expected === null) throw refusal('the signed attributes lack the digest of the signature file');
    return digest.equals(octetString(expected));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new SignatureBlockError('jar-sig-parse-exception', error.message);
  }
}
