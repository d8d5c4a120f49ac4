// The embedded server as a process of its own, seen from the desktop shell: started, kept running, stopped.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LogFile } from '../server/app/log-file.ts';
import { printedPage } from './printing.ts';

/** Running from source under Node the files end in .ts, in the built tree in .js. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
/** In the package the server lies beside the archive that Electron reads: its workers need real files. */
export const commandLine = fileURLToPath(new URL(`../server/app/command-line.${extension}`, import.meta.url)).replace(
  /\bapp\.asar\b/,
  'app.asar.unpacked',
);
/** Electron's own program runs scripts as Node does where this is set. */
export const asNode = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };

/** Milliseconds: the end of a server that has run this long resets the count of restarts. */
const settledAfter = 60_000;
/** Restarts in a row after which the shell gives up. */
const maxRestarts = 3;

/** What the server tells its window's process. */
export type ServerMessage =
  | { kind: 'jobs'; queued: number; running: number }
  | { kind: 'notification'; title: string; body: string; route: string }
  | { kind: 'print'; id: number; page: string };

export interface ServerEvents {
  onMessage(message: ServerMessage): void;
  /** The server has ended and was started again; `url` is the same where its port was still free. */
  onRestart(server: { url: string; loginUrl: string }): void;
  /** The server has ended too often in a row: the shell gives up. */
  onGivingUp(reason: string): void;
}

interface Started {
  child: ChildProcess;
  url: string;
  /** Address of the user interface that logs the owner in, valid once. */
  loginUrl: string;
}

/** Milliseconds that the server has to end, which takes it a few seconds. What is acknowledged is on the disk in any case. */
const endPatience = 30_000;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

export class ServerProcess {
  readonly #log: LogFile;
  readonly #events: ServerEvents;
  #started: Started | null = null;
  #startedAt = 0;
  #restarts = 0;
  #isStopping = false;
  #recovering: Promise<void> = Promise.resolve();

  constructor(log: LogFile, events: ServerEvents) {
    this.#log = log;
    this.#events = events;
  }

  get url(): string {
    return this.#started?.url ?? '';
  }

  /**
   * Starts the server on a free loopback port.
   * @throws where it ends before it is ready, with the last lines of its log
   */
  async start(port = 0): Promise<{ url: string; loginUrl: string }> {
    const child = fork(commandLine, ['serve', '--port', String(port)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: asNode,
    });
    child.stderr?.on('data', (chunk: Buffer) => this.#log.write(chunk));
    const ready = await new Promise<{ url: string; loginUrl: string }>((resolve, reject) => {
      child.once('message', (message) => resolve(message as { url: string; loginUrl: string }));
      child.once('error', reject);
      child.once('exit', (code, signal) =>
        reject(new Error(`The server ended (${signal ?? code}).\n\n${this.#log.lastLines()}`)),
      );
    });
    this.#started = { child, ...ready };
    this.#startedAt = performance.now();
    child.on('message', (message) => this.#onMessage(child, message as ServerMessage));
    child.send({ kind: 'prints' });
    child.on('error', ({ message }) => this.#log.write(`The server could not be told something: ${message}\n`));
    child.once('exit', (code, signal) => {
      if (!this.#isStopping) this.#recovering = this.#recover(`The server ended (${signal ?? code}).`);
    });
    return ready;
  }

  #onMessage(child: ChildProcess, message: ServerMessage): void {
    if (message.kind !== 'print') {
      this.#events.onMessage(message);
      return;
    }
    const answer = (pdf: Buffer | null, reason: string) => {
      if (child.connected)
        child.send({ kind: 'printed', id: message.id, pdf: pdf?.toString('base64') ?? null, reason });
    };
    printedPage(message.page).then(
      (pdf) => answer(pdf, ''),
      (error: Error) => answer(null, error.message),
    );
  }

  /** Starts the server again on its port, so that the window goes on where it was. */
  async #recover(reason: string): Promise<void> {
    const port = Number(new URL(this.url).port);
    if (performance.now() - this.#startedAt > settledAfter) this.#restarts = 0;
    if (++this.#restarts > maxRestarts) {
      this.#events.onGivingUp(`${reason}\n\n${this.#log.lastLines()}`);
      return;
    }
    this.#log.write(`${reason} It is started again.\n`);
    try {
      this.#events.onRestart(await this.start(port).catch(() => this.start()));
    } catch (error) {
      this.#events.onGivingUp((error as Error).message);
    }
  }

  /**
   * A new address that logs the owner in, for a window that was closed.
   * @throws where the server ends before it answers
   */
  async newLoginUrl(): Promise<string> {
    const { child } = await this.#running();
    return new Promise((resolve, reject) => {
      const stop = () => {
        child.off('message', onMessage);
        child.off('exit', onExit);
      };
      const onMessage = (message: unknown) => {
        const { loginUrl } = message as { loginUrl?: string };
        if (loginUrl === undefined) return;
        stop();
        resolve(loginUrl);
      };
      const onExit = () => {
        stop();
        reject(new Error('The server has ended.'));
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send({ kind: 'login' });
    });
  }

  /** The server, waited for where it is just being started again. */
  async #running(): Promise<Started> {
    await this.#recovering;
    if (this.#started === null || hasEnded(this.#started.child)) throw new Error('The server is not running.');
    return this.#started;
  }

  /** Asks the server to end cleanly and waits until it has. Jobs under way go on at the next start. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#recovering;
    const child = this.#started?.child;
    if (child === undefined || hasEnded(child)) return;
    const exited = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), endPatience);
    if (child.connected) child.disconnect();
    await exited;
    clearTimeout(timer);
  }
}
