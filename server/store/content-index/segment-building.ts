// Makes segments of the content index: of fingerprints that came from workers, and of segments that are merged.
import { printBits } from '../../contract/engine/content-index.ts';
import type { FilePrints } from '../../vault/packed-prints.ts';
import type { EntryCursor } from './entry-coding.ts';
import type { Segment } from './segment.ts';
import { type IndexedApk, SegmentApks } from './segment-apks.ts';
import { rangeBitsFor, SegmentWriter } from './segment-writer.ts';

export interface PrintedApk extends IndexedApk {
  files: FilePrints;
}

/** Writes what was read of some APKs. */
export function buildSegment(path: string, apks: readonly PrintedApk[]): void {
  const groups = apks.flatMap(({ files }) => files.groups);
  const postings = groups.reduce((sum, { prints }) => sum + prints.length, 0);
  const { prints, owners } = sortedPostings(
    groups.map((group) => group.prints),
    postings,
  );
  const table = new SegmentApks(apks.length, groups.length);
  let firstGroup = 0;
  for (const [place, { files, ...apk }] of apks.entries()) {
    const { filesCount } = files;
    table.set(place, apk, { filesCount, firstGroup, ends: files.groups.map(({ end }) => end) });
    firstGroup += files.groups.length;
  }
  const writer = new SegmentWriter(path, { rangeBits: rangeBitsFor(postings), groupsCount: table.groupsCount });
  try {
    for (let start = 0; start < postings; ) {
      let end = start + 1;
      while (end < postings && prints[end] === prints[start]) end += 1;
      writer.add(prints[start]!, owners.subarray(start, end), end - start);
      start = end;
    }
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.finish(table);
}

const digitBits = printBits / 2;
const digits = 2 ** digitBits;

/** By fingerprint, those of one in the order of the groups (radix sort, two digits). */
function sortedPostings(groups: readonly Uint32Array[], count: number): { prints: Uint32Array; owners: Uint32Array } {
  let prints = new Uint32Array(count);
  let owners = new Uint32Array(count);
  let at = 0;
  for (const [group, some] of groups.entries()) {
    prints.set(some, at);
    owners.fill(group, at, at + some.length);
    at += some.length;
  }
  for (const shift of [0, digitBits]) {
    const places = new Uint32Array(digits + 1);
    for (const print of prints) places[((print >>> shift) & (digits - 1)) + 1]! += 1;
    for (let digit = 0; digit < digits; digit++) places[digit + 1]! += places[digit]!;
    const [toPrints, toOwners] = [new Uint32Array(count), new Uint32Array(count)];
    for (let index = 0; index < count; index++) {
      const digit = (prints[index]! >>> shift) & (digits - 1);
      const place = places[digit]!;
      places[digit] = place + 1;
      toPrints[place] = prints[index]!;
      toOwners[place] = owners[index]!;
    }
    [prints, owners] = [toPrints, toOwners];
  }
  return { prints, owners };
}

/** A segment that is merged. */
interface Merged {
  segment: Segment;
  /** By group, its number in the new segment; -1: it is left out. */
  places: Int32Array;
  range: number;
  cursor: EntryCursor | null;
}

/**
 * Writes segments into one.
 * @param isKept whether an APK of a segment, by its place there, is still wanted
 * @throws DamagedSegment
 */
export function mergeSegments(
  path: string,
  segments: readonly Segment[],
  isKept: (segment: Segment, apk: number) => boolean,
): void {
  const { table, merged } = mergedTables(segments, isKept);
  const postings = segments.reduce((sum, segment) => sum + segment.postings, 0);
  const writer = new SegmentWriter(path, { rangeBits: rangeBitsFor(postings), groupsCount: table.groupsCount });
  try {
    let open = merged.filter(moveOn);
    const groups: number[] = [];
    while (open.length > 0) {
      let least = Number.POSITIVE_INFINITY;
      for (const { cursor } of open) if (cursor!.print < least) least = cursor!.print;
      let count = 0;
      let hasEnded = false;
      for (const one of open) {
        const cursor = one.cursor!;
        if (cursor.print !== least) continue;
        for (let index = 0; index < cursor.count; index++) {
          const place = one.places[cursor.groups[index]!]!;
          if (place >= 0) groups[count++] = place;
        }
        if (!moveOn(one)) hasEnded = true;
      }
      if (count > 0) writer.add(least, groups, count);
      if (hasEnded) open = open.filter(({ cursor }) => cursor !== null);
    }
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.finish(table);
}

/** Goes on to the next fingerprint of a segment. @returns whether there is one */
function moveOn(merged: Merged): boolean {
  while (merged.cursor?.next() !== true) {
    if (merged.range >= merged.segment.rangesCount) {
      merged.cursor = null;
      return false;
    }
    merged.cursor = merged.segment.entries(merged.range);
    merged.range += 1;
  }
  return true;
}

function mergedTables(segments: readonly Segment[], isKept: (segment: Segment, apk: number) => boolean) {
  const kept = segments.map((segment) => [...segment.apks.ids.keys()].filter((apk) => isKept(segment, apk)));
  const groupsOf = ({ apks }: Segment, apk: number) => [apks.firstGroups[apk]!, apks.firstGroups[apk + 1]!] as const;
  const all = segments.flatMap((segment, index) => kept[index]!.map((apk) => groupsOf(segment, apk)));
  const table = new SegmentApks(
    all.length,
    all.reduce((sum, [first, end]) => sum + end - first, 0),
  );
  let place = 0;
  let firstGroup = 0;
  const merged = segments.map((segment, index): Merged => {
    const places = new Int32Array(segment.apks.groupsCount).fill(-1);
    const { ids, tags, filesCounts, ends } = segment.apks;
    for (const apk of kept[index]!) {
      const [first, end] = groupsOf(segment, apk);
      const record = { id: ids[apk]!, tag: tags[apk]! };
      table.set(place, record, { filesCount: filesCounts[apk]!, firstGroup, ends: ends.subarray(first, end) });
      for (let group = first; group < end; group++) places[group] = firstGroup + group - first;
      place += 1;
      firstGroup += end - first;
    }
    return { segment, places, range: 0, cursor: null };
  });
  return { table, merged };
}
