// `npm run bench -- load`: 200 clients on a catalogue of 100,000 APKs while analyses run, as Markdown tables.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { realApks } from '../fixtures/real-apks.ts';
import { dice, largeCatalogue, madeApp } from './large-catalogue.ts';
import type { DelayMessage, LoadServerMessage } from './load-server.ts';

const catalogueSize = 100_000;
const clients = 200;
const seconds = 20;
/** Requests of each kind when they come one after the other. */
const alone = 200;
const { below } = dice(5);
const print = (line = '') => process.stdout.write(`${line}\n`);
const row = (...cells: (string | number)[]) => print(`| ${cells.join(' | ')} |`);
const head = (...cells: string[]) => {
  row(...cells);
  row(...cells.map(() => '---'));
};
const figure = (value: number) => value.toFixed(value < 10 ? 1 : 0);

interface Answer {
  status: number;
  /** Bytes of the body. */
  size: number;
  body: Buffer;
}

/** What clients have read, one piece at a time. Each piece is done with when the next one comes. */
const pieceBuffer = Buffer.alloc(256 * 1024);

/**
 * One connection that is kept, with one request after the other: HTTP/1.1 and no more, so that the server is measured.
 * Bodies are kept only where they are asked for: collecting garbage would take processors from the server.
 */
class Client {
  readonly #socket: Socket;
  readonly #head: string;
  /** Bytes of the body that have not come; a body in chunks ends by itself. */
  #left = 0;
  #isChunked = false;
  #isInBody = false;
  #status = 0;
  #size = 0;
  #tail = '';
  #kept: Buffer[] | null = null;
  #answered: ((answer: Answer) => void) | null = null;
  #failed: ((error: Error) => void) | null = null;

  constructor(url: string, token: string) {
    const { hostname, port, host } = new URL(url);
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      onread: {
        buffer: pieceBuffer,
        callback: (length, buffer) => {
          this.#read((buffer as Buffer).subarray(0, length));
          return true;
        },
      },
    });
    this.#socket.setNoDelay(true);
    this.#head = ` HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Token ${token}\r\n`;
    this.#socket.on('error', (error) => this.#failed?.(error));
    this.#socket.on('close', () => this.#failed?.(new Error('the connection was closed')));
  }

  /** @param isKept whether the answer's body is wanted, not its size alone */
  ask(path: string, { method = 'GET', body = null as Buffer | null, isKept = true } = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#kept = isKept ? [] : null;
      const length = body === null ? '' : `Content-Length: ${body.length}\r\n`;
      this.#socket.write(`${method} ${path}${this.#head}${length}\r\n`);
      if (body !== null) this.#socket.write(body);
    });
  }

  close(): void {
    this.#failed = null;
    this.#socket.destroy();
  }

  #read(piece: Buffer): void {
    let body = piece;
    if (!this.#isInBody) {
      // The server writes a head at once, and no piece ends in it.
      const end = piece.indexOf('\r\n\r\n');
      const head = piece.toString('latin1', 0, end);
      this.#status = Number(head.slice(9, 12));
      this.#isChunked = /\r\ntransfer-encoding: chunked/i.test(head);
      this.#left = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      this.#size = 0;
      this.#isInBody = true;
      body = piece.subarray(end + 4);
    }
    this.#size += body.length;
    this.#left -= body.length;
    this.#kept?.push(Buffer.from(body));
    this.#tail = (this.#tail + body.toString('latin1', Math.max(0, body.length - 5))).slice(-5);
    const isWhole = this.#isChunked ? this.#tail === '0\r\n\r\n' : this.#left <= 0;
    if (!isWhole) return;
    this.#isInBody = false;
    this.#answered?.({ status: this.#status, size: this.#size, body: Buffer.concat(this.#kept ?? []) });
  }
}

const json = ({ body }: Answer) => JSON.parse(body.toString());
const vendor = () => madeApp(below(catalogueSize / 8)).packageName.split('.')[1]!;
const words = ['game', 'free', 'photo', 'bank', 'com', 'music'];

