// `npm run bench -- indexing`: what fingerprints for the index of contents add to a static analysis, and how much of the disk they
// take for APKs that have little in common, as Markdown tables.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filePrints } from '../../server/engine/content-index/file-prints.ts';
import { FingerprintSet } from '../../server/engine/similarity/text-fingerprints.ts';
import { Segment } from '../../server/store/content-index/segment.ts';
import { buildSegment } from '../../server/store/content-index/segment-building.ts';
import { memorySource } from '../../server/vault/byte-source.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { median, selfMeasured } from './measured-process.ts';

type Pair = [without: number, including: number];

const apks = [realApks.uiautomator2Test, realApks.settings, realApks.apiDemos, realApks.uiautomator2Server];

/** Prints processor time without and with them, in pairs of analyses that follow each other in one process. */
export function indexingFigures(print: (line?: string) => void): void {
  print('\n### What the index of contents adds to a static analysis: CPU ms in a process that has analysed before\n');
  print('| APK, MB | without, ms | with, ms | more, median of the pairs |');
  print('| --- | --- | --- | --- |');
  for (const path of apks) {
    const pairs = selfMeasured<Pair[]>(process.execPath, join(import.meta.dirname, 'indexing-once.ts'), path);
    const [without, including] = [0, 1].map((place) => median(pairs.map((pair) => pair[place]!)).toFixed(0));
    const more = 100 * median(pairs.map(([before, after]) => after / before - 1));
    print(`| ${(statSync(path).size / 1e6).toFixed(1)} | ${without} | ${including} | ${more.toFixed(1)} % |`);
  }
}

/** Prints how large a segment of the real APKs is. */
export function indexSize(print: (line?: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-bench-segment-'));
  const path = join(folder, 'segment');
  const paths = Object.values(realApks);
  try {
    const nothing = () => undefined;
    const apks = paths.map((apk, index) => ({
      id: index + 1,
      tag: index + 1,
      files: filePrints(memorySource(readFileSync(apk)), [], new FingerprintSet(), nothing),
    }));
    buildSegment(path, apks);
    const bytes = paths.reduce((sum, apk) => sum + statSync(apk).size, 0);
    const { size, postings } = new Segment(path);
    const share = ((100 * size) / bytes).toFixed(1);
    print(
      `\nThe index of ${paths.length} real APKs: ${share} % of their ${(bytes / 1e6).toFixed(1)} MB, ${(postings / bytes).toFixed(3)} fingerprints for each byte, ${((8 * size) / postings).toFixed(1)} bits for each fingerprint.`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
