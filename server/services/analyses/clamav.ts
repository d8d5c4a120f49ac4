// Asks ClamAV about bytes: a running `clamd` over its socket, or a `clamscan` of our own. Knows no APK and no job.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What ClamAV says of a file. */
export interface ClamavVerdict {
  /** Names of the signatures that match, as ClamAV calls them; none: it knows nothing against the file. */
  signatures: string[];
  /** false: a limit of ClamAV's own ended the scan before the end of the file. */
  isComplete: boolean;
}

export interface Clamav {
  /** How it is asked. */
  readonly program: 'clamd' | 'clamscan';
  /** `ClamAV 1.4.6/27458/Sat Nov 21 09:00:00 2026`; without signatures of the project's own only the first part. @throws ClamavUnavailable */
  version(): Promise<string>;
  /** @throws ClamavUnavailable, ClamavRefusal, ClamavInterruption; the stream's own error where the bytes cannot be read */
  scan(bytes: Readable, signal: AbortSignal): Promise<ClamavVerdict>;
}

/** ClamAV cannot be asked at all: not running, not installed, without signatures. No fault of the file's. */
export class ClamavUnavailable extends Error {}
/** ClamAV will not scan this file, however often it is asked. */
export class ClamavRefusal extends Error {}
/** The scan ended without an answer: the daemon restarted, or the file is more than it can take. */
export class ClamavInterruption extends Error {}

/** Characters of an answer; a scan of one file is answered in a line. */
const maxAnswer = 65_536;
/** Milliseconds for saying what it is, which takes no scan. */
const versionTimeout = 5_000;

const limitAlert = /^Heuristics\.Limits\.Exceeded/;

