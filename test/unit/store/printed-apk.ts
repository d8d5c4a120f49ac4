// Fingerprints of an APK that the tests of the content index make up.
import { printBits } from '../../../server/contract/engine/content-index.ts';
import type { PrintedApk } from '../../../server/store/content-index/segment-building.ts';
import { randomNumbers } from '../../fuzz/random.ts';

/** Two groups of files, and no reports: each has many fingerprints of its own, and some that others have too. */
export function printedApk(id: number, tag = id): PrintedApk {
  const random = randomNumbers(tag);
  const group = (end: number) => {
    const prints = new Set([
      0,
      7,
      2 ** printBits - 1,
      tag,
      ...Array.from({ length: 200 }, () => random(2 ** printBits)),
    ]);
    return { end, prints: Uint32Array.from(prints).sort() };
  };
  return { id, tag, files: { filesCount: 9, groups: [group(1), group(9), { end: 10, prints: new Uint32Array() }] } };
}
