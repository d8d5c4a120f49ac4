// What signers of APK Signature Schemes v2 and v3 have in common: signatures, certificates, digests, attributes.
// Knows neither scheme's own rules nor the APK's contents.
import { ByteReader, FormatError } from '../byte-reader.ts';
import { type Certificate, parseCertificate, parseSoundCertificate } from '../x509/certificate.ts';
import { type PublicKey, parsePublicKey } from '../x509/public-key.ts';
import { isSignatureValid } from '../x509/signature.ts';
import type { Issues } from './issues.ts';
import type { LineageNode } from './lineage.ts';
import {
  algorithmName,
  type ContentDigestKind,
  chooseSignatures,
  findAlgorithm,
  type SignatureAlgorithm,
} from './signature-algorithms.ts';

/** Chains have one to four certificates; each is parsed and reported. */
const maxCertificates = 100;
/** There are some ten algorithms. */
const maxAlgorithms = 100;

interface ContentDigest {
  algorithmId: number;
  kind: ContentDigestKind | null;
  value: Uint8Array;
}

export interface Signer {
  index: number;
  /** Null in v2, which has no ranges. */
  minSdkVersion: number | null;
  maxSdkVersion: number | null;
  /** Names of all its signatures' algorithms, known or not. */
  algorithms: string[];
  /** The signer's own first. */
  certificates: Certificate[];
  contentDigests: ContentDigest[];
  /** Digests that some platform version checks. */
  digestsToVerify: Set<ContentDigestKind>;
  lineage: LineageNode[] | null;
  targetsDevelopmentRelease: boolean;
}

export function newSigner(index: number): Signer {
  return {
    index,
    minSdkVersion: null,
    maxSdkVersion: null,
    algorithms: [],
    certificates: [],
    contentDigests: [],
    digestsToVerify: new Set(),
    lineage: null,
    targetsDevelopmentRelease: false,
  };
}

/** Bytes after a length of four bytes. @throws FormatError where the length points past the end */
export function prefixedBytes(reader: ByteReader): Uint8Array {
  return reader.take(reader.u32());
}

/** A reader over the bytes after a length of four bytes. @throws FormatError where the length points past the end */
export function prefixedReader(reader: ByteReader): ByteReader {
  return new ByteReader(prefixedBytes(reader));
}

/** Runs a step of parsing; where the format breaks, `onBroken` says so and the result is null. */
export function attempt<T>(step: () => T, onBroken: (error: FormatError) => void): T | null {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    onBroken(error);
    return null;
  }
}

interface Signature {
  id: number;
  algorithm: SignatureAlgorithm | null;
  bytes: Uint8Array;
}

/** How one scheme names and words its problems: the codes' beginning and the signer's place. */
export interface SignerContext {
  prefix: 'v2-sig' | 'v3-sig';
  issues: Issues;
  signer: Signer;
}

const hex = (id: number): string => `0x${id.toString(16).padStart(4, '0')}`;

export function signerError({ prefix, issues, signer }: SignerContext, code: string, message: string): void {
  issues.error(`${prefix}-${code}`, `Signer ${signer.index + 1}: ${message}`);
}

export function signerWarning({ prefix, issues, signer }: SignerContext, code: string, message: string): void {
  issues.warning(`${prefix}-${code}`, `Signer ${signer.index + 1}: ${message}`);
}

/** The certificates that signed data begin with, as far as they can be read: for showing, whatever the verdict. */
export function claimedCertificates(signedData: Uint8Array): Certificate[] {
  const certificates: Certificate[] = [];
  attempt(
    () => {
      const reader = new ByteReader(signedData);
      prefixedBytes(reader);
      const list = prefixedReader(reader);
      while (list.remaining > 0 && certificates.length < maxCertificates) {
        certificates.push(parseCertificate(prefixedBytes(list)));
      }
    },
    () => undefined,
  );
  return certificates;
}

/** The signers that a v2 or v3 block claims, as far as they can be read, without verifying anything. */
export function claimedSigners(block: Uint8Array, hasRanges: boolean): Signer[] {
  const signers: Signer[] = [];
  attempt(
    () => {
      const list = prefixedReader(new ByteReader(block));
      while (list.remaining > 0 && signers.length < maxCertificates) {
        const reader = prefixedReader(list);
        const signer = newSigner(signers.length);
        signer.certificates = claimedCertificates(prefixedBytes(reader));
        if (hasRanges) {
          signer.minSdkVersion = reader.i32();
          signer.maxSdkVersion = reader.i32();
        }
        const signatures = prefixedReader(reader);
        while (signatures.remaining > 0 && signer.algorithms.length < maxAlgorithms) {
          signer.algorithms.push(algorithmName(prefixedReader(signatures).u32()));
        }
        signers.push(signer);
      }
    },
    () => undefined,
  );
  return signers;
}

function readSignatures(context: SignerContext, list: ByteReader): Signature[] | null {
  const signatures: Signature[] = [];
  while (list.remaining > 0) {
    const signature = attempt(
      () => {
        const reader = prefixedReader(list);
        const id = reader.u32();
        return { id, algorithm: findAlgorithm(id), bytes: prefixedBytes(reader) };
      },
      () => signerError(context, 'malformed-signature', `signature ${signatures.length + 1} cannot be read`),
    );
    if (signature === null) return null;
    signatures.push(signature);
    if (signatures.length > maxAlgorithms) {
      signerError(context, 'malformed-signature', `there are more than ${maxAlgorithms} signatures`);
      return null;
    }
    context.signer.algorithms.push(algorithmName(signature.id));
    if (signature.algorithm === null) {
      signerWarning(context, 'unknown-sig-algorithm', `the signature algorithm ${hex(signature.id)} is unknown`);
    }
  }
  if (signatures.length > 0) return signatures;
  signerError(context, 'no-signatures', 'there are no signatures');
  return null;
}

