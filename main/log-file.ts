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

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    this.#path = join(folder, 'server.log');
    this.#size = existsSync(this.#path) ? statSync(this.#path).size : 0;
  }

  write(chunk: Buffer | string): void {
    const bytes = Buffer.from(chunk);
    if (this.#size + bytes.length > maxBytes) this.#turn();
    appendFileSync(this.#path, bytes, { mode: 0o600 });
    this.#size += bytes.length;
    this.#tail = (this.#tail + bytes.toString()).slice(-tailBytes);
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