/** The signatures named in lines like `stream: Andr.Trojan.Agent-1 FOUND`. @throws ClamavRefusal for `… ERROR` */
function verdictOf(answer: string): ClamavVerdict | null {
  const signatures = new Set<string>();
  let isAnswered = false;
  for (const line of answer.split(/[\0\r\n]+/)) {
    const [, found] = /^(?:stream|stdin): (.+) FOUND$/.exec(line) ?? [];
    const [, fault] = /^(?:(?:stream|stdin): )?(.*\S) ERROR$/.exec(line) ?? [];
    if (fault !== undefined) throw new ClamavRefusal(`ClamAV did not scan the file: ${fault}`);
    // With extended information the hash and size of what was found stand behind the name.
    if (found !== undefined) signatures.add(found.replace(/\([0-9a-f]{32,64}:\d+\)$/, ''));
    isAnswered ||= found !== undefined || /^(?:stream|stdin): OK$/.test(line);
  }
  if (!isAnswered) return null;
  const named = [...signatures];
  return {
    signatures: named.filter((name) => !limitAlert.test(name)),
    isComplete: !named.some((name) => limitAlert.test(name)),
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** An open connection to clamd, with all that came over it. */
class ClamdConversation {
  readonly #socket: Socket;
  #answer = '';
  #fault: Error | null = null;
  readonly #ended: Promise<void>;

  private constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (piece: Buffer | string) => {
      this.#answer += piece;
      if (this.#answer.length > maxAnswer || this.#answer.includes('\0')) socket.destroy();
    });
    socket.on('error', (error) => {
      this.#fault = error;
    });
    const stop = () => socket.destroy(new Error('it did not answer in time'));
    signal.addEventListener('abort', stop, { once: true });
    this.#ended = new Promise((resolve) => {
      socket.once('close', () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
    });
  }

  /** @param address an absolute path, or `host:port` */
  static async open(address: string, signal: AbortSignal): Promise<ClamdConversation> {
    signal.throwIfAborted();
    const [, host = '', port] = /^\[?([^/\]]*)\]?:(\d+)$/.exec(address) ?? [];
    const socket = port === undefined ? connect({ path: address }) : connect({ host, port: Number(port) });
    try {
      await once(socket, 'connect', { signal });
    } catch (error) {
      socket.destroy();
      throw new ClamavUnavailable(`clamd cannot be reached: ${messageOf(error)}`);
    }
    return new ClamdConversation(socket, signal);
  }

  /** @returns false where clamd has answered or left already, so that it reads no more */
  async write(bytes: Uint8Array): Promise<boolean> {
    if (this.#socket.destroyed || this.#answer !== '') return false;
    if (!this.#socket.write(bytes)) {
      await new Promise<void>((resolve) => {
        this.#socket.once('drain', resolve);
        this.#socket.once('close', () => resolve());
      });
    }
    return !this.#socket.destroyed;
  }

  /** @throws ClamavInterruption where it left without an answer */
  async answer(): Promise<string> {
    await this.#ended;
    // A daemon that refuses the rest of a file resets the connection behind its answer.
    if (this.#answer === '') {
      throw new ClamavInterruption(`clamd broke off: ${this.#fault?.message ?? 'it closed the connection'}`);
    }
    return this.#answer;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/**
 * A running daemon: https://docs.clamav.net/manual/Usage/ClamdProtocol.html. The bytes go over the socket, so that it
 * needs no access to any file of ours.
 */
export class Clamd implements Clamav {
  readonly program = 'clamd';
  readonly #address: string;
  readonly #timeout: number;

  /**
   * @param address path of its local socket, or `host:port`
   * @param timeout milliseconds for one scan
   */
  constructor(address: string, timeout: number) {
    this.#address = address;
    this.#timeout = timeout;
  }

  /** Name, number and date of the signatures, as ClamAV writes them. @throws ClamavUnavailable */
  async version(): Promise<string> {
    const conversation = await ClamdConversation.open(this.#address, AbortSignal.timeout(versionTimeout));
    try {
      await conversation.write(Buffer.from('zVERSION\0'));
      return (await conversation.answer()).replace(/\0.*$/s, '').trim();
    } catch (error) {
      throw new ClamavUnavailable(messageOf(error));
    } finally {
      conversation.close();
    }
  }

  /** Scans bytes. @throws ClamavUnavailable, ClamavRefusal, ClamavInterruption */
  async scan(bytes: Readable, cancel: AbortSignal): Promise<ClamavVerdict> {
    try {
      const signal = AbortSignal.any([cancel, AbortSignal.timeout(this.#timeout)]);
      const conversation = await ClamdConversation.open(this.#address, signal);
      try {
        const header = () => Buffer.alloc(4);
        let isReading = await conversation.write(Buffer.from('zINSTREAM\0'));
        for await (const piece of bytes as AsyncIterable<Buffer>) {
          if (!isReading) break;
          const length = header();
          length.writeUInt32BE(piece.length);
          isReading = (await conversation.write(length)) && (await conversation.write(piece));
        }
        await conversation.write(header());
        const answer = await conversation.answer();
        const verdict = verdictOf(answer);
        if (verdict === null) throw new ClamavInterruption(`clamd answered ${JSON.stringify(answer.slice(0, 200))}`);
        return verdict;
      } finally {
        conversation.close();
      }
    } finally {
      bytes.destroy();
    }
  }
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
  complaint: string;
}

/** The program that loads all signatures for every file: slow to begin and large in memory, so that one runs at a time. */
export class Clamscan implements Clamav {
  readonly program = 'clamscan';
  static #last: Promise<unknown> = Promise.resolve();
  readonly #path: string;
  readonly #database: string;
  readonly #timeout: number;

  /**
   * @param path of the program, or its name
   * @param database file or folder of signatures; empty: where the program looks by itself
   * @param timeout milliseconds for one scan
   */
  constructor(path: string, database: string, timeout: number) {
    this.#path = path;
    this.#database = database;
    this.#timeout = timeout;
  }

  /** Name, number and date of the signatures, as ClamAV writes them. @throws ClamavUnavailable */
  async version(): Promise<string> {
    const { output } = await this.#run(['--version'], null, AbortSignal.timeout(versionTimeout));
    return output.split('\n', 1)[0]!.trim();
  }

  /** Scans bytes. @throws ClamavUnavailable, ClamavRefusal, ClamavInterruption */
  scan(bytes: Readable, signal: AbortSignal): Promise<ClamavVerdict> {
    const mine = Clamscan.#last.then(() => this.#scan(bytes, signal)).finally(() => bytes.destroy());
    Clamscan.#last = mine.catch(() => undefined);
    return mine;
  }

  async #scan(bytes: Readable, cancel: AbortSignal): Promise<ClamavVerdict> {
    const {
      code,
      signal: killed,
      output,
      complaint,
    } = await this.#run(
      [
        '--no-summary',
        '--stdout',
        // By default it says OK of what it did not look at because it is large.
        '--max-filesize=2000M',
        '--max-scansize=4000M',
        '--alert-exceeds-max=yes',
        '--max-scantime=0',
        ...(this.#database === '' ? [] : [`--database=${this.#database}`]),
        '-',
      ],
      bytes,
      AbortSignal.any([cancel, AbortSignal.timeout(this.#timeout)]),
    );
    const verdict = verdictOf(output);
    if (verdict !== null && (code === 0 || code === 1)) return verdict;
    if (killed !== null) throw new ClamavInterruption(`clamscan was ended by ${killed}`);
    throw new ClamavUnavailable(`clamscan ended with code ${code}: ${complaint.trim().split('\n')[0] ?? ''}`);
  }

  async #run(words: readonly string[], bytes: Readable | null, signal: AbortSignal): Promise<Exit> {
    signal.throwIfAborted();
    const child = spawn(this.#path, words, {
      stdio: ['pipe', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
      // Below a desktop app, Windows would open a console for each scan.
      windowsHide: true,
    });
    let output = '';
    let complaint = '';
    child.stdout.setEncoding('latin1').on('data', (piece: string) => {
      if (output.length < maxAnswer) output += piece;
    });
    child.stderr.setEncoding('latin1').on('data', (piece: string) => {
      if (complaint.length < maxAnswer) complaint += piece;
    });
    const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    // It may end before it has read everything; its answer says whether that matters.
    child.stdin.on('error', () => undefined);
    if (bytes === null) child.stdin.end();
    const fed = bytes === null ? null : pipeline(bytes, child.stdin).catch((error: unknown) => error);
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
      const [code, killed] = await closed;
      const fault = await fed;
      if (bytes?.errored && fault instanceof Error && (fault as NodeJS.ErrnoException).code !== 'EPIPE') throw fault;
      return { code, signal: killed, output, complaint };
    } catch (error) {
      child.kill('SIGKILL');
      if (signal.aborted) throw new ClamavInterruption('clamscan did not answer in time');
      if ((error as NodeJS.ErrnoException).syscall?.startsWith('spawn')) {
        throw new ClamavUnavailable(`clamscan cannot be started: ${messageOf(error)}`);
      }
      throw error;
    }
  }
}
