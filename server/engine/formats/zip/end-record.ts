// Finds the end record of a ZIP archive and, from it, the central directory. Knows nothing of entries.
import type { ByteSource } from '../../../vault/byte-source.ts';
import type { Findings } from '../../findings.ts';
import { FormatError } from '../byte-reader.ts';

export const localSignature = 0x04034b50;
export const directorySignature = 0x02014b50;
const endMarker = 'PK\x05\x06';
const end64Signature = 0x06064b50;
const locatorSignature = 0x07064b50;
const endLength = 22;
const end64Length = 56;
const locatorLength = 20;
const maxCommentLength = 0xffff;
/** Signatures that are looked at: a tail full of them is made to cost time. */
const maxCandidates = 256;

/** Where the central directory lies. Offsets are absolute in the file. */
export interface EndRecord {
  offset: number;
  directoryOffset: number;
  directorySize: number;
  /** First byte after the space the directory may use: the end record, or the ZIP64 end record. */
  directoryLimit: number;
  entryCount: number;
  comment: Uint8Array;
  /** Distance of the directory from its declared offset: non-zero where data was put in front of the archive. */
  shift: number;
}

interface Directory {
  offset: number;
  size: number;
  limit: number;
  count: number;
}

/** The number at `offset`, -1 where the file has none there. */
export const readU32 = (source: ByteSource, offset: number): number => {
  const bytes = offset < 0 ? new Uint8Array(0) : source.read(offset, 4);
  return bytes.length < 4 ? -1 : new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
};

/** The ZIP64 record that the locator before the end record points to, null where there is none. */
function zip64Directory(source: ByteSource, endOffset: number): Directory | null {
  const locatorOffset = endOffset - locatorLength;
  if (locatorOffset < end64Length || readU32(source, locatorOffset) !== locatorSignature) return null;
  const locator = source.read(locatorOffset, locatorLength);
  const declared = Number(new DataView(locator.buffer, locator.byteOffset).getBigUint64(8, true));
  // The record stands right before its locator wherever data was put in front of the archive.
  const offset = [declared, locatorOffset - end64Length].find(
    (candidate) => candidate <= locatorOffset - end64Length && readU32(source, candidate) === end64Signature,
  );
  if (offset === undefined) return null;
  const bytes = source.read(offset, end64Length);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    count: Number(view.getBigUint64(32, true)),
    size: Number(view.getBigUint64(40, true)),
    offset: Number(view.getBigUint64(48, true)),
    limit: offset,
  };
}

/** How far the directory's real place is from the declared one, null where there is no directory in either. */
function directoryShift(source: ByteSource, { offset, size, limit, count }: Directory): number | null {
  if (count === 0 && size === 0 && offset <= limit) return 0;
  if (offset + 4 <= limit && readU32(source, offset) === directorySignature) return 0;
  const real = limit - size;
  if (size >= 46 && real > 0 && readU32(source, real) === directorySignature) return real - offset;
  return null;
}

/** Prefers an end record with entries, then one that ends the file. */
const rankOf = (isExact: boolean, hasEntries: boolean): number => (hasEntries ? 2 : 0) + (isExact ? 1 : 0);

/**
 * Finds the end record as Android does: the last one whose comment reaches to the end of the file. Where there is no
 * such record, data after the archive or before it is allowed for, and reported.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (4.3.16, 4.3.14, 4.3.15)
 * @throws FormatError with code `not-a-zip`
 */
export function findEndRecord(source: ByteSource, findings: Findings): EndRecord {
  if (source.size < endLength) {
    throw new FormatError(
      'not-a-zip',
      0,
      `a ZIP archive has ${endLength} bytes at least, this file has ${source.size}`,
    );
  }
  const tailLength = Math.min(source.size, endLength + maxCommentLength);
  const tailOffset = source.size - tailLength;
  const bytes = source.read(tailOffset, tailLength);
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length);

  let best: EndRecord | null = null;
  let bestRank = -1;
  let candidates = 0;
  let position = tail.length - endLength;
  while (position >= 0 && candidates < maxCandidates) {
    position = tail.lastIndexOf(endMarker, position, 'latin1');
    if (position < 0) break;
    candidates++;
    const offset = tailOffset + position;
    const commentEnd = position + endLength + view.getUint16(position + 20, true);
    const isExact = commentEnd === tail.length;
    if (bestRank < rankOf(isExact, true)) {
      const plain: Directory = {
        count: view.getUint16(position + 10, true),
        size: view.getUint32(position + 12, true),
        offset: view.getUint32(position + 16, true),
        limit: offset,
      };
      // A count of 65,535 alone does not make Android look for the record, as it makes other tools.
      const mayBeZip64 = plain.size === 0xffffffff || plain.offset === 0xffffffff;
      const directory = (mayBeZip64 ? zip64Directory(source, offset) : null) ?? plain;
      const shift = directoryShift(source, directory);
      const rank = rankOf(isExact, directory.count > 0);
      if (shift !== null && rank > bestRank) {
        bestRank = rank;
        best = {
          offset,
          directoryOffset: directory.offset + shift,
          directorySize: directory.size,
          directoryLimit: directory.limit,
          entryCount: directory.count,
          comment: tail.subarray(position + endLength, Math.min(commentEnd, tail.length)),
          shift,
        };
        if (rank === rankOf(true, true)) break;
      }
    }
    position--;
  }
  if (best === null) throw notAZip(source, candidates);

  reportEndRecord(source, { best, rank: bestRank, candidates }, findings);
  return best;
}

/** Reports data behind the end record, several of them, and a shifted directory. */
function reportEndRecord(
  source: ByteSource,
  { best, rank, candidates }: { best: EndRecord; rank: number; candidates: number },
  findings: Findings,
): void {
  const where = `end record 0x${best.offset.toString(16)}`;
  if (rank !== rankOf(true, best.entryCount > 0)) {
    const commentEnd = best.offset + endLength + best.comment.length;
    const evidence =
      commentEnd < source.size
        ? `${source.size - commentEnd} bytes follow the archive's comment; Android refuses such an archive`
        : 'the comment is said to be longer than the file';
    findings.add('zip-trailing-data', where, evidence);
  }
  if (candidates > 1) {
    findings.add(
      'zip-multiple-end-records',
      where,
      `${candidates} end record signatures; Android refuses an archive whose last one is not its end`,
    );
  }
  if (best.shift !== 0) {
    findings.add(
      'zip-shifted-offsets',
      where,
      `the directory stands ${best.shift} bytes from where it is said to; Android refuses such an archive`,
    );
  }
}

function notAZip(source: ByteSource, candidates: number): FormatError {
  if (candidates > 0) {
    return new FormatError(
      'not-a-zip',
      source.size,
      'the end record points to no central directory: damaged or truncated',
    );
  }
  const isBegun = readU32(source, 0) === localSignature;
  const message = isBegun
    ? 'the file begins as a ZIP archive and does not end as one: truncated, or buried in other data'
    : 'the file has no ZIP end record';
  return new FormatError('not-a-zip', source.size, message);
}
