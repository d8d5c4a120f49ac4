// Artefacts of a run: bytes by their SHA-256 with the path and the method that wrote them, compressed together. Knows nothing of what they are.
import { zstdCompressSync } from 'node:zlib';
import { DamagedReportError, type PackedBytes, packing } from './packed-bytes.ts';

/** What a run left; of several with the same content, the bytes are kept once. */
export interface Artefact {
  /** Where the run put it. */
  path: string;
  action: 'carried' | 'written' | 'decrypted' | 'downloaded' | 'loaded' | 'installed';
  /** The app's method that did it, `Lcom/a/B;->m()V`; null where unknown. */
  by: string | null;
  sha256: string;
  bytes: Uint8Array;
}

const hashSize = 32;
/** A hash and the length, as unsigned 32 bits in little endian, stand before each artefact's bytes. */
const headSize = hashSize + 4;
/** Marks the JSON list of paths and methods by hash; older packings have none. */
const listHash = '0'.repeat(2 * hashSize);

/** Blocks its thread, by some 5 ms for a megabyte. */
export function packArtefacts(artefacts: readonly Artefact[]): PackedBytes {
  const ways = artefacts.map(({ bytes: _, ...way }) => way);
  const kept = new Map(artefacts.map((artefact) => [artefact.sha256, artefact])).values();
  const list = { sha256: listHash, bytes: Buffer.from(JSON.stringify(ways)) };
  const pieces = [...kept, list].flatMap(({ sha256, bytes }) => {
    const head = Buffer.alloc(headSize);
    head.write(sha256, 'hex');
    head.writeUInt32LE(bytes.length, hashSize);
    return [head, bytes];
  });
  const whole = Buffer.concat(pieces);
  return { size: whole.length, compressed: zstdCompressSync(whole, packing) };
}

/** All of them, from the decompressed bytes. @throws DamagedReportError */
export function artefactsIn(whole: Buffer): Artefact[] {
  const contents = new Map([...records(whole)].map(({ sha256, bytes }) => [sha256, bytes]));
  const list = contents.get(listHash);
  contents.delete(listHash);
  const unlisted = () => [...contents.keys()].map((sha256) => ({ sha256, ...unknownWay }));
  const ways = list === undefined ? unlisted() : waysIn(list);
  return ways.flatMap((way) => {
    const bytes = contents.get(way.sha256);
    return bytes === undefined ? [] : [{ ...way, bytes }];
  });
}

function waysIn(list: Buffer): Omit<Artefact, 'bytes'>[] {
  try {
    const ways = JSON.parse(list.toString()) as Omit<Artefact, 'bytes'>[];
    if (!Array.isArray(ways) || ways.some((way) => typeof way?.path !== 'string'))
      throw new TypeError('no list of ways');
    return ways;
  } catch (cause) {
    throw new DamagedReportError(cause);
  }
}

const unknownWay = { path: 'unknown', action: 'loaded', by: null } as const;

/** The artefact with this hash, from the decompressed bytes; null where there is none. */
export function artefactIn(whole: Buffer, sha256: string): Buffer | null {
  for (const record of records(whole)) if (record.sha256 === sha256 && sha256 !== listHash) return record.bytes;
  return null;
}

function* records(whole: Buffer): Generator<{ sha256: string; bytes: Buffer }> {
  for (let at = 0; at + headSize <= whole.length; ) {
    const end = at + headSize + whole.readUInt32LE(at + hashSize);
    yield { sha256: whole.toString('hex', at, at + hashSize), bytes: whole.subarray(at + headSize, end) };
    at = end;
  }
}
