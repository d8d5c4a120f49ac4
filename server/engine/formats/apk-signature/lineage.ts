// Proof of rotation: the chain of signing certificates, each vouching for the next. Knows no scheme block around it.
import { ByteReader, FormatError } from '../byte-reader.ts';
import { type Certificate, parseSoundCertificate } from '../x509/certificate.ts';
import { isSignatureValid } from '../x509/signature.ts';
import { findAlgorithm } from './signature-algorithms.ts';

const version = 1;
/** Keys are rotated a few times in an app's life; each link costs a signature check. */
const maxLength = 30;

/** What an old certificate of the lineage may still do, https://source.android.com/docs/security/features/apksigning/v3 */
const capabilities: readonly (readonly [number, string])[] = [
  [1, 'installed-data'],
  [2, 'shared-uid'],
  [4, 'permission'],
  [8, 'rollback'],
  [16, 'auth'],
];

export interface LineageNode {
  certificate: Certificate;
  flags: number;
  /** The node as it was written, for comparing lineages. */
  encoded: Uint8Array;
}

/** A lineage whose links do not hold. */
export class LineageError extends Error {
  readonly code: 'por-did-not-verify' | 'por-cert-mismatch';

  constructor(code: LineageError['code'], message: string) {
    super(message);
    this.name = 'LineageError';
    this.code = code;
  }
}

export function capabilityNames(flags: number): string[] {
  return capabilities.filter(([flag]) => (flags & flag) !== 0).map(([, name]) => name);
}

const prefixed = (reader: ByteReader): Uint8Array => reader.take(reader.u32());

/**
 * Reads a lineage, oldest certificate first, and verifies that each signed the next.
 * Specification: https://source.android.com/docs/security/features/apksigning/v3#proof-of-rotation-and-self-trusted-old-certs-structs
 * @throws LineageError where a signature does not verify or the version is unknown
 * @throws FormatError where it cannot be read
 */
export function readLineage(value: Uint8Array): LineageNode[] {
  const reader = new ByteReader(value);
  if (reader.u32() !== version) throw new LineageError('por-cert-mismatch', 'the lineage has an unknown version');
  const nodes: LineageNode[] = [];
  const seen = new Set<string>();
  let parent: Certificate | null = null;
  let parentAlgorithmId = 0;
  while (reader.remaining > 0) {
    if (nodes.length === maxLength) throw new FormatError('lineage', reader.offset, 'the lineage is too long');
    const encoded = prefixed(reader);
    const node = new ByteReader(encoded);
    const signedData = prefixed(node);
    const flags = node.u32();
    const algorithmId = node.u32();
    const signature = prefixed(node);
    const number = nodes.length + 1;
    if (parent !== null) {
      const algorithm = findAlgorithm(parentAlgorithmId);
      if (algorithm === null) {
        throw new FormatError('lineage', node.offset, `the algorithm 0x${parentAlgorithmId.toString(16)} is unknown`);
      }
      if (parent.publicKey === null || !isSignatureValid(parent.publicKey, algorithm.kind, signedData, signature)) {
        throw new LineageError('por-did-not-verify', `the signature over certificate ${number} does not verify`);
      }
    }
    const signed = new ByteReader(signedData);
    const certificateBytes = prefixed(signed);
    if (signed.u32() !== parentAlgorithmId && parent !== null) {
      throw new LineageError('por-did-not-verify', `certificate ${number} was signed for another algorithm`);
    }
    const certificate = parseLink(certificateBytes, number);
    const fingerprint = Buffer.from(certificateBytes).toString('latin1');
    if (seen.has(fingerprint)) throw new LineageError('por-did-not-verify', 'a certificate occurs twice');
    seen.add(fingerprint);
    nodes.push({ certificate, flags, encoded });
    parent = certificate;
    parentAlgorithmId = algorithmId;
  }
  return nodes;
}

function parseLink(bytes: Uint8Array, number: number): Certificate {
  try {
    return parseSoundCertificate(bytes);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new LineageError('por-did-not-verify', `certificate ${number}: ${error.message}`);
  }
}

/**
 * The longest of several lineages, of which all others must be beginnings.
 * @returns null where they contradict each other
 */
export function consolidateLineages(lineages: readonly LineageNode[][]): LineageNode[] | null {
  const longest = lineages.reduce<LineageNode[]>((best, next) => (next.length > best.length ? next : best), []);
  const isConsistent = lineages.every((lineage) =>
    lineage.every((node, index) => Buffer.compare(node.encoded, longest[index]!.encoded) === 0),
  );
  return isConsistent ? longest : null;
}
