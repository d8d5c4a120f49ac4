// The package that electron-builder assembles, with a stand-in for Electron's program, which cannot be had everywhere.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
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

before(() => {
  if (skip) return;
  const node = (...words: string[]) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, words, { cwd: treeRoot, encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}\n${stderr}`);
  };
  node('server/app/bootstrap.mjs', 'renderer', 'desktop');
  const distribution = mkdtempSync(join(tmpdir(), 'apk-workstation-electron-stand-in-'));
  writeFileSync(join(distribution, 'electron'), 'a stand-in', { mode: 0o755 });
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
