// Runs every check of the project, then all tests. `npm test -- <part of a path>` runs only the test files it names, and
// with `--every-case` they go through every case of tables of which they otherwise take a sample. `--pictures` keeps what
// tests in a browser saw, in `test-results/screenshots`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { runChecks } from './check.ts';
import { headlessChromium, installSystemTools } from './fixtures/system-tools.ts';
import { testPrograms } from './test-programs.ts';

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules/.bin', process.platform === 'win32' ? `${name}.cmd` : name);
const totals = { passed: 0, failed: 0, skipped: 0, unsteady: 0 };
/** What failed, each by the line that is said of it at the end. */
const failures: string[] = [];
const everyCase = '--every-case';
const pictures = '--pictures';
const filters = process.argv.slice(2).filter((word) => word !== everyCase && word !== pictures);
if (process.argv.includes(everyCase)) process.env.APK_WORKSTATION_TESTED_CASES = 'every';
if (process.argv.includes(pictures)) process.env.APK_WORKSTATION_PICTURES = 'kept';
// Workstations of the tests run what is built, as people's do: analyses start in half the time.
process.env.APK_WORKSTATION_TESTED = 'built';
// What a file was compiled to is kept for the other processes.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compiled');
// Java's tools run for seconds here, in which its second compiler never pays.
process.env.JAVA_TOOL_OPTIONS ??= '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
/** A folder in memory, and bytes that have to be free for it: more than tests hold at a time. */
const memoryFolder = { path: '/dev/shm', room: 6 * 2 ** 30 };
// What tests write and wait for to be on the disk takes a quarter of the processor; what they say of disks they say of one of
// their own.
if (hasRoom(memoryFolder)) process.env.TMPDIR = memoryFolder.path;
/** Files with tests that fail. Where more do it is no matter of chance. */
const maxRepeated = 5;

function hasRoom({ path, room }: { path: string; room: number }): boolean {
  if (!existsSync(path) || freemem() < room) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= room;
}

interface FailedTest {
  file: string;
  name: string;
}

/**
 * Runs programs of tests on Node's test runner, each in a process of its own, and counts their tests.
 * @returns the tests that failed
 */
async function runTests(programs: string[], concurrency: number): Promise<FailedTest[]> {
  // Young objects are collected less often: what allocates most, runs of apps, takes a quarter less of the processor.
  const execArgv = ['--max-semi-space-size=32', '--expose-internals', '--disable-warning=internal/test/binding'];
  const stream = run({ cwd: root, files: programs, concurrency, timeout: 1_800_000, execArgv });
  const failed: FailedTest[] = [];
  // A file or a suite is counted through the tests inside it.
  const isLeaf = (details: { type?: string | undefined }) => details.type !== 'suite';
  stream.on('test:pass', ({ details, skip }) => {
    if (isLeaf(details)) totals[skip === undefined || skip === false ? 'passed' : 'skipped']++;
  });
  stream.on('test:fail', ({ details, name, file = name }) => {
    if (!isLeaf(details)) return;
    totals.failed++;
    failed.push({ file: relative(root, file), name });
  });
  const report = stream.compose(new spec());
  for await (const chunk of report) process.stdout.write(chunk);
  return failed;
}

/**
 * Runs test files, and those of them that fail once more by themselves: a fault fails again, an unsteady test is told.
 * @param besides waits for what runs at the same time
 */
async function runSteadily(files: string[], besides: () => Promise<void>): Promise<void> {
  process.stdout.write(`\n── ${files.length} test files\n`);
  // Tests wait a third of their time, for clocks, disks and other processes: one more than the cores keeps these busy.
  const failed = await runTests(testPrograms(files), availableParallelism() + 1);
  await besides();
  const unsound = [...new Set(failed.map(({ file }) => file))];
  const note = (tests: readonly FailedTest[]) => failures.push(...tests.map(({ file, name }) => `${file}: ${name}`));
  if (unsound.length === 0 || unsound.length > maxRepeated) return void note(failed);
  process.stdout.write('\n── what failed, once more\n');
  const { passed, failed: before, skipped } = totals;
  const again = await runTests(
    unsound.map((file) => join(root, file)),
    1,
  );
  const unsteady = failed.filter(
    ({ file, name }) => !again.some((other) => other.file === file && other.name === name),
  );
  const mended = failed.length - again.length;
  Object.assign(totals, { passed: passed + mended, failed: before - mended, skipped });
  note(again);
  totals.unsteady += unsteady.length;
  for (const { file, name } of unsteady) process.stdout.write(`unsteady: ${file}: ${name}\n`);
}

/**
 * Starts the browser tests in Debian's Chromium. They wait for pages and analyses, and the other tests for clocks and disks:
 * beside each other they keep the cores busy.
 * @returns waits for their end, prints what they said, and counts them
 */
function startBrowserTests(): () => Promise<void> {
  const files = globSync('test/e2e/**/*.spec.ts', { cwd: root }).filter(isWanted);
  if (files.length === 0) return () => Promise.resolve();
  const chromium = headlessChromium();
  if (chromium.path === null) {
    process.stdout.write(`skipped: ${files.join(', ')}: ${chromium.skip}\n`);
    totals.skipped += files.length;
    return () => Promise.resolve();
  }
  const results = join(root, 'test-results/browser.json');
  rmSync(results, { force: true });
  const child = spawn(bin('playwright'), ['test', '--reporter=list,json', ...files], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: results, APK_WORKSTATION_CHROMIUM: chromium.path },
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const ended = once(child, 'close');
  return async () => {
    const [status] = await ended;
    process.stdout.write('\n── tests in a browser\n');
    process.stdout.write(Buffer.concat(said));
    if (!existsSync(results)) {
      failures.push('the tests in a browser, which broke off');
      totals.failed++;
      return;
    }
    const { stats } = JSON.parse(readFileSync(results, 'utf8')) as {
      stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    };
    totals.passed += stats.expected + stats.flaky;
    if (status !== 0) failures.push(`${stats.unexpected} tests in a browser, which are named above`);
    totals.failed += stats.unexpected + (status !== 0 && stats.unexpected === 0 ? 1 : 0);
    totals.skipped += stats.skipped;
    totals.unsteady += stats.flaky;
  };
}

const isWanted = (file: string) => filters.length === 0 || filters.some((filter) => file.includes(filter));

// Tools are fetched while the checks run.
const checking = filters.length === 0 ? runChecks() : { passed: 0, failed: [] };
installSystemTools();
const checked = await checking;
totals.passed += checked.passed;
totals.failed += checked.failed.length;
failures.push(...checked.failed.map((name) => `check: ${name}`));
const browserTests = startBrowserTests();
await runSteadily(globSync('test/**/*.test.ts', { cwd: root }).filter(isWanted).sort(), browserTests);
const { passed, failed, skipped, unsteady } = totals;
const later = unsteady === 0 ? '' : ` (${unsteady} of them at their second run)`;
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
process.stdout.write(`\n${passed} passed${later}, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
