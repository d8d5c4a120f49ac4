// `npm run check`: everything that can be told of the sources without running the program, all at once. With `-- --changed`
// also the tests of what changed. `npm test` begins with the same.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lockedPackages, shippedPackages } from '../server/app/papers/locked-packages.ts';
import { changedFiles, modulesOf, testsOf } from './architecture/changed-tests.ts';
import { undescribedBelow } from './architecture/docstrings.ts';
import { treeRoot, violationsBelow } from './architecture/import-boundaries.ts';
import { licenceFaults } from './architecture/licences.ts';
import { auditLines } from './architecture/vulnerabilities.ts';

/** The packages of which anything is shipped, as the last build of the interface has found them. */
function shippedPaths(): ReadonlySet<string> {
  const bill = join(treeRoot, 'dist/papers/bill-of-materials.cdx.json');
  if (!existsSync(bill)) return new Set(shippedPackages(treeRoot, []).map(({ path }) => path));
  const { components } = JSON.parse(readFileSync(bill, 'utf8')) as { components: { 'bom-ref': string }[] };
  return new Set(components.map((component) => component['bom-ref']));
}

/** Checks of our own: each prints what is wrong, and says whether all is well. */
const own = {
  boundaries: async () => {
    const violations = await violationsBelow(treeRoot);
    for (const { file, imported, rule } of violations) console.log(`${file} imports ${imported}: ${rule}`);
    return violations.length === 0;
  },
  docstrings: () => {
    const missing = undescribedBelow(treeRoot);
    for (const each of missing) console.log(`${each} has no docstring`);
    return missing.length === 0;
  },
  licences: () => {
    const faults = licenceFaults(lockedPackages(treeRoot).values(), shippedPaths());
    for (const fault of faults) console.log(fault);
    return faults.length === 0;
  },
  vulnerabilities: () => {
    const { lines, isWell } = auditLines(treeRoot, shippedPaths());
    for (const line of lines) console.log(line);
    return isWell;
  },
};

const tool = (path: string, ...words: string[]) => [join(treeRoot, 'node_modules', path), ...words];
const self = (part: keyof typeof own) => [import.meta.filename, part];

/** What each check runs on the pinned Node, the one that takes longest first. */
const checks: Readonly<Record<string, readonly string[]>> = {
  // What they have found before is kept beside the packages: they look anew at what a change concerns.
  types: tool('typescript/bin/tsc', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'),
  'lint and format': tool('@biomejs/biome/bin/biome', 'ci', '--diagnostic-level=warn'),
  'import boundaries': self('boundaries'),
  docstrings: self('docstrings'),
  'unused code': tool(
    'knip/bin/knip.js',
    '--no-config-hints',
    '--cache',
    '--cache-location',
    'node_modules/.cache/knip',
  ),
  licences: self('licences'),
  'known vulnerabilities': self('vulnerabilities'),
};

/** Runs a check to its end. Its output stays together. @returns whether all is well */
function perform(name: string, words: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const start = performance.now();
    const child = spawn(process.execPath, words, { cwd: treeRoot, stdio: ['ignore', 'pipe', 'pipe'] });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece) => pieces.push(piece));
    child.stderr.on('data', (piece) => pieces.push(piece));
    child.on('close', (code) => {
      const said = Buffer.concat(pieces).toString().trim();
      const seconds = Math.round((performance.now() - start) / 1000);
      process.stdout.write(`── ${name}: ${code === 0 ? 'well' : 'at fault'} after ${seconds} s\n`);
      if (code !== 0 || name === 'known vulnerabilities') process.stdout.write(said === '' ? '' : `${said}\n`);
      resolve(code === 0);
    });
  });
}

/** Runs all checks side by side. @returns how many passed, and the names of those at fault */
export async function runChecks(): Promise<{ passed: number; failed: string[] }> {
  const failed: string[] = [];
  const all = Object.entries(checks);
  await Promise.all(
    all.map(async ([name, words]) => {
      if (!(await perform(name, words))) failed.push(name);
    }),
  );
  return { passed: all.length - failed.length, failed };
}

function testChanges(): void {
  const tests = testsOf(changedFiles(treeRoot), modulesOf(treeRoot));
  if (tests.length === 0) return void console.log('── nothing that changed has a test');
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, './run.ts'), ...tests], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [word] = process.argv.slice(2);
  const part = own[word as keyof typeof own];
  if (part !== undefined) process.exitCode = (await part()) ? 0 : 1;
  else if (word !== undefined && word !== '--changed') {
    console.log(`There is no ${word}: npm run check, or npm run check -- --changed`);
    process.exitCode = 2;
  } else {
    const { failed } = await runChecks();
    if (failed.length > 0) process.exitCode = 1;
    else if (word === '--changed') testChanges();
  }
}
