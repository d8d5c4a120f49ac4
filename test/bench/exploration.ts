// What the questions of an APK's page cost. Prints a Markdown table.
import { join } from 'node:path';
import { realApks } from '../fixtures/real-apks.ts';
import { median, selfMeasured } from './measured-process.ts';

interface QuestionCost {
  name: string;
  first: number;
  again: number;
}

/** CPU milliseconds of each question in a fresh process: in this order, then all of them again. */
export function explorationTable(print: (line: string) => void): void {
  const script = join(import.meta.dirname, './exploration-once.ts');
  const apks = {
    'ApiDemos (6 MB, 1 dex)': realApks.apiDemos,
    'uiautomator2 (18 MB, 16 dexes)': realApks.uiautomator2Server,
  };
  print('\n### Questions of an APK’s page: CPU milliseconds in a fresh process, first time / again\n');
  print(`| question | ${Object.keys(apks).join(' | ')} |`);
  print('| --- | --- | --- |');
  const runs = Object.values(apks).map((path) =>
    Array.from({ length: 5 }, () => selfMeasured<QuestionCost[]>(process.execPath, script, path)),
  );
  for (const [index, { name }] of runs[0]![0]!.entries()) {
    const cells = runs.map((costs) => {
      const of = (key: 'first' | 'again') => median(costs.map((cost) => cost[index]![key])).toFixed(0);
      return `${of('first')} / ${of('again')}`;
    });
    print(`| ${name} | ${cells.join(' | ')} |`);
  }
}
