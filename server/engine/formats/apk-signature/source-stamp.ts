// The source stamp: a distributor's signature over the digests that the app's signers signed. It never decides whether an
// APK may be installed. Knows no scheme's rules.
import { hash } from 'node:crypto';
import type { SignatureReport } from '../../../contract/engine/reports.ts';
import { ByteReader, FormatError } from '../byte-reader.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { isSignatureValid } from '../x509/signature.ts';
import { Issues } from './issues.ts';
import { LineageError, readLineage } from './lineage.ts';
import { apiLevel, newestApiLevel } from './platform-versions.ts';
import { type ContentDigestKind, chooseSignatures, findAlgorithm } from './signature-algorithms.ts';
import { prefixedBytes, prefixedReader } from './signer-block.ts';

/** The entry that holds the SHA-256 of the stamp's certificate. */
export const stampEntryName = 'stamp-cert-sha256';

const attributeId = { proofOfRotation: 0x9d6303f7, time: 0xe43c5946 } as const;
/** A stamp covers the four schemes and carries two attributes. */
const maxItems = 100;

/** Digest numbers in stamps; that of JAR signing is the SHA-256 of the manifest. */
const digestNumber = { 'chunked-sha256': 1, 'chunked-sha512': 2, 'verity-sha256': 3, 'manifest-sha256': 4 } as const;

/** What one scheme's signers say of the APK: digests by kind. */
export type SchemeDigests = ReadonlyMap<ContentDigestKind | 'manifest-sha256', Uint8Array>;

class StampError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'StampError';
    this.code = `source-stamp-${code}`;
  }
}

/** Digests as a stamp signs them: in the order of their numbers, each with its length, number and value's length. */
function encodeDigests(digests: SchemeDigests): Buffer {
  const items = [...digests].map(([kind, value]) => ({ number: digestNumber[kind], value }));
  const parts = items
    .sort((a, b) => a.number - b.number)
    .flatMap(({ number, value }) => [
      Buffer.from(Uint32Array.of(8 + value.length, number, value.length).buffer),
      value,
    ]);
  return Buffer.concat(parts);
}

function verifyStampSignature(certificate: Certificate, data: Uint8Array, list: ByteReader): void {
  const signatures: { algorithm: ReturnType<typeof findAlgorithm>; bytes: Uint8Array }[] = [];
  while (list.remaining > 0 && signatures.length < maxItems) {
    const reader = prefixedReader(list);
    signatures.push({ algorithm: findAlgorithm(reader.u32()), bytes: prefixedBytes(reader) });
  }
  const known = signatures.filter(({ algorithm }) => algorithm !== null);
  if (known.length === 0) throw new StampError('no-signature', 'there is no signature of a known algorithm');
  const chosen = chooseSignatures(known, apiLevel.r, newestApiLevel);
  for (const { algorithm, bytes } of chosen ?? []) {
    const { publicKey } = certificate;
    if (algorithm === null || publicKey === null || !isSignatureValid(publicKey, algorithm.kind, data, bytes)) {
      throw new StampError('did-not-verify', 'the signature does not verify: the stamp is not for this APK');
    }
  }
}

function verifyAttributes(certificate: Certificate, data: Uint8Array): void {
  const list = prefixedReader(new ByteReader(data));
  for (let number = 1; list.remaining > 0 && number <= maxItems; number++) {
    const reader = prefixedReader(list);
    const id = reader.u32();
    if (id === attributeId.proofOfRotation) {
      const last = readLineage(reader.take(reader.remaining)).at(-1);
      if (last?.certificate.equals(certificate) !== true) {
        throw new StampError('por-cert-mismatch', "the lineage does not end with the stamp's certificate");
      }
    } else if (id === attributeId.time) {
      if (reader.remaining < 8) throw new StampError('malformed-attribute', 'the time is cut off');
      const seconds = reader.u64();
      if (seconds <= 0 || seconds >= 2 ** 63) throw new StampError('invalid-timestamp', 'the time is not after 1970');
    } else {
      throw new StampError('unknown-attribute', `the attribute 0x${id.toString(16)} is unknown`);
    }
  }
}

function verifyBlock(
  block: Uint8Array,
  certificateDigest: Uint8Array,
  digests: ReadonlyMap<number, SchemeDigests>,
  certificates: Certificate[],
): void {
  const stamp = prefixedReader(new ByteReader(block));
  const certificateBytes = prefixedBytes(stamp);
  const certificate = parseCertificate(certificateBytes);
  certificates.push(certificate);
  if (Buffer.compare(hash('sha256', certificateBytes, 'buffer'), certificateDigest) !== 0) {
    const message = `the certificate is not the one of ${stampEntryName}`;
    throw new StampError('certificate-mismatch-between-signature-block-and-apk', message);
  }
  const schemes = prefixedReader(stamp);
  const signed = new Map<number, Uint8Array>();
  while (schemes.remaining > 0 && signed.size < maxItems) {
    const scheme = prefixedReader(schemes);
    signed.set(scheme.u32(), prefixedBytes(scheme));
  }
  for (const [scheme, schemeDigests] of digests) {
    const signatures = signed.get(scheme);
    if (signatures === undefined) throw new StampError('no-signature', `scheme ${scheme} is not covered`);
    verifyStampSignature(certificate, encodeDigests(schemeDigests), new ByteReader(signatures));
  }
  if (stamp.remaining === 0) return;
  const attributes = prefixedBytes(stamp);
  verifyStampSignature(certificate, attributes, prefixedReader(stamp));
  verifyAttributes(certificate, attributes);
}

/**
 * Verifies a source stamp.
 * @param block value of the signing block's pair, null where it is missing
 * @param certificateDigest content of the entry `stamp-cert-sha256`
 * @param digests by scheme number (1, 2, 3, 31), of every scheme that was verified
 */
export function verifySourceStamp(
  block: Uint8Array | null,
  certificateDigest: Uint8Array,
  digests: ReadonlyMap<number, SchemeDigests>,
): NonNullable<SignatureReport['source_stamp']> {
  const issues = new Issues();
  const certificates: Certificate[] = [];
  try {
    if (block === null) throw new StampError('sig-missing', 'the APK claims a stamp and has none');
    verifyBlock(block, certificateDigest, digests, certificates);
  } catch (error) {
    if (error instanceof StampError) issues.error(error.code, error.message);
    else if (error instanceof LineageError) issues.error(`source-stamp-${error.code}`, error.message);
    else if (error instanceof FormatError) issues.error('source-stamp-malformed-signature', error.message);
    else throw error;
  }
  return {
    verified: !issues.hasErrors,
    certificates: certificates.map((certificate) => certificate.record()),
    errors: issues.errors,
  };
}