/** What clients ask for, with how often. */
function mix(hashes: readonly string[], analysed: readonly string[]): [string, number, () => string][] {
  const hash = () => hashes[below(hashes.length)]!;
  const real = () => analysed[below(analysed.length)]!;
  return [
    ['list', 15, () => '/apks/'],
    ['list from a place', 10, () => `/apks/?skip=${below(catalogueSize - 100)}&ordering=-size`],
    ['search for a word', 15, () => `/apks/?search=${below(2) === 0 ? vendor() : words[below(words.length)]}`],
    [
      'search with conditions',
      10,
      () => `/apks/?search=${words[below(words.length)]}+detected%3Atrue+size%3A%3E${below(9e6)}`,
    ],
    ['APK', 20, () => `/apks/${hash()}/`],
    ['reports', 5, () => `/apks/${real()}/analysis/`],
    ['matches of an APK', 5, () => `/apks/${hash()}/matches/`],
    ['comments of an APK', 5, () => `/apks/${hash()}/comments/`],
    ['notifications', 5, () => '/notifications/'],
    ['rulesets', 3, () => '/rulesets/'],
    ['feed', 3, () => '/feed/'],
    ['jobs', 2, () => '/jobs/'],
    ['account', 2, () => '/account/'],
    ['facets', 2, () => `/apks/facets/?search=${words[below(words.length)]}`],
    ['completions', 2, () => `/apks/completions/?search=permission:${['se', 'int', 'read'][below(3)]}`],
    ['statistics', 1, () => '/statistics/'],
  ];
}

function spread(times: readonly number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => figure(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!);
  return [at(0.5), at(0.95), at(0.99), figure(sorted.at(-1)!)];
}

/** CPU seconds of the whole machine so far: of processes of low priority, which analyses are, and of all. */
function machineTime(): { low: number; busy: number; cores: number } {
  const cores = cpus();
  const sum = (part: (times: ReturnType<typeof cpus>[number]['times']) => number) =>
    cores.reduce((total, { times }) => total + part(times), 0) / 1000;
  const busy = sum(({ user, nice, sys, irq }) => user + nice + sys + irq);
  return { low: sum(({ nice }) => nice), busy, cores: cores.length };
}

async function delayOf(server: ChildProcess): Promise<DelayMessage> {
  server.send('delay');
  const [message] = (await once(server, 'message')) as [DelayMessage];
  return message;
}

