// Room: what takes how much of it, and the rule by which old APKs go. Knows nothing of HTTP.
import { constants, existsSync } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Health } from '../../contract/workstation/health.ts';
import type { RetentionRule } from '../../store/repositories/storage-repository.ts';
import type { Store } from '../../store/store.ts';
import { Failure } from '../failure.ts';
import { readSetting } from '../settings.ts';
import type { Catalogue } from './catalogue.ts';

const dayMicroseconds = 86_400_000_000;
/** APKs that one run deletes: the rest go an hour later, and nobody waits for a disk meanwhile. */
const maxDeletions = 2000;
const batch = 50;
/** Bytes of the disk with which the database still writes, but hardly an APK finds room. */
const leastRoom = 16 * 1024 ** 2;

export interface StorageReport {
  folder: string;
  apks: number;
  apkBytes: number;
  databaseBytes: number;
  /** Part of the database. */
  reportBytes: number;
  feedBytes: number;
  backupBytes: number;
  cacheBytes: number;
  freeBytes: number;
  diskBytes: number;
}

export interface RetentionState {
  /** null: nothing is ever deleted. */
  days: number | null;
  includesEngaged: boolean;
  /** What would go now. */
  due: { apks: number; bytes: number };
}

export class Storage {
  readonly #store: Store;
  readonly #catalogue: Catalogue;

  constructor(store: Store, catalogue: Catalogue) {
    this.#store = store;
    this.#catalogue = catalogue;
  }

  /** What the workstation keeps, in bytes and in numbers of records. */
  async report(): Promise<StorageReport> {
    const { dataDir, storage } = this.#store;
    const totals = await storage.totals();
    const { bavail, bsize, blocks } = await statfs(dataDir);
    const sizeOf = async (name: string) => (await stat(join(dataDir, name)).catch(() => ({ size: 0 }))).size;
    return {
      folder: dataDir,
      ...totals,
      databaseBytes: (await sizeOf('catalogue.db')) + (await sizeOf('catalogue.db-wal')),
      feedBytes: await folderBytes(join(dataDir, 'feeds')),
      backupBytes: await folderBytes(join(dataDir, 'backups')),
      cacheBytes: await folderBytes(join(dataDir, 'cache')),
      freeBytes: bavail * bsize,
      diskBytes: blocks * bsize,
    };
  }

  /** Whether the data folder takes what is written, without writing. */
  async state(): Promise<Health['storage']> {
    const { dataDir } = this.#store;
    try {
      await access(dataDir, constants.W_OK);
      const { bavail, bsize, blocks } = await statfs(dataDir);
      // Network disks that do not report their size say 0.
      return blocks > 0 && bavail * bsize < leastRoom ? 'full' : 'ok';
    } catch {
      // A folder that is only read, belongs to others, or is gone with its disk: the request that writes tells which.
      return 'unwritable';
    }
  }

  /** What is deleted for its age, and how much that would be now. */
  async retention(): Promise<RetentionState> {
    const rule = await this.#rule();
    const days = await readSetting(this.#store, 'retention_days');
    return {
      days: days === 0 ? null : days,
      includesEngaged: await readSetting(this.#store, 'retention_includes_engaged'),
      due: rule === null ? { apks: 0, bytes: 0 } : await this.#store.storage.countExpired(rule),
    };
  }

  async #rule(): Promise<RetentionRule | null> {
    const days = await readSetting(this.#store, 'retention_days');
    if (days === 0) return null;
    const includesEngaged = await readSetting(this.#store, 'retention_includes_engaged');
    return { before: this.#store.trustedTime.now() - days * dayMicroseconds, includesEngaged };
  }

  /** Deletes what the rule lets go, the oldest first. @returns how many went */
  async enforceRetention(): Promise<number> {
    let deleted = 0;
    while (deleted < maxDeletions) {
      // Asked anew for every batch: somebody may comment on an APK, or change the rule, meanwhile.
      const rule = await this.#rule();
      if (rule === null) break;
      const expired = await this.#store.storage.expired(rule, batch);
      if (expired.length === 0) break;
      for (const sha256 of expired) {
        // For good: the rule is there for the room.
        await this.#catalogue.remove(sha256, null).catch((error: unknown) => {
          // Its owner was quicker.
          if (!(error instanceof Failure)) throw error;
        });
        deleted++;
        await nextTurn();
      }
    }
    if (deleted > 0) {
      const record = { username: '', address: '', action: 'retention', subject: `${deleted} APKs`, status: 200 };
      await this.#store.transaction(({ audit }) => audit.insert(record));
    }
    return deleted;
  }
}

async function folderBytes(folder: string): Promise<number> {
  if (!existsSync(folder)) return 0;
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    // A file may go between being listed and being looked at.
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}
