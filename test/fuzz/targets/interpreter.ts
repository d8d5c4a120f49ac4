// Fuzz target: running an app whose code is damaged. Whatever its code says, the run ends with a report.
import { analyzeDynamic } from '../../../server/engine/dynamic/driver/run.ts';
import { memorySource } from '../../../server/vault/byte-source.ts';
import { solvableApk } from '../../fixtures/dynamic/directed/solvable.ts';
import { testApk } from '../../fixtures/dynamic/test-apps.ts';
import { apkFields } from '../apk-samples.ts';
import { type FuzzTarget, hold } from '../target.ts';

/** Short, so that many are run; what an app does in that time follows from it alone. */
const budget = {
  cpuMilliseconds: 20_000,
  instructions: 200_000,
  loopInstructions: 50_000,
  passes: 1,
  directedMilliseconds: 200,
};

export const target: FuzzTarget = {
  subject: ['engine/dynamic/machine/', 'engine/dynamic/driver/', 'engine/dynamic/directed/', 'engine/formats/dex/'],
  samples: () => [
    ...(['direct', 'strings', 'receiver', 'screens', 'bars', 'packed'] as const).map((name) => testApk(name)),
    solvableApk(),
  ],
  fields: apkFields,
  maxCpuTime: () => 8000,
  run(bytes) {
    const { dynamic, findings } = analyzeDynamic(memorySource(bytes), { budget });
    const isOfTheFile = findings.every(
      ({ code, where, evidence }) =>
        code !== 'analysis-incomplete' || where === 'dynamic' || /\(at offset 0x/.test(evidence),
    );
    const failed = findings.find(({ where }) => where === 'directed run');
    hold(failed === undefined, 'the directed run fails for no app', failed?.evidence ?? '');
    hold(isOfTheFile, 'what is not read is refused by a reader', JSON.stringify(findings).slice(0, 500));
    const { crashes, sendsms, opennet, filesread } = dynamic;
    return { crashes: crashes.map(({ exception }) => exception), sendsms, opennet, filesread };
  },
};
