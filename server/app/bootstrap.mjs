// Makes a bare clone ready under whichever Node runs it (20 or newer): installs the locked packages and builds what is
// out of date. Uses nothing but Node itself and talks on standard error only.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const say = (/** @type {string} */ line) => process.stderr.write(`apk-workstation: ${line}\n`);

/** What is built from which sources; each is built again only when their content has changed. */
const builds = {
  renderer: {
    label: 'user interface',
    sources: [
      'renderer',
      'resources/README.md',
      'resources/licences',
      'server/app/papers',
      'server/contract',
      'vite.config.ts',
      'package.json',
      'package-lock.json',
    ],
    tool: 'vite/bin/vite.js',
    words: ['build', '--logLevel', 'warn'],
    compiled: [],
    copies: [],
  },
  desktop: {
    label: 'program',
    sources: [
      'main',
      'server',
      'resources',
      'package.json',
      'tsconfig.json',
      'rolldown.config.ts',
      'package-lock.json',
    ],
    tool: 'rolldown/bin/cli.mjs',
    words: ['-c', 'rolldown.config.ts'],
    compiled: ['main', 'server', 'compiled-code'],
    copies: ['resources', 'package.json'],
  },
};

/** Hash of the names of files, also those in folders, each with what is told of it. */
function digestOf(/** @type {string[]} */ paths, /** @type {(file: string) => string | Buffer} */ tell) {
  const hash = createHash('sha256');
  const visit = (/** @type {string} */ path, isFolder = statSync(join(root, path)).isDirectory()) => {
    const full = join(root, path);
    if (!isFolder) hash.update(`${path}\0`).update(tell(full));
    else {
      const entries = readdirSync(full, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const entry of entries) visit(`${path}/${entry.name}`, entry.isDirectory());
    }
  };
  for (const path of paths) if (existsSync(join(root, path))) visit(path);
  return hash.digest('hex');
}

const contentOf = (/** @type {string} */ file) => readFileSync(file);

/** No file changes without it, and it takes a third of the time to ask. */
const changeOf = (/** @type {string} */ file) => {
  const { size, ctimeMs, ino } = statSync(file);
  return `${size} ${ctimeMs} ${ino}\0`;
};

const isCurrent = (/** @type {string} */ stamp, /** @type {string} */ digest) =>
  existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;

/** Runs a program, which tells what goes wrong on standard error. */
function run(/** @type {string} */ program, /** @type {string[]} */ words, /** @type {string} */ failure) {
  const { status, error } = spawnSync(program, words, {
    cwd: root,
    stdio: ['ignore', 'ignore', 2],
    shell: process.platform === 'win32' && program === 'npm',
  });
  if (status !== 0) {
    say(`${failure}${error === undefined ? '' : ` (${error.message})`}`);
    process.exit(1);
  }
}

function install() {
  const stamp = join(root, 'node_modules/.apk-workstation-stamp');
  const digest = `${digestOf(['package-lock.json', 'package.json'], contentOf)} ${process.platform} ${process.arch}`;
  if (isCurrent(stamp, digest)) return;
  say('installing packages, which takes about a minute the first time …');
  const npm = process.env.npm_execpath;
  const words = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const failure =
    'the packages could not be installed: check the connection to the npm registry and run the command again';
  if (npm?.endsWith('.js')) run(process.execPath, [npm, ...words], failure);
  else run('npm', words, failure);
  writeFileSync(stamp, digest);
}

/** Runs a build that no other process runs at the same time, unless another has just done it. */
function build(/** @type {keyof typeof builds} */ name) {
  const { label, sources, tool, words, compiled, copies } = builds[name];
  const stamp = join(root, `dist/.${name}-stamp`);
  const unchanged = join(root, `dist/.${name}-unchanged`);
  const changes = digestOf(sources, changeOf);
  if (existsSync(stamp) && isCurrent(unchanged, changes)) return;
  const digest = digestOf(sources, contentOf);
  if (isCurrent(stamp, digest)) return writeFileSync(unchanged, changes);
  mkdirSync(join(root, 'dist'), { recursive: true });
  const release = acquire(join(root, `dist/.${name}-lock`));
  if (!isCurrent(stamp, digest)) {
    say(`building the ${label} …`);
    // Made anew as a whole: models and migrations are found by their folder, and none may be left of another version.
    rmSync(stamp, { force: true });
    for (const path of [...compiled, ...copies]) rmSync(join(root, 'dist', path), { recursive: true, force: true });
    const node = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
    run(node, [join(root, 'node_modules', tool), ...words], `the ${label} could not be built: see the messages above`);
    for (const path of copies) cpSync(join(root, path), join(root, 'dist', path), { recursive: true });
    writeFileSync(stamp, digest);
    writeFileSync(unchanged, changes);
  }
  release();
}

/** Milliseconds that no build takes: its process has ended, and another one has its number now. */
const longestBuild = 600_000;
/** Milliseconds between two looks at a lock. */
const lockInterval = 100;

/** Waits until no other process that lives holds this lock. @returns how to release it */
function acquire(/** @type {string} */ lock) {
  for (let looks = 1; ; looks++) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (looks === 20) say(`waiting for another process to end its build (${lock}) …`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockInterval);
    removeLeftBehind(lock);
  }
}

/** Removes a lock that was left behind. Of several that find it one removes it, and none the lock that the next one takes. */
function removeLeftBehind(/** @type {string} */ lock) {
  const aside = `${lock}-${process.pid}`;
  try {
    const holder = readFileSync(lock, 'utf8');
    if (!isLeftBehind(lock, Number(holder))) return;
    renameSync(lock, aside);
    if (readFileSync(aside, 'utf8') !== holder) renameSync(aside, lock);
  } catch (error) {
    // Another process has removed it.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  rmSync(aside, { force: true });
}

/** Whether the process is gone that holds this lock: a build that was interrupted. */
function isLeftBehind(/** @type {string} */ lock, /** @type {number} */ holder) {
  try {
    process.kill(holder, 0);
    return Date.now() - statSync(lock).mtimeMs > longestBuild;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/**
 * Installs the locked packages where they are missing or out of date, and builds the named parts likewise.
 * Ends the process with status 1 and a line that says what to do where that fails.
 */
export function bootstrap(/** @type {(keyof typeof builds)[]} */ parts) {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    say(`Node 20 or newer is needed, this is ${process.version}: see https://nodejs.org/`);
    process.exit(1);
  }
  install();
  for (const part of parts) build(part);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  bootstrap(/** @type {(keyof typeof builds)[]} */ (process.argv.slice(2)));
}
