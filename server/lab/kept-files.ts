// Sealed files that tasks are about, as long as there is room for them. Holds no key, and opens none.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Bytes; what is in use stays beyond them. */
const roomByDefault = 4 * 1024 ** 3;
/** Times that a broken transfer goes on where it was. */
const mostTries = 5;

export class KeptFiles {
  readonly folder: string;
  readonly #room: number;
  /** By name: those that use it, and its transfer. */
  readonly #inUse = new Map<string, { users: number; there: Promise<void> }>();

  /** Removes transfers that an earlier process did not end. */
  constructor(folder: string, room = roomByDefault) {
    this.folder = folder;
    this.#room = room;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) if (name.endsWith('.part')) rmSync(join(folder, name), { force: true });
  }

  /**
   * Uses a sealed file, which is fetched where it is not there.
   * @param key its own, which no other file has
   * @param fetch its bytes from one on
   */
  async with<T>(
    { key, size }: { key: string; size: number },
    fetch: (from: number) => Promise<Readable>,
    use: (path: string) => Promise<T>,
  ): Promise<T> {
    const name = createHash('sha256').update(key).digest('hex');
    const held = this.#inUse.get(name) ?? { users: 0, there: this.#bring(name, size, fetch) };
    this.#inUse.set(name, held);
    held.users += 1;
    try {
      await held.there;
      return await use(join(this.folder, name));
    } finally {
      held.users -= 1;
      if (held.users === 0) this.#inUse.delete(name);
      this.#makeRoom();
    }
  }

  /** Forgets a file that turned out to be damaged. */
  forget(key: string): Promise<void> {
    return rm(join(this.folder, createHash('sha256').update(key).digest('hex')), { force: true });
  }

  async #bring(name: string, size: number, fetch: (from: number) => Promise<Readable>): Promise<void> {
    const path = join(this.folder, name);
    if (statSync(path, { throwIfNoEntry: false })?.size === size) {
      const now = new Date();
      utimesSync(path, now, now);
      return;
    }
    const part = `${path}.${randomUUID()}.part`;
    try {
      let there = 0;
      for (let tries = 0; there < size; tries++) {
        const bytes = await fetch(there);
        const flags = there === 0 ? 'w' : 'a';
        const failure = await pipeline(bytes, createWriteStream(part, { flags, mode: 0o600 })).catch((error) => error);
        there = statSync(part, { throwIfNoEntry: false })?.size ?? 0;
        if (failure !== undefined && tries >= mostTries) throw failure;
        if (there > size || (failure === undefined && there < size))
          throw new Error('The file is not as long as it should be.');
      }
      await rename(part, path);
    } finally {
      await rm(part, { force: true });
    }
  }

  /** Removes those that were used last the longest time ago. */
  #makeRoom(): void {
    const there = readdirSync(this.folder).flatMap((name) => {
      const found = statSync(join(this.folder, name), { throwIfNoEntry: false });
      return found === undefined || name.endsWith('.part') ? [] : [{ name, size: found.size, used: found.mtimeMs }];
    });
    let size = there.reduce((sum, file) => sum + file.size, 0);
    for (const file of there.sort((a, b) => a.used - b.used)) {
      if (size <= this.#room) return;
      if (this.#inUse.has(file.name)) continue;
      rmSync(join(this.folder, file.name), { force: true });
      size -= file.size;
    }
  }
}
