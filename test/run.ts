// Runs every check of the project: lint, types, then all tests. `npm test -- <part of a path>` runs only the test files it names.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { installSystemTools, systemTool } from './fixtures/system-tools.ts';

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules/.bin', process.platform === 'win32' ? `${name}.cmd` : name);
const totals = { passed: 0, failed: 0, skipped: 0 };
const filters = process.argv.slice(2);

function check(name: string, command: string, ...words: string[]): void {
  process.stdout.write(`\n── ${name}\n`);
  const { status } = spawnSync(command, words, { cwd: root, stdio: ['ignore', 1, 2] });
  totals[status === 0 ? 'passed' : 'failed']++;
}

/** Runs test files on Node's test runner, each in a process of its own. */
async function runTestFiles(files: string[]): Promise<void> {
  process.stdout.write(`\n── ${files.length} test files\n`);
  const stream = run({
    cwd: root,
    files: files.map((file) => join(root, file)),
    concurrency: availableParallelism(),
    timeout: 600_000,
  });
  // A file or a suite is counted through the tests inside it.
  const isLeaf = (details: { type?: string | undefined }) => details.type !== 'suite';
  stream.on('test:pass', ({ details, skip }) => {
    if (isLeaf(details)) totals[skip === undefined || skip === false ? 'passed' : 'skipped']++;
  });
  stream.on('test:fail', ({ details }) => {
    if (isLeaf(details)) totals.failed++;
  });
  const report = stream.compose(new spec());
  for await (const chunk of report) process.stdout.write(chunk);
}

/** Runs the browser tests in Debian's Chromium. */
function runBrowserTests(): void {
  process.stdout.write('\n── tests in a browser\n');
  const files = globSync('test/e2e/**/*.spec.ts', { cwd: root }).filter(isWanted);
  if (files.length === 0) return;
  const chromium = systemTool('chromium');
  if (chromium.path === null) {
    process.stdout.write(`skipped: ${files.join(', ')}: ${chromium.skip}\n`);
    totals.skipped += files.length;
    return;
  }
  const results = join(root, 'test-results/browser.json');
  rmSync(results, { force: true });
  const { status } = spawnSync(bin('playwright'), ['test', '--reporter=list,json', ...files], {
    cwd: root,
    stdio: ['ignore', 1, 2],
    shell: process.platform === 'win32',
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: results, APK_WORKSTATION_CHROMIUM: chromium.path },
  });
  const { stats } = JSON.parse(readFileSync(results, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  };
  totals.passed += stats.expected;
  totals.failed += stats.unexpected + stats.flaky + (status !== 0 && stats.unexpected + stats.flaky === 0 ? 1 : 0);
  totals.skipped += stats.skipped;
}

const isWanted = (file: string) => filters.length === 0 || filters.some((filter) => file.includes(filter));

if (filters.length === 0) {
  check('lint and format', bin('biome'), 'ci', '--diagnostic-level=warn');
  check('types', bin('tsc'), '--noEmit');
}
process.stdout.write('\n── system tools\n');
installSystemTools();
await runTestFiles(globSync('test/**/*.test.ts', { cwd: root }).filter(isWanted).sort());
runBrowserTests();
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;