/**
 * Verifies the signatures over a signer's signed data that any platform version of the range would pick.
 * @returns the ids of all its signatures and the public key's bytes, or null after reporting why it fails
 */
export function verifySignedData(
  context: SignerContext,
  signedData: Uint8Array,
  list: ByteReader,
  publicKeyBytes: Uint8Array,
  minSdkVersion: number,
  maxSdkVersion: number,
): { signatureIds: number[]; publicKeyBytes: Uint8Array } | null {
  const signatures = readSignatures(context, list);
  if (signatures === null) return null;
  const chosen = chooseSignatures(signatures, minSdkVersion, maxSdkVersion);
  if (chosen === null) {
    signerError(context, 'no-supported-signatures', 'some platform version knows none of the signature algorithms');
    return null;
  }
  let key: PublicKey | null = null;
  for (const { algorithm, bytes } of chosen) {
    if (algorithm === null) continue;
    key ??= attempt(
      () => parsePublicKey(publicKeyBytes),
      (error) => signerError(context, 'malformed-public-key', error.message),
    );
    if (key === null) return null;
    if (key.algorithm !== algorithm.kind.key) {
      signerError(context, 'malformed-public-key', `${algorithm.name} does not go with the key ${key.description}`);
      return null;
    }
    if (!isSignatureValid(key, algorithm.kind, signedData, bytes)) {
      signerError(context, 'did-not-verify', `the signature ${algorithm.name} over the signed data does not verify`);
      return null;
    }
    context.signer.digestsToVerify.add(algorithm.digest);
  }
  return { signatureIds: signatures.map(({ id }) => id), publicKeyBytes };
}

/** Reads the certificates and compares the first one's key with the signer's. @returns whether all is well */
export function readCertificates(context: SignerContext, list: ByteReader, publicKeyBytes: Uint8Array): boolean {
  const certificates: Certificate[] = [];
  while (list.remaining > 0) {
    const bytes = prefixedBytes(list);
    const number = certificates.length + 1;
    const certificate = attempt(
      () => parseSoundCertificate(bytes),
      (error) => signerError(context, 'malformed-certificate', `certificate ${number}: ${error.message}`),
    );
    if (certificate === null) return false;
    if (number > maxCertificates) {
      signerError(context, 'malformed-certificate', `there are more than ${maxCertificates} certificates`);
      return false;
    }
    certificates.push(certificate);
  }
  context.signer.certificates = certificates;
  const [main] = certificates;
  if (main === undefined) {
    signerError(context, 'no-certificates', 'there are no certificates');
    return false;
  }
  const isSameKey = [main.publicKey?.encoded, main.publicKey?.canonical].some(
    (key) => key !== undefined && Buffer.compare(key, publicKeyBytes) === 0,
  );
  if (!isSameKey) {
    signerError(
      context,
      'public-key-mismatch-between-certificate-and-signatures-record',
      "the signatures are by a key that is not the certificate's",
    );
  }
  return isSameKey;
}

/** Reads the content digests, whose algorithms must be those of the signatures. @returns whether all is well */
export function readDigests(context: SignerContext, list: ByteReader, signatureIds: readonly number[]): boolean {
  const { signer } = context;
  while (list.remaining > 0) {
    const digest = attempt(
      () => {
        const reader = prefixedReader(list);
        const algorithmId = reader.u32();
        return { algorithmId, kind: findAlgorithm(algorithmId)?.digest ?? null, value: prefixedBytes(reader) };
      },
      () => signerError(context, 'malformed-digest', `digest ${signer.contentDigests.length + 1} cannot be read`),
    );
    if (digest === null) return false;
    if (signer.contentDigests.length === maxAlgorithms) {
      signerError(context, 'malformed-digest', `there are more than ${maxAlgorithms} digests`);
      return false;
    }
    signer.contentDigests.push(digest);
  }
  const digestIds = signer.contentDigests.map(({ algorithmId }) => algorithmId);
  if (digestIds.join() === signatureIds.join()) return true;
  signerError(
    context,
    'sig-alg-mismatch-between-signatures-and-digests-records',
    `signatures use ${names(signatureIds)}, digests ${names(digestIds)}`,
  );
  return false;
}

const names = (ids: readonly number[]): string => ids.slice(0, 10).map(algorithmName).join(', ');

/**
 * Walks through a signer's additional attributes.
 * @param visit reads one attribute's value; a FormatError it throws makes the attribute malformed
 * @returns whether all of them could be read
 */
export function readAttributes(
  context: SignerContext,
  list: ByteReader,
  visit: (id: number, value: ByteReader) => void,
): boolean {
  for (let number = 1; list.remaining > 0; number++) {
    const isRead = attempt(
      () => {
        const reader = prefixedReader(list);
        const id = reader.u32();
        visit(id, new ByteReader(reader.take(reader.remaining)));
        return true;
      },
      () => signerError(context, 'malformed-additional-attribute', `attribute ${number} cannot be read`),
    );
    if (isRead === null) return false;
  }
  return true;
}
