// `npm run bench -- contents`: what a search for a rare text in files costs at the index, as Markdown, with the formula for
// larger catalogues. The segments are made of numbers by chance, as many of them as files of real APKs have.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContentStep, printBits } from '../../server/contract/engine/content-index.ts';
import { ContentCandidates } from '../../server/services/analyses/content-searches/content-candidates.ts';
import { ContentIndex } from '../../server/store/content-index/content-index.ts';
import { SegmentApks } from '../../server/store/content-index/segment-apks.ts';
import { buildSegment } from '../../server/store/content-index/segment-building.ts';
import { SegmentWriter } from '../../server/store/content-index/segment-writer.ts';
import { dice } from './large-catalogue.ts';

/** APKs in segments that say little of each. */
const wide = { segments: 20, apks: 5_000, prints: 200 };
/** Segments of one range, as long as those of the largest segments are. */
const longRanges = 50;
const rounds = 40;
/** Of an APK of 5 MB, and of a segment that is merged no further. */
const printsOfApk = 200_000;
const printsOfSegment = 500_000_000;
/** Fingerprints that a text of 20 letters has; of a rare one the first two mostly say that nothing has them. */
const printsOfText = 2;
/** Ranges of such a segment: one is read for each fingerprint. */
const ranges = 65_536;

type Build = (pathOf: (number: number) => string) => void;
const { below } = dice(5);
const byChance = (count: number): Uint32Array =>
  Uint32Array.from({ length: count }, () => below(2 ** printBits)).sort();

const buildWide: Build = (pathOf) => {
  let id = 0;
  for (let number = 1; number <= wide.segments; number++) {
    const apks = Array.from({ length: wide.apks }, () => {
      id += 1;
      const groups = [
        { end: 1, prints: byChance(wide.prints) },
        { end: 2, prints: new Uint32Array(1) },
      ];
      return { id, tag: id, files: { filesCount: 1, groups } };
    });
    buildSegment(pathOf(number), apks);
  }
};

const buildLong: Build = (pathOf) => {
  for (let number = 1; number <= longRanges; number++) {
    const table = new SegmentApks(1, 2);
    table.set(0, { id: number, tag: number }, { filesCount: 1, firstGroup: 0, ends: [1, 2] });
    const writer = new SegmentWriter(pathOf(number), { rangeBits: 0, groupsCount: 2 });
    // Of a range as large as the whole: the differences take five bytes, where those within a real one take two.
    for (const print of byChance(Math.ceil(printsOfSegment / ranges))) writer.add(print, [0], 1);
    writer.finish(table);
  }
};

/** Milliseconds of one question for texts that nobody has, with what is made of its answer. */
async function perQuestion(build: Build): Promise<{ first: number; each: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-bench-contents-'));
  const index = new ContentIndex(dataDir);
  await index.state();
  const ask = async () => {
    const need: ContentStep[] = [{ kind: 'prints', prints: [...byChance(1)] }];
    const begun = performance.now();
    await ContentCandidates.ask(index, [need], new AbortController().signal);
    return performance.now() - begun;
  };
  try {
    build((number) => join(dataDir, 'cache', 'content-index', `${String(number).padStart(10, '0')}.segment`));
    const first = await ask();
    let sum = 0;
    for (let round = 0; round < rounds; round++) sum += await ask();
    return { first, each: sum / rounds };
  } finally {
    await index.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Prints what the index takes for a rare text, and the formula. */
export async function contentFigures(print: (line?: string) => void): Promise<void> {
  const many = await perQuestion(buildWide);
  const long = await perQuestion(buildLong);
  const apks = wide.segments * wide.apks;
  const perLookup = long.each / longRanges;
  const perApk = Math.max(0, many.each - wide.segments * perLookup) / apks;
  print('\n### Searches for a rare text in files: what the index takes, made of numbers by chance\n');
  print('| index | first question, ms | each further one, ms |');
  print('| --- | --- | --- |');
  print(`| ${apks} APKs in ${wide.segments} segments | ${many.first.toFixed(0)} | ${many.each.toFixed(1)} |`);
  print(
    `| ${longRanges} segments whose ranges are those of the largest | ${long.first.toFixed(0)} | ${long.each.toFixed(1)} |`,
  );
  print(
    `\nTime = APKs × ${(1000 * perApk).toFixed(3)} µs + segments × fingerprints asked × ${perLookup.toFixed(2)} ms + APKs that hold it × the time to unpack and look through one.\n`,
  );
  print('| APKs of 5 MB | segments | index, s |');
  print('| --- | --- | --- |');
  for (const count of [100_000, 1_000_000]) {
    const segments = Math.ceil((count * printsOfApk) / printsOfSegment);
    print(`| ${count} | ${segments} | ${((count * perApk + segments * printsOfText * perLookup) / 1000).toFixed(2)} |`);
  }
}
