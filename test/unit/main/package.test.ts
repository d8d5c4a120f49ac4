// The package that electron-builder assembles, with a stand-in for Electron's program, which cannot be had everywhere.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, test } from 'node:test';
import { treeRoot } from '../../architecture/import-boundaries.ts';
import { realApks } from '../../fixtures/real-apks.ts';

const skip = process.platform === 'linux' ? false : 'the package is assembled for Linux, on Linux';
const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-package-'));
const unpacked = join(folder, 'linux-unpacked/resources/app.asar.unpacked');
const commandLine = join(unpacked, 'dist/server/app/command-line.js');

/** Where Electron's program keeps its fuses: a mark, the layout's version, their number, one digit for each. */
const fuseMark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const standInProgram = Buffer.concat([
  Buffer.from(`a stand-in ${fuseMark}`),
  Buffer.from([1, 9]),
  Buffer.from('0'.repeat(9)),
]);

before(() => {
  if (skip) return;
  const node = (...words: string[]) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, words, { cwd: treeRoot, encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}\n${stderr}`);
  };
  node('server/app/bootstrap.mjs', 'renderer', 'desktop');
  const distribution = mkdtempSync(join(tmpdir(), 'apk-workstation-electron-stand-in-'));
  writeFileSync(join(distribution, 'electron'), standInProgram, { mode: 0o755 });
  node(
    'node_modules/electron-builder/cli.js',
    '--linux',
    '--dir',
    `-c.electronDist=${distribution}`,
    `-c.directories.output=${folder}`,
  );
});

test('the package holds the shell, the server with its data, the interface and no development dependency', {
  skip,
}, () => {
  for (const path of ['dist/server/engine/worker.js', 'dist/resources/permissions.json', 'dist/renderer/index.html']) {
    assert.ok(existsSync(join(unpacked, path)), path);
  }
  const packages = readdirSync(join(unpacked, 'node_modules'));
  assert.ok(packages.includes('better-sqlite3'));
  for (const name of ['electron', 'typescript', 'vite', 'playwright', 'io.appium.settings']) {
    assert.ok(!packages.includes(name), name);
  }
});

test('native libraries of other platforms stay out, and the package keeps its size', { skip }, () => {
  const prebuilds = readdirSync(join(unpacked, 'node_modules/better-sqlite3/prebuilds'));
  assert.deepEqual(
    prebuilds.filter((name) => !name.startsWith('linux-')),
    [],
  );
  const bytes = readdirSync(join(folder, 'linux-unpacked'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  console.log(`the package without Electron's own program: ${(bytes / 1024 ** 2).toFixed(1)} MiB`);
  assert.ok(bytes < 150 * 1024 ** 2);
});

test('the fuses of the packaged program are set as its workers need and nothing more', { skip }, async () => {
  const { getCurrentFuseWire, FuseV1Options } = await import('@electron/fuses');
  const wire = await getCurrentFuseWire(join(folder, 'linux-unpacked/apk-workstation'));
  const set = Object.entries(FuseV1Options)
    .filter(([, value]) => typeof value === 'number' && Number(wire[value]) === '1'.charCodeAt(0))
    .map(([name]) => name);
  assert.deepEqual(set.sort(), [
    'EnableCookieEncryption',
    'EnableEmbeddedAsarIntegrityValidation',
    'OnlyLoadAppFromAsar',
    'RunAsNode',
  ]);
});

test('the packaged server analyses an APK in its own workers', { skip }, () => {
  const { stdout } = spawnSync(process.execPath, [commandLine, 'analyze', realApks.unlock], { encoding: 'utf8' });
  const { status, androguard } = JSON.parse(stdout);
  assert.deepEqual([status, androguard.package_name], ['done', 'io.appium.unlock']);
});

test('the packaged server answers and serves the interface', { skip }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-package-data-'));
  const child = spawn(process.execPath, [commandLine, 'serve', '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    assert.equal((await fetch(`${url}/health/`)).status, 200);
    assert.match(await (await fetch(`${url}/app/`)).text(), /<div id="root">/);
  } finally {
    child.kill('SIGKILL');
  }
});
