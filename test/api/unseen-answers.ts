// Runs the tests of the API and says which documented answers none of them has seen: `node test/api/unseen-answers.ts`.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '../../server/api/openapi.ts';
import { operations } from '../../server/contract/operations/operations.ts';
import { documentedOperations, type OpenApiDocument } from '../fixtures/documented-operations.ts';

const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-answers-'));
const path = join(folder, 'seen');
writeFileSync(path, '');
const files = globSync('*.test.ts', { cwd: import.meta.dirname }).map((file) => join(import.meta.dirname, file));
const { status } = spawnSync(process.execPath, ['--test', ...files], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, APK_WORKSTATION_ANSWERS: path },
});
const seen = new Set(readFileSync(path, 'utf8').split('\n'));
rmSync(folder, { recursive: true });
const document = (await openApiDocument(operations, '0.0.0')) as unknown as OpenApiDocument;
const unseen = new Map<number, string[]>();
for (const { method, path: address, statuses } of documentedOperations(document)) {
  for (const documented of statuses) {
    if (seen.has(`${method} ${address} ${documented}`)) continue;
    unseen.set(documented, [...(unseen.get(documented) ?? []), `${method} ${address}`]);
  }
}
for (const [documented, operations] of [...unseen].toSorted(([one], [other]) => one - other)) {
  process.stdout.write(`${documented}, ${operations.length} times:\n${operations.map((one) => `  ${one}\n`).join('')}`);
}
process.exitCode = status ?? 1;
