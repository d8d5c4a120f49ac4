// Which digest and signature algorithms of JAR signing Android takes at which API level. Knows no file format.
import type { HashName, SignatureKind } from '../x509/signature.ts';

const digestOids: Readonly<Record<string, HashName>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

interface SignatureOid {
  key: SignatureKind['key'];
  /** Null where the identifier names the key's algorithm alone: the signer's digest algorithm then applies. */
  hash: HashName | null;
}

const signatureOids: Readonly<Record<string, SignatureOid>> = {
  '1.2.840.113549.1.1.1': { key: 'RSA', hash: null },
  '1.2.840.113549.1.1.4': { key: 'RSA', hash: 'md5' },
  '1.2.840.113549.1.1.5': { key: 'RSA', hash: 'sha1' },
  '1.2.840.113549.1.1.14': { key: 'RSA', hash: 'sha224' },
  '1.2.840.113549.1.1.11': { key: 'RSA', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'RSA', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'RSA', hash: 'sha512' },
  '1.2.840.10040.4.1': { key: 'DSA', hash: null },
  '1.2.840.10040.4.3': { key: 'DSA', hash: 'sha1' },
  '2.16.840.1.101.3.4.3.1': { key: 'DSA', hash: 'sha224' },
  '2.16.840.1.101.3.4.3.2': { key: 'DSA', hash: 'sha256' },
  '1.2.840.10045.2.1': { key: 'EC', hash: null },
  '1.2.840.10045.4.1': { key: 'EC', hash: 'sha1' },
  '1.2.840.10045.4.3.1': { key: 'EC', hash: 'sha224' },
  '1.2.840.10045.4.3.2': { key: 'EC', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'EC', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'EC', hash: 'sha512' },
};

/** First and last API level, both included. */
type Range = readonly [number, number];
const always: readonly Range[] = [[0, Number.MAX_SAFE_INTEGER]];
const from = (level: number): readonly Range[] => [[level, Number.MAX_SAFE_INTEGER]];
/** Before version 3 and again from some level on: the Java library between had dropped the algorithm. */
const exceptMiddle = (level: number): readonly Range[] => [
  [0, 8],
  [level, Number.MAX_SAFE_INTEGER],
];
/** Android 5 and 6 took digest and signature algorithms that do not go together. */
const lollipopToMarshmallow: readonly Range[] = [[21, 23]];
const lollipopOnly: readonly Range[] = [[21, 21]];
const never: readonly Range[] = [];

/**
 * Where digest and signature algorithm go together, by `<digest>/<hash of the signature or "any">`.
 * Facts from the compatibility table of Android's apksig library (OidConstants).
 */
const supported: Readonly<Record<SignatureKind['key'], Readonly<Record<string, readonly Range[]>>>> = {
  RSA: {
    'md5/any': always,
    'md5/md5': exceptMiddle(21),
    'sha1/any': always,
    'sha1/sha1': always,
    'sha224/any': exceptMiddle(21),
    'sha224/sha224': exceptMiddle(21),
    'sha224/sha256': lollipopOnly,
    'sha256/any': exceptMiddle(18),
    'sha256/sha256': exceptMiddle(18),
    'sha256/sha1': lollipopOnly,
    'sha384/any': from(18),
    'sha384/sha384': from(21),
    'sha512/any': from(18),
    'sha512/sha384': lollipopOnly,
    'sha512/sha512': from(21),
  },
  DSA: {
    'sha1/any': always,
    'sha1/sha1': from(9),
    'sha224/any': from(22),
    'sha224/sha224': from(21),
    'sha256/any': from(22),
    'sha256/sha256': from(21),
    'md5/any': never,
    'sha384/any': never,
    'sha512/any': never,
  },
  EC: {
    'sha1/any': from(18),
    'sha1/sha1': from(18),
    'sha224/any': from(21),
    'sha224/sha224': from(21),
    'sha256/any': from(18),
    'sha256/sha256': from(21),
    'sha384/any': from(18),
    'sha384/sha384': from(21),
    'sha512/any': from(18),
    'sha512/sha512': from(21),
    'md5/any': never,
  },
};

export interface V1Algorithm {
  kind: SignatureKind;
  /** Of the content, where there are signed attributes. */
  digest: HashName;
  /** `SHA1_WITH_RSA` */
  name: string;
  /** Whether every API level of the range takes this pair of algorithms. */
  isSupported(minSdkVersion: number, maxSdkVersion: number): boolean;
}

/** The algorithms that a PKCS #7 signer names, null where one is unknown. */
export function findV1Algorithm(digestOid: string, signatureOid: string): V1Algorithm | null {
  const digest = digestOids[digestOid];
  const signature = signatureOids[signatureOid];
  if (digest === undefined || signature === undefined) return null;
  const hash = signature.hash ?? digest;
  const ranges = supported[signature.key][`${digest}/${signature.hash ?? 'any'}`] ?? lollipopToMarshmallow;
  return {
    kind: { key: signature.key, hash, isPss: false },
    digest,
    name: `${hash.toUpperCase()}_WITH_${signature.key === 'EC' ? 'ECDSA' : signature.key}`,
    isSupported: (min, max) => ranges.some(([first, last]) => first <= min && max <= last),
  };
}
