// What APKs that are alike by their fingerprints have in common, as numbers that are looked up. Knows no APK.
import { hashBytes } from '../../../contract/engine/code-sketch.ts';
import type { Fingerprint, HashSet } from '../../../contract/engine/fingerprint.ts';
import { lengthStepOf } from './tlsh-distance.ts';

/** A number for each kind of key, above the 32 bits of its value. */
const kinds = { icon: 0, fileTlsh: 1, dexTlsh: 2, fileSsdeep: 3, dexSsdeep: 4, files: 5, native: 6 } as const;
type KeyKind = keyof typeof kinds;

/** Of a set, its smallest hashes: sets that share half of their members share half of these. */
const keysOfSet = 12;
/** Of the pieces of seven letters that ssdeep takes for more than chance; those with the smallest hashes. */
const pieceLength = 7;
const piecesOf = { whole: 8, half: 4 } as const;
/** Two bytes of a TLSH digest, eight of its buckets. */
const digestHeader = 3;
const chunkBytes = 2;
/** Files of a length that is a tenth more or less are a step away. */
const nearSteps = [-1, 0, 1];

const keyOf = (kind: KeyKind, value: number): number => kinds[kind] * 2 ** 32 + (value >>> 0);

/** FNV-1a, spread over all bits. */
function textHash(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** By quarters: two hashes that differ in three bits have one in common. */
function iconKeys(icon: Uint8Array | null): number[] {
  if (icon === null) return [];
  return [0, 1, 2, 3].map((quarter) =>
    keyOf('icon', (quarter << 16) | (icon[quarter * 2]! << 8) | icon[quarter * 2 + 1]!),
  );
}

function tlshKeys(kind: KeyKind, digest: string | null, steps: readonly number[]): number[] {
  if (digest === null) return [];
  const bytes = Buffer.from(digest, 'hex');
  const length = lengthStepOf(bytes);
  const keys: number[] = [];
  for (const step of steps)
    for (let at = digestHeader; at + 1 < bytes.length; at += chunkBytes)
      keys.push(keyOf(kind, (at << 24) | (((length + step) & 0xff) << 16) | (bytes[at]! << 8) | bytes[at + 1]!));
  return keys;
}

function ssdeepKeys(kind: KeyKind, signature: string): number[] {
  const [size, whole, half] = signature.split(':');
  const blockSize = Number(size);
  return [
    ...pieceKeys(kind, whole ?? '', blockSize, piecesOf.whole),
    ...pieceKeys(kind, half ?? '', blockSize * 2, piecesOf.half),
  ];
}

function pieceKeys(kind: KeyKind, text: string, blockSize: number, most: number): number[] {
  // As it is compared: the rest of a run is dropped.
  const compared = text.replace(/(.)\1{3,}/g, '$1$1$1');
  const hashes = new Set<number>();
  for (let at = 0; at + pieceLength <= compared.length; at++)
    hashes.add(textHash(compared.slice(at, at + pieceLength), blockSize));
  return [...hashes]
    .sort((one, other) => one - other)
    .slice(0, most)
    .map((hash) => keyOf(kind, hash));
}

function setKeys(kind: KeyKind, { hashes }: HashSet): number[] {
  const bytes = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length);
  const keys: number[] = [];
  for (let at = 0; at < bytes.length && keys.length < keysOfSet; at += hashBytes)
    keys.push(keyOf(kind, bytes.readUInt32BE(at)));
  return keys;
}

function allKeys({ icon, digests, files, native }: Fingerprint, steps: readonly number[]): number[] {
  const [file, dex] = digests;
  return [
    ...iconKeys(icon),
    ...tlshKeys('fileTlsh', file?.tlsh ?? null, steps),
    ...tlshKeys('dexTlsh', dex?.tlsh ?? null, steps),
    ...ssdeepKeys('fileSsdeep', file?.ssdeep ?? ''),
    ...ssdeepKeys('dexSsdeep', dex?.ssdeep ?? ''),
    ...setKeys('files', files),
    ...setKeys('native', native),
  ];
}

/** The keys that an APK is kept under. */
export const fingerprintKeys = (fingerprint: Fingerprint): number[] => allKeys(fingerprint, [0]);

/** The keys that APKs like it may be kept under. */
export const similarKeys = (fingerprint: Fingerprint): number[] => allKeys(fingerprint, nearSteps);
