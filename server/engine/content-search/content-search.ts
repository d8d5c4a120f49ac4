// Looks for contents in all files of an APK, or in those that may hold them. Knows no index.
import type { LeftFiles } from '../../contract/engine/analysis-results.ts';
import type { ContentStep, OnlyFiles } from '../../contract/engine/content-index.ts';
import {
  type ContentPlace,
  type ContentTerm,
  contextLength,
  type FoundContent,
  maxCountedPlaces,
  maxPlaces,
  maxToldLength,
} from '../../contract/engine/content-search.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { isWithin, walkFiles } from '../app/scanned-files.ts';
import { Findings } from '../findings.ts';
import { addFingerprints, FingerprintSet } from '../similarity/text-fingerprints.ts';
import { type BytePattern, patternsOf, placesOf } from './byte-pattern.ts';

/** Of a longer text the others tell no more. */
const maxPrints = 100;

/** What a file needs for a content to stand in it, as far as fingerprints tell. */
export function contentNeed(term: ContentTerm): ContentStep[] {
  const set = new FingerprintSet();
  const pieces =
    term.kind === 'text'
      ? [Buffer.from(term.text)]
      : // Bytes in a row that are written out.
        [...term.bytes.matchAll(/../g)]
          .map(([signs]) => (signs.includes('?') ? '?' : signs))
          .join('')
          .split('?')
          .map((piece) => Buffer.from(piece, 'hex'));
  for (const piece of pieces) addFingerprints(piece, set);
  const prints = [...set.sorted().subarray(0, maxPrints)];
  return [prints.length === 0 ? { kind: 'any' } : { kind: 'prints', prints }];
}

export interface ContentSearchOptions {
  /** Also looks at what came out of the APK and is no entry of it; `left` by runs of it. */
  left?: LeftFiles | undefined;
  /** Looks at these files alone. */
  only?: OnlyFiles | undefined;
  progress(done: number): void;
}

/** Where each of some contents stands in the files of an APK. */
export function findContents(
  source: ByteSource,
  terms: readonly ContentTerm[],
  { left, only, progress }: ContentSearchOptions,
): FoundContent[] {
  const all = terms.map((term) => ({ patterns: patternsOf(term), count: 0, places: [] as ContentPlace[] }));
  walkFiles(source, {
    left,
    ...(only === undefined ? {} : { wants: (number) => isWithin(only.ranges, number) }),
    findings: new Findings(),
    progress,
    visit: ({ name, bytes }) => {
      for (const one of all) {
        const starts = placesIn(bytes, one.patterns, maxCountedPlaces - one.count);
        one.count += starts.length;
        for (const place of starts.slice(0, maxPlaces - one.places.length)) one.places.push(told(name, bytes, place));
      }
    },
  });
  return all.map(({ count, places }) => ({ count, places }));
}

interface Place {
  start: number;
  length: number;
}

function placesIn(bytes: Uint8Array, patterns: readonly BytePattern[], most: number): Place[] {
  const found = patterns.flatMap((pattern) => {
    const places: Place[] = [];
    const { length } = pattern.values;
    for (const start of placesOf(pattern, bytes)) {
      if (places.length >= most) break;
      places.push({ start, length });
    }
    return places;
  });
  return found.sort((one, other) => one.start - other.start).slice(0, most);
}

function told(file: string, bytes: Uint8Array, { start, length }: Place): ContentPlace {
  const end = start + length;
  const hex = (from: number, to: number) => Buffer.from(bytes.subarray(Math.max(0, from), to)).toString('hex');
  return {
    file,
    offset: start,
    length,
    before: hex(start - contextLength, start),
    found: hex(start, Math.min(end, start + maxToldLength)),
    after: hex(end, end + contextLength),
  };
}
