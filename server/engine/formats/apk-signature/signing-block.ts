// Finds the APK Signing Block and lists its pairs. Knows nothing of what the pairs say.
import type { ByteSource } from '../../../vault/byte-source.ts';

/** Ids of the pairs that are known, https://source.android.com/docs/security/features/apksigning/v2#apk-signing-block */
export const blockId = {
  v2: 0x7109871a,
  v3: 0xf05368c0,
  v31: 0x1b93ad61,
  sourceStampV1: 0x2b09189e,
  sourceStampV2: 0x6dff800d,
} as const;

const blockNames: ReadonlyMap<number, string> = new Map([
  [blockId.v2, 'APK Signature Scheme v2'],
  [blockId.v3, 'APK Signature Scheme v3'],
  [blockId.v31, 'APK Signature Scheme v3.1'],
  [blockId.sourceStampV1, 'source stamp v1'],
  [blockId.sourceStampV2, 'source stamp v2'],
  [0x42726577, 'padding'],
  [0x504b4453, 'dependency info'],
  [0x2146444e, 'Google Play frosting'],
  [0x71777777, 'Walle channel'],
  [0x881155ff, 'VasDolly channel'],
  [0x70e1c89f, 'APK Signature Scheme v3.2'],
]);

const magic = 'APK Sig Block 42';
const headerLength = 8;
const footerLength = 24;
const minBlockLength = headerLength + footerLength;
/** Blocks of a real app have some ten pairs. */
const maxPairs = 10_000;
/** A signature scheme's block holds certificates and digests, some kilobytes of them. */
const maxValueLength = 16 * 1024 * 1024;

interface SigningBlockPair {
  id: number;
  valueOffset: number;
  valueLength: number;
}

/** The parts of an APK that signatures cover separately. Offsets are absolute. */
export interface ApkSections {
  source: ByteSource;
  /** End of the contents of entries: the signing block's offset, or the central directory's where there is none. */
  contentsEnd: number;
  centralDirectoryOffset: number;
  centralDirectorySize: number;
  endRecordOffset: number;
  /** Null where the block, for the reason in `blockProblem`, is not one that Android sees. */
  pairs: readonly SigningBlockPair[] | null;
  /** Why Android overlooks the block although its magic is there; null where all is well. */
  blockProblem: string | null;
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function readPairs(
  source: ByteSource,
  start: number,
  end: number,
): { pairs: SigningBlockPair[]; problem: string | null } {
  const pairs: SigningBlockPair[] = [];
  for (let at = start; at < end; ) {
    if (pairs.length === maxPairs) return { pairs, problem: `the signing block has more than ${maxPairs} pairs` };
    const header = source.read(at, 12);
    const length = header.length < 8 || end - at < 8 ? -1 : Number(view(header).getBigUint64(0, true));
    if (header.length < 12 || length < 4 || length > end - at - 8) {
      return { pairs, problem: `pair ${pairs.length + 1} of the signing block has the wrong size ${length}` };
    }
    pairs.push({ id: view(header).getUint32(8, true), valueOffset: at + 12, valueLength: length - 4 });
    at += 8 + length;
  }
  return { pairs, problem: null };
}

/**
 * Looks for the APK Signing Block right before the central directory.
 * Specification: https://source.android.com/docs/security/features/apksigning/v2#apk-signing-block-format
 * @param centralDirectoryOffset as the end record says it
 * @param centralDirectorySize as the end record says it
 */
export function findSections(
  source: ByteSource,
  centralDirectoryOffset: number,
  centralDirectorySize: number,
  endRecordOffset: number,
): ApkSections {
  const sections = { source, centralDirectoryOffset, centralDirectorySize, endRecordOffset };
  const none = (blockProblem: string | null): ApkSections => ({
    ...sections,
    contentsEnd: centralDirectoryOffset,
    pairs: null,
    blockProblem,
  });
  if (centralDirectoryOffset < minBlockLength) return none(null);
  const footer = source.read(centralDirectoryOffset - footerLength, footerLength);
  if (footer.length < footerLength || Buffer.from(footer).toString('latin1', 8) !== magic) return none(null);
  if (centralDirectoryOffset + centralDirectorySize !== endRecordOffset) {
    return none('there is data between the central directory and the end record');
  }
  const size = Number(view(footer).getBigUint64(0, true));
  const offset = centralDirectoryOffset - size - headerLength;
  if (size < footerLength || size > 0x7fff_fff7 || offset < 0) return none(`the signing block's size ${size} is wrong`);
  const sizeInHeader = Number(view(source.read(offset, headerLength)).getBigUint64(0, true));
  if (sizeInHeader !== size) return none(`the signing block's sizes differ: ${sizeInHeader} and ${size}`);
  const { pairs, problem } = readPairs(source, offset + headerLength, centralDirectoryOffset - footerLength);
  return { ...sections, contentsEnd: offset, pairs, blockProblem: problem };
}

/** The value of the first pair with this id, null where there is none. One that is far too large is taken as empty. */
export function blockValue(sections: ApkSections, id: number): Uint8Array | null {
  const pair = sections.pairs?.find((candidate) => candidate.id === id);
  if (pair === undefined) return null;
  if (pair.valueLength > maxValueLength) return new Uint8Array(0);
  return sections.source.read(pair.valueOffset, pair.valueLength);
}

/** The block's pairs for a report. */
export function describeBlock(sections: ApkSections): { id: string; name: string; size: number }[] {
  return (sections.pairs ?? []).slice(0, 100).map(({ id, valueLength }) => ({
    id: `0x${id.toString(16).padStart(8, '0')}`,
    name: blockNames.get(id) ?? '',
    size: valueLength,
  }));
}
