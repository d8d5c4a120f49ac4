// Fuzz target: questions about a damaged app: its files, classes, code, resources.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explorationSchema } from '../../../server/contract/engine/exploration.ts';
import { explore } from '../../../server/engine/exploration/answer.ts';
import { testApk } from '../../fixtures/dynamic/test-apps.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { apkFields, storedApk } from '../apk-samples.ts';
import type { FuzzTarget } from '../target.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuzz-exploration-'));

let asked = 0;

const questions = [
  { ask: 'content', index: 0 },
  { ask: 'image', index: 2 },
  { ask: 'xml', path: 'AndroidManifest.xml' },
  { ask: 'xml', index: 2 },
  { ask: 'resource-outline' },
  { ask: 'resources', search: 'a' },
  { ask: 'code-outline' },
  { ask: 'package', package: 'com/example/app' },
  { ask: 'class', name: 'Lcom/example/app/Main;' },
  { ask: 'references', of: 'Lcom/example/app/Main;' },
  { ask: 'references', of: 'Lcom/example/app/Main;', direction: 'callees' },
  { ask: 'code-search', q: 'a' },
  { ask: 'code-search', q: '(a|b)+c?', regex: 'true' },
  { ask: 'permission-uses' },
  { ask: 'native-methods', class: 'La/B;' },
  { ask: 'code-bytes', of: 'Lcom/example/app/Main;->onCreate(Landroid/os/Bundle;)V' },
].map((question) => explorationSchema.parse(question));

export const target: FuzzTarget = {
  subject: ['engine/exploration/', 'engine/formats/dex/', 'engine/formats/arsc/'],
  samples: () => [testApk('screens'), testApk('flows'), storedApk(realApks.unlock, 4096)],
  fields: apkFields,
  refusals: [],
  maxCpuTime: () => 4000,
  run(bytes) {
    // What was opened under a name is held.
    const path = join(folder, `${asked++}`);
    writeFileSync(path, bytes);
    try {
      return questions.map((question) => explore({ kind: 'plain', path }, question));
    } finally {
      rmSync(path);
    }
  },
  async close() {
    rmSync(folder, { recursive: true, force: true });
  },
};
