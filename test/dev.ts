// `npm run dev`: the workstation as whoever works on it wants it. The server runs from its sources and starts again when one
// changes, Vite serves the interface and replaces what changes, a catalogue of real APKs is there from the first start.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import { whenNpmEnds } from '../server/app/npm-parent.mjs';
import { treeRoot } from './architecture/import-boundaries.ts';
import { realApks } from './fixtures/real-apks.ts';

const commandLine = join(treeRoot, 'server/app/command-line.ts');
/** Git ignores it; deleted, it is made anew. */
const dataDir = process.env.APK_WORKSTATION_DATA ?? join(treeRoot, 'dist/development');
const seeded = join(dataDir, 'seeded');
/** Milliseconds: an editor that saves several files has saved them all. */
const settling = 300;
const tell = (line: string) => process.stdout.write(`${line}\n`);

const running = new Set<ChildProcess>();

/** Starts a command of the command line on the folder. */
function run(words: readonly string[]): ChildProcess {
  const child = fork(commandLine, [...words, '--data-dir', dataDir], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function stop(child: ChildProcess | null): Promise<void> {
  if (child === null || !running.has(child)) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

interface Address {
  url: string;
  loginUrl: string;
}

/** The server, from its sources. */
class SourceServer {
  #child: ChildProcess | null = null;
  #port = '0';
  #starting: Promise<unknown> = Promise.resolve();

  /** @throws where it ends before it is ready */
  async start(): Promise<Address> {
    const child = run(['serve', '--port', this.#port]);
    this.#child = child;
    const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server has ended (${code})`)));
    const [address] = (await Promise.race([once(child, 'message'), ended])) as [Address];
    ended.catch(() => undefined);
    this.#port = new URL(address.url).port;
    return address;
  }

  /** Ends it where it runs, and starts it on its old port. What keeps it from starting stands in its log. */
  restart(): void {
    this.#starting = this.#starting
      .then(() => stop(this.#child))
      .then(() => this.start())
      .then(
        () => tell('The server runs again.'),
        ({ message }: Error) => tell(`${message}: it is started again after the next change.`),
      );
  }
}

/** Makes the owner's account, once. The APKs follow when the server runs. */
async function makeOwner(): Promise<void> {
  if (existsSync(seeded)) return;
  mkdirSync(dataDir, { recursive: true });
  const [code] = await once(run(['token', 'create', '--user', 'owner']), 'exit');
  if (code !== 0) throw new Error('the account of the owner could not be made');
}

/** Imports the APKs of the development dependencies by the running server, once. */
async function importApks(): Promise<void> {
  if (existsSync(seeded)) return;
  const [code] = await once(run(['import', ...Object.values(realApks)]), 'exit');
  if (code === 0) writeFileSync(seeded, '');
  else tell('Not all APKs could be imported; the next start tries it again.');
}

const server = new SourceServer();
await makeOwner();
const { url, loginUrl } = await server.start();
process.env.APK_WORKSTATION_URL = url;
const vite = await createServer({ configFile: join(treeRoot, 'vite.config.ts'), root: join(treeRoot, 'renderer') });
await vite.listen();
const interfaceUrl = new URL(vite.resolvedUrls!.local[0]!);
const login = new URL(loginUrl);
login.port = interfaceUrl.port;
tell(`\n  Open ${login}\n  (logs in once; afterwards the address is ${interfaceUrl})\n  The API answers at ${url}\n`);

let timer: NodeJS.Timeout | undefined;
const watchers = ['server', 'resources'].map((folder) =>
  watch(join(treeRoot, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => server.restart(), settling);
  }),
);
let isEnding = false;
const end = async () => {
  if (isEnding) return;
  isEnding = true;
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  await Promise.all([vite.close(), ...[...running].map(stop)]);
  process.exit();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
whenNpmEnds(() => void end());
await importApks();
