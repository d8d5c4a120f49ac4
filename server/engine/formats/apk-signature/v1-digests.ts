// The digests that sections of manifests and signature files name, and which of them Android checks. Knows no archive.
import { createHash, type Hash, hash } from 'node:crypto';
import type { HashName } from '../x509/signature.ts';
import type { ManifestSection } from './jar-manifest.ts';
import { apiLevel } from './platform-versions.ts';

export interface NamedDigest {
  hash: HashName;
  value: Buffer;
}

/** From Android 4.3 on the strongest digest that is there counts, and no other. */
const strongestFirst: readonly (readonly [attribute: string, hash: HashName])[] = [
  ['sha-512', 'sha512'],
  ['sha-384', 'sha384'],
  ['sha-256', 'sha256'],
  ['sha1', 'sha1'],
];

/** Names in `Digest-Algorithms` with the first API level that takes them. */
const namedAlgorithms: Readonly<Record<string, { hash: HashName; from: number }>> = {
  md5: { hash: 'md5', from: 0 },
  sha: { hash: 'sha1', from: 0 },
  sha1: { hash: 'sha1', from: 0 },
  'sha-1': { hash: 'sha1', from: 0 },
  'sha-256': { hash: 'sha256', from: 0 },
  'sha-384': { hash: 'sha384', from: apiLevel.gingerbread },
  'sha-512': { hash: 'sha512', from: apiLevel.gingerbread },
};

/**
 * The digests of a section that the platform versions of the range check: before Android 4.3 the first one of
 * `Digest-Algorithms`, which is SHA-1 by default; from then on the strongest.
 * @param suffix lower-case end of the attributes' names: `-digest`, `-digest-manifest` …
 */
export function digestsToVerify(
  { attributes }: ManifestSection,
  suffix: string,
  minSdkVersion: number,
  maxSdkVersion: number,
): NamedDigest[] {
  const digests: NamedDigest[] = [];
  if (minSdkVersion < apiLevel.jellyBeanMr2) {
    const listed = attributes.get('digest-algorithms') ?? 'SHA SHA1';
    for (const word of listed.toLowerCase().split(/\s+/)) {
      const value = attributes.get(`${word}${suffix}`);
      const algorithm = namedAlgorithms[word];
      if (value === undefined || algorithm === undefined || algorithm.from > minSdkVersion) continue;
      digests.push({ hash: algorithm.hash, value: Buffer.from(value, 'base64') });
      break;
    }
    // Older versions find nothing to check and refuse the APK, whatever newer ones would find.
    if (digests.length === 0) return digests;
  }
  if (maxSdkVersion >= apiLevel.jellyBeanMr2) {
    for (const [attribute, name] of strongestFirst) {
      const text = attributes.get(`${attribute}${suffix}`);
      if (text === undefined) continue;
      const value = Buffer.from(text, 'base64');
      if (!digests.some((known) => known.hash === name && known.value.equals(value))) {
        digests.push({ hash: name, value });
      }
      break;
    }
  }
  return digests;
}

/** The first digest that the content, in pieces, does not have; null where it has all. */
export function findMismatch(digests: readonly NamedDigest[], pieces: Iterable<Uint8Array>): NamedDigest | null {
  let only: Uint8Array | null = null;
  let running: Hash[] | null = null;
  for (const piece of pieces) {
    if (only === null) {
      only = piece;
      continue;
    }
    running ??= digests.map((digest) => createHash(digest.hash).update(only!));
    for (const each of running) each.update(piece);
  }
  // One piece is the rule, and hashing it at once is much cheaper than by steps.
  const actual = (digest: NamedDigest, index: number): Buffer =>
    running?.[index]?.digest() ?? hash(digest.hash, only ?? new Uint8Array(0), 'buffer');
  return digests.find((digest, index) => !actual(digest, index).equals(digest.value)) ?? null;
}
