// Keeps room free on the disk for what the database has to write, whoever would fill it. Knows nothing of what is stored.
import { statfs } from 'node:fs/promises';
import type { Store } from '../store/store.ts';
import { ReservedRoomError } from '../store/store-errors.ts';
import { readSetting } from './settings.ts';

/** Bytes received between two checks of the free space: small enough that all concurrent uploads together stay within the reserve. */
const lookInterval = 4 * 1024 ** 2;
/** Bytes that an upload needs at the least, also where none are kept free. */
const leastRoom = 16 * 1024 ** 2;

export class DiskRoom {
  readonly #store: Pick<Store, 'dataDir' | 'settings'>;
  readonly #makeRoom: (wanted: number) => Promise<void>;

  /** @param makeRoom deletes what can be done without, until so many bytes are free */
  constructor(store: Pick<Store, 'dataDir' | 'settings'>, makeRoom: (wanted: number) => Promise<void>) {
    this.#store = store;
    this.#makeRoom = makeRoom;
  }

  /**
   * Whether the disk keeps its reserve when this many more bytes are written.
   * @throws ReservedRoomError
   */
  async check(more = 0): Promise<void> {
    const kept = await readSetting(this.#store, 'disk_reserve_bytes');
    const wanted = more + Math.max(kept, leastRoom);
    if ((await this.#free()) >= wanted) return;
    await this.#makeRoom(wanted);
    if (kept > 0 && (await this.#free()) - more < kept) throw new ReservedRoomError(kept);
  }

  /** Bytes. */
  async #free(): Promise<number> {
    const { bavail, bsize, blocks } = await statfs(this.#store.dataDir);
    // Network disks that do not report their size say 0.
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  }

  /** The same bytes, as long as they leave free what is kept. @throws ReservedRoomError while they are read */
  async *guard(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let unlooked = lookInterval;
    for await (const piece of bytes) {
      unlooked += piece.length;
      if (unlooked >= lookInterval) {
        unlooked = 0;
        await this.check();
      }
      yield piece;
    }
  }
}
