// `npm run bench -- indexing`: what fingerprints for the index of contents add to a static analysis, as a Markdown table.
import { statSync } from 'node:fs';
import { join } from 'node:path';
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