export async function load(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-bench-load-'));
  cpSync(await largeCatalogue(catalogueSize), folder, { recursive: true });
  const server = fork(join(import.meta.dirname, './load-server.ts'), [folder], { stdio: 'inherit' });
  try {
    const [{ url, token }] = (await once(server, 'message')) as [LoadServerMessage];
    const main = new Client(url, token);
    const analysed: string[] = [];
    for (const path of Object.values(realApks)) {
      const answer = await main.ask('/uploads/', { method: 'POST', body: readFileSync(path) });
      analysed.push(json(answer).sha256);
    }
    for (;;) {
      const { count } = json(await main.ask('/jobs/?status=active'));
      if (count === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const hashes: string[] = [];
    for (let skip = 0; skip < catalogueSize; skip += catalogueSize / 40)
      hashes.push(...json(await main.ask(`/apks/?skip=${skip}`)).results.map((apk: { sha256: string }) => apk.sha256));
    const kinds = mix(hashes, analysed);
    await measureAlone(server, main, kinds);
    await measureTogether(server, url, token, kinds, analysed);
    main.close();
  } finally {
    server.send('end');
    await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAlone(server: ChildProcess, client: Client, kinds: ReturnType<typeof mix>): Promise<void> {
  print('\n### One request after the other at 100,000 APKs: milliseconds\n');
  head('request', 'median', 'p95', 'p99', 'most', 'CPU', 'event loop held up at most', 'kB');
  for (const [name, , path] of kinds) {
    const times: number[] = [];
    let bytes = 0;
    const { cpu } = await delayOf(server);
    for (let i = 0; i < alone; i++) {
      const start = performance.now();
      const { status, size } = await client.ask(path(), { isKept: false });
      if (status !== 200) throw new Error(`${path()} answers ${status}`);
      times.push(performance.now() - start);
      bytes = Math.max(bytes, size);
    }
    const after = await delayOf(server);
    const spent = ((after.cpu - cpu) * 1000) / alone;
    row(name, ...spread(times), spent.toFixed(2), figure(after.longest), figure(bytes / 1000));
  }
}

async function measureTogether(
  server: ChildProcess,
  url: string,
  token: string,
  kinds: ReturnType<typeof mix>,
  analysed: readonly string[],
): Promise<void> {
  const wheel = kinds.flatMap(([name, weight, path]) => Array.from({ length: weight }, () => ({ name, path })));
  const times = new Map<string, number[]>(kinds.map(([name]) => [name, []]));
  const errors = new Map<string, number>();
  const end = performance.now() + seconds * 1000;
  let isOver = false;
  // Static analyses of real APKs, one upon the other, for as long as the clients ask.
  const analyst = new Client(url, token);
  const analysing = (async () => {
    while (!isOver) {
      for (const sha256 of analysed) await analyst.ask(`/apks/${sha256}/analyze_static/`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  const before = await delayOf(server);
  const own = process.cpuUsage();
  const machine = machineTime();
  const first: number[] = [];
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new Client(url, token);
      for (let isFirst = true; performance.now() < end; isFirst = false) {
        const { name, path } = wheel[below(wheel.length)]!;
        const start = performance.now();
        const { status } = await client.ask(path(), { isKept: false });
        times.get(name)!.push(performance.now() - start);
        if (isFirst) first.push(times.get(name)!.at(-1)!);
        if (status !== 200) errors.set(`${name} ${status}`, (errors.get(`${name} ${status}`) ?? 0) + 1);
      }
      client.close();
    }),
  );
  isOver = true;
  const after = await delayOf(server);
  const used = process.cpuUsage(own);
  const now = machineTime();
  await analysing;
  analyst.close();
  const all = [...times.values()].flat();
  print(
    `\n### ${clients} clients for ${seconds} s, each asking as soon as it has its answer, analyses running: milliseconds\n`,
  );
  head('request', 'times', 'median', 'p95', 'p99', 'most');
  for (const [name, list] of times) if (list.length > 0) row(name, list.length, ...spread(list));
  row('**all**', all.length, ...spread(all));
  print(
    `\n${(all.length / seconds).toFixed(0)} requests/s; ${[...errors].map((error) => error.join(': ')).join(', ') || 'no error'}.`,
  );
  print(`The event loop was late by ${figure(after.p99)} ms at p99, at most by ${figure(after.longest)} ms; the first`);
  print(`answers to all clients took ${spread(first).join(' / ')} ms (median / p95 / p99 / most).`);
  const [cpu, mainCpu] = [after.cpu - before.cpu, after.mainCpu - before.mainCpu];
  const clientCpu = (used.user + used.system) / 1e6;
  const low = now.low - machine.low;
  const others = now.busy - machine.busy - cpu - clientCpu - low;
  const share = (cpuSeconds: number) => `${((cpuSeconds / seconds) * 100).toFixed(0)} %`;
  print(
    `A request cost the server ${((cpu * 1000) / all.length).toFixed(2)} ms of CPU. Of a core, of ${now.cores}: the`,
  );
  print(`thread that answers ${share(mainCpu)}, the server's other threads ${share(cpu - mainCpu)}, the clients`);
  print(
    `${share(clientCpu)}, analyses at low priority ${share(low)}, whatever else ran on the machine ${share(others)}.`,
  );
}
