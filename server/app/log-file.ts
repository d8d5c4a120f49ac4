// The server's log as files of bounded size. Knows nothing of what is in it.
import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const maxBytes = 5 * 1024 ** 2;
/** `server.log`, then `server.1.log` and so on, the oldest last. */
const keptFiles = 3;
const tailBytes = 4_000;

export class LogFile {
  readonly folder: string;
  readonly #path: string;
  #size: number;
  #tail = '';
  #isInLine = false;

  constructor(folder: string) {
    this.folder = folder;
    this.#path = join(folder, 'server.log');
    this.#size = existsSync(this.#path) ? statSync(this.#path).size : 0;
  }

  /** A file ends with a whole line, as far as its lines end at all. */
  write(chunk: Buffer | string): void {
    const bytes = Buffer.from(chunk);
    this.#tail = (this.#tail + bytes.toString()).slice(-tailBytes);
    try {
      mkdirSync(this.folder, { recursive: true });
      const isFull = this.#size + bytes.length > maxBytes;
      const lineEnd = isFull && this.#isInLine ? bytes.indexOf('\n') + 1 : 0;
      this.#append(bytes.subarray(0, lineEnd));
      if (isFull) this.#turn();
      this.#append(bytes.subarray(lineEnd));
    } catch {
      // A full disk, or one that can only be read: the app goes on without its log, whose end it still can tell.
    }
  }

  #append(bytes: Buffer): void {
    if (bytes.length === 0) return;
    appendFileSync(this.#path, bytes, { mode: 0o600 });
    this.#size += bytes.length;
    this.#isInLine = bytes.at(-1) !== 0x0a;
  }

  #turn(): void {
    const name = (index: number) => (index === 0 ? this.#path : join(this.folder, `server.${index}.log`));
    for (let index = keptFiles - 2; index >= 0; index--) {
      if (existsSync(name(index))) renameSync(name(index), name(index + 1));
    }
    this.#size = 0;
  }

  /** For an error message. */
  lastLines(count = 12): string {
    return this.#tail.split('\n').slice(-count).join('\n');
  }
}
