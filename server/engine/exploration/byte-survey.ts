// Looks through all bytes of an entry, or of the APK itself: for places of a text or bytes, and how evenly they are spread.
// Knows no format.
import type { Exploration, ExplorationAnswers } from '../../contract/engine/exploration.ts';
import { ExplorationFault } from './fault.ts';
import type { EntryPlace, OpenedApp } from './opened-app.ts';

/** Read at a time of an APK, which may be larger than the memory. */
const pieceLength = 1 << 20;
/** Places that are told. */
const maxHits = 1000;
/** Stretches whose entropy is told. */
const maxBlocks = 256;
const leastBlock = 256;

interface Bytes {
  size: number;
  read(offset: number, length: number): Uint8Array;
}

function bytesOf(app: OpenedApp, place: EntryPlace): Bytes {
  if (place.index === undefined && (place.path === undefined || place.path === '')) {
    const { size } = app.source;
    return { size, read: (offset, length) => app.source.read(offset, Math.min(length, size - offset)) };
  }
  const { bytes: content } = app.content(place);
  return { size: content.length, read: (offset, length) => content.subarray(offset, offset + length) };
}

/** What is looked for; a text also as the two bytes of each letter that Java and Windows write. */
function needlesOf({ q, as }: { q: string; as: 'text' | 'hex' }): Buffer[] {
  if (as === 'text') return [Buffer.from(q), Buffer.from(q, 'utf16le')];
  const digits = q.replace(/\s+|0x/gi, '');
  if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) {
    throw new ExplorationFault('bad-question', 'Write bytes as pairs of hexadecimal digits: 50 4b 03 04.', 'q');
  }
  return [Buffer.from(digits, 'hex')];
}

/** Places of a text or of bytes, in their order; they may overlap. @throws ExplorationFault */
export function searchBytes(
  app: OpenedApp,
  question: Extract<Exploration, { ask: 'byte-search' }>,
): ExplorationAnswers['byte-search'] {
  const needles = needlesOf(question);
  const bytes = bytesOf(app, question);
  const longest = Math.max(...needles.map(({ length }) => length));
  const results: { offset: number; length: number }[] = [];
  let count = 0;
  for (let from = 0; from < bytes.size; from += pieceLength) {
    const piece = Buffer.from(bytes.read(from, pieceLength + longest - 1));
    const found: { offset: number; length: number }[] = [];
    for (const needle of needles) {
      for (let at = piece.indexOf(needle); at >= 0 && at < pieceLength; at = piece.indexOf(needle, at + 1)) {
        count += 1;
        if (results.length + found.length < maxHits) found.push({ offset: from + at, length: needle.length });
      }
    }
    results.push(...found.sort((a, b) => a.offset - b.offset));
  }
  return { size: bytes.size, count, results };
}

/** Bits that each byte tells, from 0 to 8. */
function entropyOf(counts: Uint32Array, size: number): number {
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / size) * Math.log2(count / size);
  return Math.round(bits * 1000) / 1000;
}

/** How much the bytes tell, as a whole and by stretches of equal length: what is packed or encrypted comes close to 8. */
export function measureEntropy(app: OpenedApp, place: EntryPlace): ExplorationAnswers['entropy'] {
  const bytes = bytesOf(app, place);
  const block = Math.max(leastBlock, Math.ceil(bytes.size / maxBlocks));
  const whole = new Uint32Array(256);
  const blocks: number[] = [];
  for (let from = 0; from < bytes.size; from += block) {
    const end = Math.min(bytes.size, from + block);
    const counts = new Uint32Array(256);
    for (let at = from; at < end; at += pieceLength) {
      for (const byte of bytes.read(at, Math.min(pieceLength, end - at))) counts[byte]! += 1;
    }
    for (let byte = 0; byte < 256; byte += 1) whole[byte]! += counts[byte]!;
    blocks.push(entropyOf(counts, end - from));
  }
  return { size: bytes.size, block, entropy: bytes.size === 0 ? 0 : entropyOf(whole, bytes.size), blocks };
}
