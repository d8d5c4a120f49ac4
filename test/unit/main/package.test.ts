// The package that electron-builder assembles, with a stand-in for Electron's program, which cannot be had everywhere.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, test } from 'node:test';
import { treeRoot } from '../../architecture/import-boundaries.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const skip = process.platform === 'linux' ? false : 'the package is assembled for Linux, on Linux';
const folder = temporaryFolder('package');
const unpacked = join(folder, 'linux-unpacked/resources/app.asar.unpacked');
const commandLine = join(unpacked, 'dist/server/app/command-line.js');
const require = createRequire(import.meta.url);
/** What the header of an archive says is in it, by folders. */
const headerOf = (archive: string): { headerString: string; header: { files: Record<string, object> } } =>
  require('@electron/asar').getRawHeader(archive);
// Any Windows program does: the integrity of the archive is written into its resources.
const windowsProgram = join(treeRoot, 'node_modules/electron-winstaller/vendor/7z-x64.exe');
const hasWindowsProgram = existsSync(windowsProgram);

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
  const distribution = temporaryFolder('electron-stand-in');
  writeFileSync(join(distribution, 'electron'), standInProgram, { mode: 0o755 });
  if (hasWindowsProgram) {
    writeFileSync(join(distribution, 'electron.exe'), Buffer.concat([readFileSync(windowsProgram), standInProgram]));
  }
  node(
    'node_modules/electron-builder/cli.js',
    '--linux',
    ...(hasWindowsProgram ? ['--win', '-c.win.signAndEditExecutable=false'] : []),
    `--${process.arch}`,
    '--dir',
    `-c.electronDist=${distribution}`,
    `-c.directories.output=${folder}`,
  );
});

test('the package holds the shell, the server with its data, the interface and no development dependency', {
  skip,
}, () => {
  for (const path of [
    'dist/server/engine/worker.js',
    'dist/resources/permissions.json',
    'dist/renderer/index.html',
    'dist/papers/bill-of-materials.cdx.json',
    'dist/papers/third-party-notices.txt',
  ]) {
    assert.ok(existsSync(join(unpacked, path)), path);
  }
  const packages = readdirSync(join(unpacked, 'node_modules'));
  assert.ok(packages.includes('better-sqlite3'));
  for (const name of ['electron', 'typescript', 'vite', 'playwright', 'io.appium.settings']) {
    assert.ok(!packages.includes(name), name);
  }
});

test('nothing of the checkout is in the package but what was built', { skip }, () => {
  const { files } = headerOf(join(unpacked, '../app.asar')).header;
  assert.deepEqual(Object.keys(files).sort(), ['dist', 'node_modules', 'package.json']);
  const sources = readdirSync(unpacked, { recursive: true }).filter((name) => /\.(ts|map)$/.test(String(name)));
  assert.deepEqual(sources, []);
});

test('every package that is in it stands in its bill of materials, and has its licence in the notices', {
  skip,
}, () => {
  const papers = join(unpacked, 'dist/papers');
  const { components } = JSON.parse(readFileSync(join(papers, 'bill-of-materials.cdx.json'), 'utf8')) as {
    components: { purl: string }[];
  };
  // electron-builder lays packages out anew: their names and versions are the same, not their places.
  const listed = new Set(components.map(({ purl }) => purl.replace('%40', '@')));
  const notices = readFileSync(join(papers, 'third-party-notices.txt'), 'utf8');
  const manifests = globSync('node_modules/{*,@*/*}/package.json', { cwd: unpacked });
  assert.ok(manifests.length > 50);
  for (const manifest of manifests) {
    const { name, version } = JSON.parse(readFileSync(join(unpacked, manifest), 'utf8'));
    assert.ok(listed.has(`pkg:npm/${name}@${version}`), manifest);
    assert.ok(notices.includes(`\n${name} ${version}`), name);
  }
});

test('native libraries of other platforms stay out, and the package keeps its size', { skip }, () => {
  const prebuilds = readdirSync(join(unpacked, 'node_modules/better-sqlite3/prebuilds'));
  assert.deepEqual(prebuilds, [`linux-${process.arch}.node`]);
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

test('the packaged program scans with YARA rules, of its own modules too, and runs an APK', { skip }, () => {
  const rules = join(folder, 'rules.yar');
  writeFileSync(
    rules,
    'import "androguard" rule unlock { strings: $a = "classes.dex" condition: $a and androguard.package_name("io.appium.unlock") }',
  );
  const words = ['analyze', realApks.unlock, '--kinds', 'static,dynamic,yara', '--rules', rules];
  const { stdout, stderr } = spawnSync(process.execPath, [commandLine, ...words], { encoding: 'utf8' });
  const { status, yara, dynamic } = JSON.parse(stdout);
  assert.equal(status, 'done', stderr);
  assert.match(JSON.stringify(yara), /"unlock"/);
  assert.ok(dynamic.coverage.methods_executed > 0);
});

test('the packaged server answers and serves the interface', { skip }, async () => {
  const dataDir = temporaryFolder('package-data');
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

test('the package for Windows keeps its own native library alone, and its program knows the hash of its archive', {
  skip: skip || (hasWindowsProgram ? false : 'there is no program for Windows to stand in for Electron'),
}, () => {
  const resources = join(folder, 'win-unpacked/resources');
  const modules = join(resources, 'app.asar.unpacked/node_modules');
  assert.deepEqual(readdirSync(join(modules, 'better-sqlite3/prebuilds')), [`win32-${process.arch}.node`]);
  const natives = readdirSync(modules, { recursive: true }).filter((name) => String(name).endsWith('.node'));
  assert.equal(natives.length, 1, 'no other native library');
  const { headerString } = headerOf(join(resources, 'app.asar'));
  const program = readFileSync(join(folder, 'win-unpacked/APK Workstation.exe')).toString('latin1');
  const [, value] =
    /\[\{"file":"resources\\\\app\.asar","alg":"SHA256","value":"([0-9a-f]{64})"\}\]/i.exec(program) ?? [];
  assert.equal(value, createHash('sha256').update(headerString).digest('hex'));
  assert.match(headerString, /"integrity":\{"algorithm":"SHA256"/);
});

test('the configuration of every platform is one that electron-builder takes', async () => {
  const { getConfig, validateConfiguration } = require('app-builder-lib/out/util/config/config.js');
  const { DebugLogger } = require('builder-util');
  const configuration = await getConfig(treeRoot, null, null);
  await validateConfiguration(configuration, new DebugLogger(false));
  assert.deepEqual(
    [configuration.linux.target, configuration.win.target, configuration.mac.target],
    [['AppImage', 'deb'], 'nsis', 'dmg'],
  );
  assert.equal(configuration.fileAssociations[0].ext, 'apk');
  await assert.rejects(validateConfiguration({ ...configuration, wim: {} }, new DebugLogger(false)));
});
