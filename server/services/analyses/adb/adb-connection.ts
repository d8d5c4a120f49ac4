// One connection to an adb server: requests, answers and exact reads, each bounded in time. Knows no service by name.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * `server`: no adb server answers as one. `device`: this device cannot be used, or left in the middle. `file`: the device
 * answers, and refuses what it was asked for.
 */
export type AdbFault = 'server' | 'device' | 'file';

export class AdbError extends Error {
  readonly fault: AdbFault;

  constructor(fault: AdbFault, message: string) {
    super(message);
    this.name = 'AdbError';
    this.fault = fault;
  }
}

/** Milliseconds until the server takes a connection: it is on this machine. */
const connectTimeout = 2_000;
/** A request and an answer have four digits of length. */
const maxRequest = 0xff_ff;
/** Longest line of a device's answer that is shown to people, in characters. */
const maxMessage = 300;

/** Text of a device or server without what could disturb a log or a page. */
export const plainText = (text: string, max = maxMessage): string =>
  text
    .replace(/[\s\p{Cc}\p{Cf}\uFFFD]+/gu, ' ')
    .trim()
    .slice(0, max);

/**
 * The smart socket of the adb server:
 * https://android.googlesource.com/platform/packages/modules/adb/+/refs/heads/main/docs/dev/overview.md
 */
export class AdbConnection {
  readonly #socket: Socket;
  #fault: string | null = null;
  #wake: (() => void) | null = null;
  readonly #unfollow: () => void;

  private constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket;
    const wake = () => this.#wake?.();
    for (const event of ['readable', 'end', 'close', 'drain']) socket.on(event, wake);
    socket.on('error', (error: Error) => {
      this.#fault ??= error.message;
    });
    const stop = () => this.#break('it was stopped, or took too long');
    signal.addEventListener('abort', stop, { once: true });
    this.#unfollow = () => signal.removeEventListener('abort', stop);
    socket.on('timeout', () => this.#break('it does not answer'));
  }

  /**
   * @param address `host:port`
   * @param patience milliseconds of silence after which the other side has left
   * @throws AdbError `server`
   */
  static async open(address: string, patience: number, signal: AbortSignal): Promise<AdbConnection> {
    const [, host = '', port = ''] = /^\[?([^\]]*)\]?:(\d+)$/.exec(address) ?? [];
    const socket = connect({ host, port: Number(port) });
    try {
      await once(socket, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(connectTimeout)]) });
    } catch (error) {
      socket.destroy();
      socket.on('error', () => undefined);
      const { code } = error as NodeJS.ErrnoException;
      throw new AdbError('server', `no adb server answers at ${address} (${code ?? String(error)})`);
    }
    socket.setTimeout(patience);
    return new AdbConnection(socket, signal);
  }

  #break(reason: string): void {
    this.#fault ??= reason;
    this.#socket.destroy();
  }

  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = null;
  }

  /**
   * @param count at most what the caller is ready to hold
   * @throws AdbError `device` where the other side ends before
   */
  async exactly(count: number): Promise<Buffer> {
    if (count === 0) return Buffer.alloc(0);
    for (;;) {
      const bytes = this.#socket.read(count) as Buffer | null;
      // At its end a stream hands out what is left, however short.
      if (bytes !== null && bytes.length === count) return bytes;
      if (bytes !== null || this.#socket.readableEnded || this.#socket.destroyed) {
        throw new AdbError('device', this.#fault ?? 'the connection to the device ended');
      }
      await this.#change();
    }
  }

  /** @throws AdbError `device` */
  async write(bytes: Uint8Array | string): Promise<void> {
    if (!this.#socket.destroyed && this.#socket.write(bytes)) return;
    while (!this.#socket.destroyed && this.#socket.writableNeedDrain) await this.#change();
    if (this.#socket.destroyed) throw new AdbError('device', this.#fault ?? 'the connection to the device ended');
  }

  /**
   * Asks for a service and waits for its OKAY.
   * @param fault whose a refusal is
   */
  async request(service: string, fault: AdbFault): Promise<void> {
    const text = Buffer.from(service);
    if (text.length > maxRequest) throw new AdbError('file', 'the request is too long for adb');
    await this.write(Buffer.concat([Buffer.from(text.length.toString(16).padStart(4, '0')), text]));
    const status = (await this.exactly(4)).toString('latin1');
    if (status === 'OKAY') return;
    if (status !== 'FAIL') throw new AdbError('server', 'what answers is no adb server');
    throw new AdbError(fault, plainText(await this.text()));
  }

  /** A text with its length in four hexadecimal digits before it. */
  async text(): Promise<string> {
    const length = (await this.exactly(4)).toString('latin1');
    if (!/^[0-9a-fA-F]{4}$/.test(length)) throw new AdbError('server', 'what answers is no adb server');
    return (await this.exactly(Number.parseInt(length, 16))).toString();
  }

  /** Closes the connection at once. */
  close(): void {
    this.#unfollow();
    this.#socket.destroy();
    this.#wake?.();
  }
}
