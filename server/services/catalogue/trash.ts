// The trash of deleted APKs and rulesets: what lies in it, how APKs come back, when it is emptied. Knows nothing of HTTP.
import { statfs } from 'node:fs/promises';
import { type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { TrashFilter, TrashRecord } from '../../store/repositories/trash-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Reads, Store, Writes } from '../../store/store.ts';
import { storageFaultOf } from '../../store/store-errors.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import type { AccountRecord } from '../people/accounts.ts';
import { isAllowed } from '../policies.ts';
import { readSetting } from '../settings.ts';
import type { ContentLocks } from './content-locks.ts';
import { releaseParts, removeStoredFile } from './parts.ts';
import { indexReports } from './search-indexing.ts';

export type { TrashRecord };

const dayMicroseconds = 86_400_000_000;
const batch = 50;

/** Whether what is deleted can come back. */
export const hasTrash = async (store: Pick<Reads, 'settings'>): Promise<boolean> =>
  (await readSetting(store, 'trash_days')) > 0;

/** APKs are the owner's to delete and to bring back, rulesets their authors'. */
const seenBy = (account: AccountRecord, about: TrashFilter['about'] = {}): TrashFilter => ({
  hasApks: isAllowed(account, 'apk.delete'),
  authorId: account.id,
  ...(Object.keys(about).length > 0 && { about }),
});

/** Puts an APK back as it was. Call it within a transaction, and under the lock of its content. */
export async function restoreApk(inside: Writes, events: EventBus, item: TrashRecord): Promise<ApkRecord> {
  if ((await inside.apks.findBySha256(item.sha256!)) !== null) throw new Failure('apk-held');
  while ((await inside.trash.restorePiece(item.id)) !== null);
  await inside.trash.remove(item.id);
  await inside.apks.recount([item.rowId]);
  // Rules, dismissals and weights may have changed since it was deleted.
  await events.happened({ name: 'evidence_changed', apkIds: [item.rowId] }, inside);
  await events.happened({ name: 'standing_changed', apkIds: [item.rowId] }, inside);
  const apk = await inside.apks.findById(item.rowId);
  if (apk === null) throw new Error(`The trash held no APK ${item.sha256}.`);
  // APKs with the same code may have come meanwhile.
  if (apk.codeFamilyId === null) await inside.families.setWaiting([apk.id], true);
  for (const name of apk.fileNames) await inside.search.addFileName(apk.id, name);
  return apk;
}

export interface TrashParts {
  store: Store;
  queue: JobQueue;
  pool: WorkerPool;
  events: EventBus;
  locks: ContentLocks;
}

export class Trash {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #pool: WorkerPool;
  readonly #events: EventBus;
  readonly #locks: ContentLocks;

  constructor({ store, queue, pool, events, locks }: TrashParts) {
    this.#pool = pool;
    this.#store = store;
    this.#queue = queue;
    this.#events = events;
    this.#locks = locks;
  }

  /**
   * Lays an APK in the trash; its file stays where it is. Call it under the lock of its content.
   * @returns whether there is a trash, and room in it
   */
  async take({ id, sha256, app, packageName, size }: ApkRecord, username: string): Promise<boolean> {
    if (!(await hasTrash(this.#store))) return false;
    const item = { kind: 'apk', rowId: id, sha256, authorId: null, name: app || packageName, size, username } as const;
    try {
      await this.#store.transaction(async (inside) => {
        const { id: trashId } = await inside.trash.begin({ ...item, state: {} });
        await this.#events.happened({ name: 'standing_changed', apkIds: [id] }, inside);
        await inside.trash.take(trashId, 'apks', [id]);
      });
      return true;
    } catch (error) {
      // On a full disk something is deleted to make room.
      if (storageFaultOf(error) === null) throw error;
      return false;
    }
  }

  /** Newest first, as far as an account may bring it back. */
  page = (
    account: AccountRecord,
    request: KeysetRequest,
    about?: TrashFilter['about'],
  ): Promise<KeysetPage<TrashRecord>> => this.#store.trash.page({ ...request, filter: seenBy(account, about) });

  /** How many things an account sees in the trash. @param about APKs or rulesets alone */
  count = (account: AccountRecord, about?: TrashFilter['about']): Promise<number> =>
    this.#store.trash.count(seenBy(account, about));

  /** @throws Failure `not-found`, also where the account may not bring it back */
  async get(account: AccountRecord, id: number | null): Promise<TrashRecord> {
    const item = id === null ? null : await this.#store.trash.findById(id);
    const { hasApks, authorId } = seenBy(account);
    if (item === null || !(item.kind === 'apk' ? hasApks : item.authorId === authorId)) throw new Failure('not-found');
    return item;
  }

  /** How long items stay, in microseconds. */
  life = async (): Promise<number> => (await readSetting(this.#store, 'trash_days')) * dayMicroseconds;

  /** Brings an APK back, and has done what its deletion cut off. @throws Failure `not-found`, `apk-held` */
  async restore(item: TrashRecord): Promise<ApkRecord> {
    const apk = await this.#locks.exclusively(item.sha256!, () =>
      this.#store.transaction(async (inside) => {
        const held = await inside.trash.findById(item.id);
        if (held === null) throw new Failure('not-found');
        const back = await restoreApk(inside, this.#events, held);
        if (!back.isStaticAnalyzed && (await readSetting(inside, 'analyze_static_on_upload')))
          await this.#queue.enqueue({ kind: 'static', apkId: back.id, priority: jobPriorities.import }, inside);
        return back;
      }),
    );
    await indexReports(this.#store, this.#pool, apk.id, {});
    this.#events.publish({ name: 'apk_created', apk });
    return apk;
  }

  /** Deletes an item for good, with the file of an APK that the catalogue does not hold again. */
  async remove({ id, sha256 }: TrashRecord): Promise<void> {
    const forget = () => this.#store.transaction(({ trash }) => trash.remove(id));
    if (sha256 === null) return forget();
    await this.#locks.exclusively(sha256, async () => {
      if ((await this.#store.trash.findById(id)) === null) return;
      if ((await this.#store.apks.findBySha256(sha256)) !== null) return forget();
      await removeStoredFile(this.#store, sha256, forget);
      await releaseParts(this.#store, sha256);
    });
  }

  /** Deletes for good what an account could bring back. @returns how much */
  async empty(account: AccountRecord): Promise<number> {
    let removed = 0;
    for (;;) {
      const { items } = await this.page(account, { limit: batch });
      for (const item of items) await this.remove(item);
      removed += items.length;
      if (items.length < batch) return removed;
    }
  }

  /** Deletes for good what has been there for longer than the setting says. */
  async forgetOld(): Promise<void> {
    const before = this.#store.trustedTime.now() - (await this.life());
    for (let items = await this.#store.trash.oldest(before, batch); items.length > 0; ) {
      for (const item of items) await this.remove(item);
      items = await this.#store.trash.oldest(before, batch);
    }
  }

  /** Deletes for good what has been there longest, until so many bytes of the disk are free, or nothing is left. */
  makeRoom = async (wanted: number): Promise<void> => {
    for (;;) {
      const { bavail, bsize, blocks } = await statfs(this.#store.dataDir);
      if (blocks === 0 || bavail * bsize >= wanted) return;
      const [oldest] = await this.#store.trash.oldest(null, 1);
      if (oldest === undefined) return;
      await this.remove(oldest);
    }
  };
}
