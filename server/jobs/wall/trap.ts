// Bait for an intruder in a worker's place, and what of it was touched, as seen from outside. Knows neither walls nor workers.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, connect as openConnection, type Server, type Socket } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Escape, escapes } from '../../contract/workstation/isolation.ts';

/** What lies in wait. */
export interface Bait {
  nonce: string;
  port: number;
  udpPort: number;
  socket: string;
  abstractSocket: string;
  /** Holds the nonce. */
  secret: string;
  /** To be read. */
  database: string;
  /** Files that are to come into being. */
  written: string;
  writtenDatabase: string;
  spawned: string;
  /** A process of ours, with the nonce in its environment, and a priority that it does not have. */
  bystander: number;
  priority: number;
}

/** What an intruder says, line by line. */
export type Confession = { port: number } | { told: string } | { refused: Escape; reason: string } | { done: true };

export interface Treasure {
  /** That workers may not see into. */
  folder: string;
  /** A database in it. */
  database: string;
}

/** Outlives what signals it can, and tells of them. */
const bystander = `
for (const [signal, name] of [['SIGTERM', 'signal'], ['SIGWINCH', 'group-signal']]) process.on(signal, () => console.log(name));
process.stdin.resume().on('end', () => process.exit());
console.log('ready');`;

async function listening(server: Server, ...where: [path: string] | [port: number, host: string]): Promise<Server> {
  server.listen(...(where as [number, string]));
  await once(server, 'listening');
  return server;
}

export class Trap {
  readonly touched = new Set<Escape>();
  bait!: Bait;
  readonly #nonce = randomBytes(16).toString('hex');
  readonly #folders: string[] = [];
  readonly #servers: Server[] = [];
  readonly #datagrams: DatagramSocket = createSocket('udp4', (message) => this.#recognize(message.toString('latin1')));
  #bystander!: ChildProcess;
  #usualPriority = 0;
  #isOver = false;

  private constructor() {}

  static async set(treasure: Treasure): Promise<Trap> {
    const trap = new Trap();
    try {
      await trap.#lay(treasure);
      return trap;
    } catch (error) {
      trap.clear();
      throw error;
    }
  }

  async #lay({ folder, database }: Treasure): Promise<void> {
    const nonce = this.#nonce;
    // Names of sockets are short.
    const [inside, outside] = [mkdtempSync(join(folder, 'probe-')), mkdtempSync(join(tmpdir(), 'probe-'))];
    this.#folders.push(inside, outside);
    const onWindows = process.platform === 'win32';
    const socket = onWindows ? `\\\\.\\pipe\\probe-${nonce}` : join(outside, 'socket');
    const abstractSocket = process.platform === 'linux' ? `\0probe-${nonce}` : socket;
    const serve = () => createServer((connection) => this.#hear(connection));
    const tcp = await listening(serve(), 0, '127.0.0.1');
    this.#servers.push(tcp, await listening(serve(), socket));
    if (abstractSocket !== socket) this.#servers.push(await listening(serve(), abstractSocket));
    this.#datagrams.bind(0, '127.0.0.1');
    await once(this.#datagrams, 'listening');
    writeFileSync(join(inside, 'secret'), nonce);
    const pid = await this.#startBystander();
    this.#usualPriority = getPriority(pid);
    this.bait = {
      nonce,
      port: (tcp.address() as AddressInfo).port,
      udpPort: this.#datagrams.address().port,
      socket,
      abstractSocket,
      secret: join(inside, 'secret'),
      database,
      written: join(inside, 'written'),
      writtenDatabase: join(inside, 'written.db'),
      spawned: join(inside, 'spawned'),
      bystander: pid,
      priority: Math.min(19, this.#usualPriority + 1),
    };
  }

  async #startBystander(): Promise<number> {
    const child = spawn(process.execPath, ['-e', bystander], {
      env: { ELECTRON_RUN_AS_NODE: '1', SECRET: this.#nonce },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.#bystander = child;
    const lines = createInterface({ input: child.stdout });
    const [first] = await Promise.race([once(lines, 'line'), once(child, 'close'), once(child, 'error')]);
    if (first !== 'ready') throw new Error('a process of its own could not be started');
    lines.on('line', (signal) => this.touched.add(signal as Escape));
    child.on('exit', () => {
      if (!this.#isOver) this.touched.add('signal');
    });
    return child.pid!;
  }

  #hear(connection: Socket): void {
    let heard = '';
    connection
      .on('error', () => undefined)
      .on('data', (bytes) => {
        heard = (heard + bytes.toString('latin1')).slice(-1000);
        this.#recognize(heard);
      });
  }

  /** Every word that gets out has the nonce with it. */
  #recognize(text: string): void {
    for (const way of escapes) if (text.includes(`${way}-${this.#nonce}`)) this.touched.add(way);
  }

  /** What the intruder says that it got hold of. */
  async hear(confession: Confession): Promise<void> {
    if ('port' in confession) await this.#visit(confession.port);
    if ('told' in confession && confession.told.includes(this.#nonce)) {
      const way = escapes.find((name) => confession.told.startsWith(`${name} `));
      if (way !== undefined) this.touched.add(way);
    }
  }

  /** Whether an intruder can be called from here. */
  async #visit(port: number): Promise<void> {
    const connection = openConnection(port, '127.0.0.1');
    this.#hear(connection);
    await new Promise((resolve) => connection.on('close', resolve));
  }

  /** Looks at what leaves a trace only, and takes everything away. */
  clear(): void {
    this.#isOver = true;
    const { bait } = this;
    if (bait !== undefined) {
      if (existsSync(bait.written)) this.touched.add('write');
      if (existsSync(bait.writtenDatabase)) this.touched.add('sqlite-write');
      if (existsSync(bait.spawned)) this.touched.add('spawn');
      if (this.#bystander.exitCode === null && this.#bystander.signalCode === null) {
        if (getPriority(bait.bystander) !== this.#usualPriority) this.touched.add('priority');
      }
    }
    this.#bystander?.kill('SIGKILL');
    this.#datagrams.close();
    for (const server of this.#servers) server.close();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}
