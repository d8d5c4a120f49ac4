// Hostile JavaScript in a worker's place: tries every way out, by whatever leads to a module of Node's. Harmless where it gets
// out, for it touches the bait alone. Knows nothing of walls.
import { writeSync } from 'node:fs';
import type { Escape } from '../../contract/workstation/isolation.ts';
import type { Bait, Confession } from './trap.ts';

// biome-ignore lint/suspicious/noExplicitAny: an intruder knows no types
type Any = any;

/** Tried in this order until one of them gives the module. */
const ways: readonly ((name: string) => unknown)[] = [
  (name) => import(name),
  (name) => import(`node:${name}`),
  (name) => process.getBuiltinModule(name),
  async (name) => (await import('node:module')).createRequire(import.meta.url)(name),
  (name) => (process as Any).binding(name === 'net' ? 'tcp_wrap' : name),
  async (name) => {
    const module = await import('node:module');
    const resolve = () => ({ url: `node:${name}`, format: 'builtin', shortCircuit: true });
    const load = () => ({ format: 'builtin', source: null, shortCircuit: true });
    (module.registerHooks as Any)({ resolve, load });
    return import(`anything-${name}`);
  },
  async (name) => {
    const { default: Module, createRequire, syncBuiltinESMExports } = (await import('node:module')) as Any;
    Module.isBuiltin = () => false;
    Module._resolveFilename = () => `node:${name}`;
    syncBuiltinESMExports();
    return createRequire(import.meta.url)(`anything-${name}`);
  },
  async (name) => ((await import('node:module')) as Any).default._load(name, null, false),
  (name) => {
    RegExp.prototype.test = () => false;
    RegExp.prototype.exec = () => null;
    String.prototype.startsWith = () => false;
    String.prototype.slice = () => 'fs';
    Set.prototype.has = () => true;
    Object.prototype.hasOwnProperty = () => true;
    (Object.prototype as Any)[name] = true;
    return import(`node:${name}`);
  },
];

async function obtain(name: string, exported: string): Promise<Any> {
  let last: unknown;
  for (const way of ways) {
    try {
      const module = (await way(name)) as Any;
      const found = module?.[exported] ?? module?.default?.[exported];
      if (found !== undefined) return found;
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

/** Objects whose class is that of sockets. */
function socketClass(): Any {
  const handles = ((process as Any)._getActiveHandles?.() ?? []) as Any[];
  for (const candidate of [process.stderr, process.stdout, process.stdin, ...handles]) {
    if (typeof (candidate as Any)?.connect === 'function') return candidate.constructor;
  }
  throw new Error('no socket is at hand');
}

const settled = (begin: (done: () => void, fail: (error: unknown) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => begin(resolve, reject));

async function connect(target: object, word: string): Promise<void> {
  const Socket = await obtain('net', 'Socket').catch(socketClass);
  await settled((done, fail) => {
    const socket = new Socket();
    socket.on('error', fail);
    socket.connect(target, () => socket.end(word, done));
  });
}

const tries = (bait: Bait, tell: (confession: Confession) => void): Record<Escape, () => unknown> => ({
  tcp: () => connect({ port: bait.port, host: '127.0.0.1' }, `tcp-${bait.nonce}`),
  async fetch() {
    const dispatcher = (globalThis as Any)[Symbol.for('undici.globalDispatcher.1')];
    if (globalThis.fetch === undefined && dispatcher === undefined) throw new Error('no fetch');
    await fetch(`http://127.0.0.1:${bait.port}/fetch-${bait.nonce}`, { signal: AbortSignal.timeout(1000) });
  },
  async udp() {
    const createSocket = await obtain('dgram', 'createSocket');
    const socket = createSocket('udp4');
    await settled((done, fail) => {
      socket.on('error', fail);
      socket.send(`udp-${bait.nonce}`, bait.udpPort, '127.0.0.1', (error: unknown) => (error ? fail(error) : done()));
    });
  },
  async dns() {
    const Resolver = await obtain('dns', 'Resolver');
    const resolver = new Resolver({ timeout: 300, tries: 1 });
    resolver.setServers([`127.0.0.1:${bait.udpPort}`]);
    await settled((done, fail) => {
      resolver.resolve4(`dns-${bait.nonce}.test`, (error: unknown) => (error ? fail(error) : done()));
    });
  },
  'unix-socket': () => connect({ path: bait.socket }, `unix-socket-${bait.nonce}`),
  'abstract-socket': () => connect({ path: bait.abstractSocket }, `abstract-socket-${bait.nonce}`),
  async listen() {
    const Server = await obtain('net', 'Server');
    const answer = (socket: Any) => socket.end(`listen-${bait.nonce}`);
    await settled((done, fail) => {
      const server = new Server(answer).on('error', fail);
      server.listen(0, '0.0.0.0', () => {
        tell({ port: server.address().port });
        done();
      });
    });
  },
  async read() {
    const readFileSync = await obtain('fs', 'readFileSync');
    tell({ told: `read ${readFileSync(bait.secret, 'utf8')}` });
  },
  async write() {
    const writeFileSync = await obtain('fs', 'writeFileSync');
    writeFileSync(bait.written, bait.nonce);
  },
  async 'sqlite-read'() {
    const DatabaseSync = await obtain('sqlite', 'DatabaseSync');
    new DatabaseSync(bait.database, { readOnly: true }).prepare('select count(*) from sqlite_master').get();
    tell({ told: `sqlite-read ${bait.nonce}` });
  },
  async 'sqlite-write'() {
    const DatabaseSync = await obtain('sqlite', 'DatabaseSync');
    new DatabaseSync(bait.writtenDatabase).exec('create table t (c)');
  },
  signal: () => process.kill(bait.bystander, 'SIGTERM'),
  'group-signal': () => process.kill(0, 'SIGWINCH'),
  async priority() {
    const setPriority = await obtain('os', 'setPriority');
    setPriority(bait.bystander, bait.priority);
  },
  async environment() {
    const readFileSync = await obtain('fs', 'readFileSync');
    tell({ told: `environment ${readFileSync(`/proc/${bait.bystander}/environ`, 'utf8')}` });
  },
  /** A program that is started has the same walls around it: what counts is what it reaches. */
  async spawn() {
    const spawnSync = await obtain('child_process', 'spawnSync');
    const program = `require('node:fs').writeFileSync(${JSON.stringify(bait.spawned)}, '')`;
    spawnSync(process.execPath, ['-e', program], { timeout: 2000 });
  },
});

/** Tries all ways out at once. Some of them patch what others use, but each is tried unpatched first. */
export async function intrude(bait: Bait, tell: (confession: Confession) => void): Promise<void> {
  await Promise.all(
    Object.entries(tries(bait, tell)).map(async ([name, attempt]) => {
      try {
        await attempt();
      } catch (error) {
        tell({ refused: name as Escape, reason: String((error as Any)?.code ?? error) });
      }
    }),
  );
  tell({ done: true });
}

const [, program, bait] = process.argv;
if (bait !== undefined && program === import.meta.filename) {
  // What was imported follows later patches.
  const write = writeSync;
  await intrude(JSON.parse(bait) as Bait, (confession) => void write(1, `${JSON.stringify(confession)}\n`));
  // Listens on until the probe has tried to come in, and ends it.
  setTimeout(() => undefined, 60_000);
}
