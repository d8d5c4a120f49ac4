// The signature algorithms of APK Signature Schemes v2 and newer. Knows no block format.
import type { SignatureKind } from '../x509/signature.ts';
import { apiLevel } from './platform-versions.ts';

/** How the APK's contents are digested: 1 MiB chunks with one of two hashes, or fs-verity's tree of 4 KiB pages. */
export type ContentDigestKind = 'chunked-sha256' | 'verity-sha256' | 'chunked-sha512';

/** Which digest Android trusts most, where a signer offers several. */
const preference: readonly ContentDigestKind[] = ['chunked-sha256', 'verity-sha256', 'chunked-sha512'];

export interface SignatureAlgorithm {
  id: number;
  name: string;
  kind: SignatureKind;
  digest: ContentDigestKind;
  /** First API level that knows the algorithm. */
  minSdkVersion: number;
}

const algorithm = (
  id: number,
  name: string,
  key: SignatureKind['key'],
  hash: SignatureKind['hash'],
  digest: ContentDigestKind,
  isPss = false,
): SignatureAlgorithm => ({
  id,
  name,
  kind: { key, hash, isPss },
  digest,
  minSdkVersion: digest === 'verity-sha256' ? apiLevel.pie : apiLevel.nougat,
});

/** https://source.android.com/docs/security/features/apksigning/v2#signature-algorithm-ids */
const algorithms: ReadonlyMap<number, SignatureAlgorithm> = new Map(
  [
    algorithm(0x0101, 'SHA256_WITH_RSA_PSS', 'RSA', 'sha256', 'chunked-sha256', true),
    algorithm(0x0102, 'SHA512_WITH_RSA_PSS', 'RSA', 'sha512', 'chunked-sha512', true),
    algorithm(0x0103, 'SHA256_WITH_RSA', 'RSA', 'sha256', 'chunked-sha256'),
    algorithm(0x0104, 'SHA512_WITH_RSA', 'RSA', 'sha512', 'chunked-sha512'),
    algorithm(0x0201, 'SHA256_WITH_ECDSA', 'EC', 'sha256', 'chunked-sha256'),
    algorithm(0x0202, 'SHA512_WITH_ECDSA', 'EC', 'sha512', 'chunked-sha512'),
    algorithm(0x0301, 'SHA256_WITH_DSA', 'DSA', 'sha256', 'chunked-sha256'),
    algorithm(0x0421, 'VERITY_SHA256_WITH_RSA', 'RSA', 'sha256', 'verity-sha256'),
    algorithm(0x0423, 'VERITY_SHA256_WITH_ECDSA', 'EC', 'sha256', 'verity-sha256'),
    algorithm(0x0425, 'VERITY_SHA256_WITH_DSA', 'DSA', 'sha256', 'verity-sha256'),
  ].map((entry) => [entry.id, entry]),
);

export function findAlgorithm(id: number): SignatureAlgorithm | null {
  return algorithms.get(id) ?? null;
}

/** Name of an algorithm for a report; `0x…` for an unknown one. */
export function algorithmName(id: number): string {
  return findAlgorithm(id)?.name ?? `0x${id.toString(16).padStart(4, '0')}`;
}

/**
 * The signatures that at least one platform version of the range verifies: each takes the one with the best digest among
 * those it knows, and ignores the others.
 * @returns null where some version of the range knows none of them
 */
export function chooseSignatures<T extends { algorithm: SignatureAlgorithm | null }>(
  signatures: readonly T[],
  minSdkVersion: number,
  maxSdkVersion: number,
): T[] | null {
  const best = new Map<number, T & { algorithm: SignatureAlgorithm }>();
  for (const signature of signatures) {
    const { algorithm: candidate } = signature;
    if (candidate === null || candidate.minSdkVersion > maxSdkVersion) continue;
    const rival = best.get(candidate.minSdkVersion)?.algorithm;
    if (rival === undefined || preference.indexOf(candidate.digest) > preference.indexOf(rival.digest)) {
      best.set(candidate.minSdkVersion, { ...signature, algorithm: candidate });
    }
  }
  if (best.size === 0 || minSdkVersion < Math.min(...best.keys())) return null;
  return [...best.values()].sort((a, b) => a.algorithm.id - b.algorithm.id);
}
