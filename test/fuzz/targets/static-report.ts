// Fuzz target: the identity and the whole static report of a damaged app.
import type { Finding } from '../../../server/contract/findings/finding.ts';
import { identify } from '../../../server/engine/static/identity.ts';
import { analyzeStatic } from '../../../server/engine/static/static-report.ts';
import { memorySource } from '../../../server/vault/byte-source.ts';
import { testApk } from '../../fixtures/dynamic/test-apps.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { weaknessApk } from '../../fixtures/weaknesses/weakness-apk.ts';
import { apkFields, storedApk } from '../apk-samples.ts';
import { type FuzzTarget, hold } from '../target.ts';

export const target: FuzzTarget = {
  subject: ['engine/static/', 'engine/app/manifest/', 'engine/app/icon/', 'engine/formats/', 'engine/code/'],
  samples: () => [storedApk(testApk('screens')), storedApk(realApks.unlock, 4096), weaknessApk()],
  fields: apkFields,
  maxCpuTime: () => 5000,
  run(bytes) {
    const identity = identify(memorySource(bytes));
    const { androguard, files, manifest } = analyzeStatic(memorySource(bytes), { fileName: 'damaged.apk' });
    hold(androguard.findings.every(isOfTheFile), 'a part that fails is refused by a reader');
    return { identity, androguard, files, manifest };
  },
};

/** Parts fail because of what is in a file, never because of what the engine makes of it. */
const isOfTheFile = ({ code, evidence }: Finding): boolean =>
  code !== 'analysis-incomplete' || /\(at offset 0x/.test(evidence);
