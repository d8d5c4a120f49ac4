// Digests of an APK's contents as signature schemes v2 and newer define them. Knows no signer.
import { createHash, hash } from 'node:crypto';
import type { ByteSource } from '../../../vault/byte-source.ts';
import type { ContentDigestKind } from './signature-algorithms.ts';
import type { ApkSections } from './signing-block.ts';

/** Size of the chunks that are digested one by one; one of them is in memory at a time. */
const chunkSize = 1024 * 1024;
const chunkMark = 0xa5;
const topMark = 0x5a;
const pageSize = 4096;
const sha256Length = 32;
const endRecordLength = 22;
const directoryOffsetField = 16;

const hashes = { 'chunked-sha256': 'sha256', 'chunked-sha512': 'sha512' } as const;
type ChunkedKind = keyof typeof hashes;

/** A stretch of bytes that is digested on its own. */
interface Section {
  size: number;
  read(offset: number, length: number): Uint8Array;
}

const section = (source: ByteSource, start: number, end: number): Section => ({
  size: end - start,
  read: (offset, length) => source.read(start + offset, length),
});

/** The end record as it was before the signing block came in: the directory's offset points to where the block begins. */
function unsignedEndRecord({ source, contentsEnd, endRecordOffset }: ApkSections): Section {
  const bytes = Uint8Array.from(source.read(endRecordOffset, source.size - endRecordOffset));
  if (bytes.length >= endRecordLength) new DataView(bytes.buffer).setUint32(directoryOffsetField, contentsEnd, true);
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

function signedSections(sections: ApkSections): Section[] {
  const { source, contentsEnd, centralDirectoryOffset, endRecordOffset } = sections;
  return [
    section(source, 0, contentsEnd),
    section(source, centralDirectoryOffset, endRecordOffset),
    unsignedEndRecord(sections),
  ];
}

/** fs-verity's hash tree, grown page by page: each level digests the pages of the one below. */
class VerityTree {
  readonly #levels: { page: Buffer; filled: number }[] = [];
  /** Salt of eight zero bytes, then the page. */
  readonly #salted = Buffer.alloc(8 + pageSize);
  #size = 0;
  #pending = 0;

  update(bytes: Uint8Array): void {
    this.#size += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(pageSize - this.#pending, bytes.length - at);
      this.#salted.set(bytes.subarray(at, at + count), 8 + this.#pending);
      this.#pending += count;
      at += count;
      if (this.#pending === pageSize) this.#closePage();
    }
  }

  #closePage(): void {
    this.#salted.fill(0, 8 + this.#pending);
    this.#pending = 0;
    this.#append(0, hash('sha256', this.#salted, 'buffer'));
  }

  #append(level: number, digest: Buffer): void {
    this.#levels[level] ??= { page: Buffer.alloc(8 + pageSize), filled: 0 };
    const { page, filled } = this.#levels[level];
    page.set(digest, 8 + filled);
    this.#levels[level].filled = filled + sha256Length;
    if (filled + sha256Length === pageSize) this.#flush(level);
  }

  #flush(level: number): void {
    const current = this.#levels[level]!;
    current.page.fill(0, 8 + current.filled);
    current.filled = 0;
    this.#append(level + 1, hash('sha256', current.page, 'buffer'));
  }

  /** Root of the tree, then the length of the data. */
  digest(): Buffer {
    if (this.#pending > 0) this.#closePage();
    // A full page was closed at once: a level whose only digest is that of a full page below is the root's parent.
    let level = 0;
    while (level + 1 < this.#levels.length) {
      if (this.#levels[level]!.filled > 0) this.#flush(level);
      level++;
    }
    const top = this.#levels[level];
    if (top === undefined) return Buffer.alloc(sha256Length + 8);
    let root: Buffer;
    if (level > 0 && top.filled === sha256Length) root = Buffer.from(top.page.subarray(8, 8 + sha256Length));
    else {
      top.page.fill(0, 8 + top.filled);
      root = hash('sha256', top.page, 'buffer');
    }
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(this.#size));
    return Buffer.concat([root, length]);
  }
}

/**
 * Digests the APK without its signing block, in one pass over the file for all the kinds asked for.
 * Specification: https://source.android.com/docs/security/features/apksigning/v2#integrity-protected-contents, and for
 * fs-verity https://docs.kernel.org/filesystems/fsverity.html#merkle-tree
 */
export function computeContentDigests(
  sections: ApkSections,
  kinds: ReadonlySet<ContentDigestKind>,
): Map<ContentDigestKind, Uint8Array> {
  const parts = signedSections(sections);
  const chunkCount = parts.reduce((sum, { size }) => sum + Math.ceil(size / chunkSize), 0);
  const tops = (Object.keys(hashes) as ChunkedKind[])
    .filter((kind) => kinds.has(kind))
    .map((kind) => ({ kind, hash: createHash(hashes[kind]) }));
  const prefix = Buffer.alloc(5);
  prefix[0] = topMark;
  prefix.writeUInt32LE(chunkCount, 1);
  for (const top of tops) top.hash.update(prefix);
  const tree = kinds.has('verity-sha256') ? new VerityTree() : null;

  prefix[0] = chunkMark;
  for (const part of parts) {
    for (let at = 0; at < part.size; at += chunkSize) {
      const chunk = part.read(at, Math.min(chunkSize, part.size - at));
      prefix.writeUInt32LE(chunk.length, 1);
      for (const top of tops) {
        top.hash.update(createHash(hashes[top.kind]).update(prefix).update(chunk).digest());
      }
      tree?.update(chunk);
    }
  }
  const digests = new Map<ContentDigestKind, Uint8Array>(tops.map((top) => [top.kind, top.hash.digest()]));
  if (tree !== null) digests.set('verity-sha256', tree.digest());
  return digests;
}

/** Whether the signing block lies on page boundaries, without which Android refuses the fs-verity digest. */
export function isVerityAligned({ contentsEnd, centralDirectoryOffset }: ApkSections): boolean {
  return contentsEnd % pageSize === 0 && (centralDirectoryOffset - contentsEnd) % pageSize === 0;
}
