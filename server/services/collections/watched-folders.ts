// Folders of this machine whose files are taken into the catalogue, with tags, priority and rulesets of their own. Knows nothing of
// HTTP.
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { NewWatchedFolder, WatchedFolderChanges } from '../../contract/workstation/watched-folder.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import { type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type {
  WatchedFileRecord,
  WatchedFolderFields,
  WatchedFolderRecord,
} from '../../store/repositories/watched-folder-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Intake } from '../catalogue/intake.ts';
import type { EventBus, Happening } from '../event-bus.ts';
import { Failure, FieldFailure } from '../failure.ts';
import type { Carrier } from './brought-file.ts';
import { folderTags } from './folder-tags.ts';
import { FolderWatch, type WatchState } from './folder-watch.ts';
import { intakeCarrier } from './intake-carrier.ts';
import { machinePath } from './machine-path.ts';

export type { WatchedFileRecord, WatchedFolderRecord };

/** Files that are shown of a folder. */
const shownFiles = 200;

export interface WatchedFolderView {
  folder: WatchedFolderRecord;
  /** Row numbers. */
  rulesets: readonly number[];
  /** Null: it is switched off. */
  watch: WatchState | null;
  counts: { taken: number; refused: number };
}

/** What somebody chose; rulesets by their row numbers. */
export type FolderWish = Omit<NewWatchedFolder, 'rulesets'> & { rulesets: readonly number[] };
export type FolderChanges = Omit<WatchedFolderChanges, 'rulesets'> & { rulesets?: readonly number[] | undefined };

interface WatchedFolderParts {
  store: Store;
  queue: JobQueue;
  intake: Intake;
  catalogue: Catalogue;
  events: EventBus;
  log: ErrorLog;
}

const isWithin = (inner: string, outer: string): boolean => {
  const way = relative(outer, inner);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
};

const fieldsOf = (wish: Omit<FolderChanges, 'rulesets'>): Partial<WatchedFolderFields> => {
  const { has_folder_tags, match_tags, settle_seconds, uses_polling, is_on, ...same } = wish;
  return {
    ...same,
    hasFolderTags: has_folder_tags,
    matchTags: match_tags,
    settleSeconds: settle_seconds,
    usesPolling: uses_polling,
    isOn: is_on,
  } as Partial<WatchedFolderFields>;
};

export class WatchedFolders {
  readonly #parts: WatchedFolderParts;
  /** By the folders' row numbers. */
  readonly #watches = new Map<number, FolderWatch>();
  #isStarted = false;

  constructor(parts: WatchedFolderParts) {
    this.#parts = parts;
  }

  /** Watches the folders that are switched on, from now on. */
  async start(): Promise<void> {
    this.#isStarted = true;
    for (const folder of await this.#parts.store.watchedFolders.all()) if (folder.isOn) this.#watch(folder);
  }

  /** Ends all watches. */
  async close(): Promise<void> {
    this.#isStarted = false;
    await Promise.all([...this.#watches.keys()].map((id) => this.#stop(id)));
  }

  /** By path. */
  async all(): Promise<WatchedFolderView[]> {
    const { watchedFolders } = this.#parts.store;
    return this.#views(await watchedFolders.all());
  }

  /** @throws Failure `not-found` */
  async get(id: number | null): Promise<WatchedFolderView> {
    return (await this.#views([await this.#find(id)]))[0]!;
  }

  /** @throws FieldFailure where the path is no folder that can be watched */
  async add(account: AccountRecord, { path: given, rulesets, ...wish }: FolderWish): Promise<WatchedFolderView> {
    const { store } = this.#parts;
    const path = await this.#checkedPath(given);
    const fields = fieldsOf(wish) as Omit<WatchedFolderFields, 'path' | 'accountId'>;
    const folder = await store.transaction(async ({ watchedFolders }) => {
      const made = await watchedFolders.insert({ ...fields, path, accountId: account.id });
      await watchedFolders.setRulesets(made.id, rulesets);
      return made;
    });
    if (folder.isOn) this.#watch(folder);
    return this.get(folder.id);
  }

  /** Changes what is given; files are told and tagged so from then on. @throws Failure `not-found` */
  async change(id: number | null, { rulesets, ...changes }: FolderChanges): Promise<WatchedFolderView> {
    const folder = await this.#find(id);
    await this.#parts.store.transaction(async ({ watchedFolders }) => {
      await watchedFolders.update(folder.id, fieldsOf(changes));
      if (rulesets !== undefined) await watchedFolders.setRulesets(folder.id, rulesets);
    });
    await this.#stop(folder.id);
    const changed = await this.#find(folder.id);
    if (changed.isOn) this.#watch(changed);
    return this.get(folder.id);
  }

  /** @throws Failure `not-found` */
  async remove(id: number | null): Promise<void> {
    const folder = await this.#find(id);
    await this.#stop(folder.id);
    await this.#parts.store.transaction(({ watchedFolders }) => watchedFolders.remove(folder.id));
  }

  /** The newest files. @param isRefused undefined: both. @throws Failure `not-found` */
  async files(id: number | null, isRefused: boolean | undefined): Promise<WatchedFileRecord[]> {
    const folder = await this.#find(id);
    return this.#parts.store.watchedFolders.files(folder.id, isRefused, shownFiles);
  }

  /** Has refused files looked at again. @returns how many. @throws Failure `not-found` */
  async retry(id: number | null): Promise<number> {
    const folder = await this.#find(id);
    const paths = await this.#parts.store.transaction(({ watchedFolders }) => watchedFolders.forgetRefused(folder.id));
    await this.#watches.get(folder.id)?.again(paths);
    return paths.length;
  }

  /** Tags APKs of a folder that one of its rulesets matches. */
  readonly followHappening = async (happening: Happening, inside: Writes): Promise<void> => {
    if (happening.name !== 'ruleset_matched') return;
    const { apkId, rulesetId } = happening;
    let isChanged = false;
    for (const tag of await inside.watchedFolders.matchTagsFor(apkId, rulesetId))
      isChanged = (await inside.apks.addTag(apkId, tag)) || isChanged;
    const apk = isChanged ? await inside.apks.update(apkId, {}) : null;
    if (apk !== null) inside.afterCommit(() => this.#parts.events.publish({ name: 'apk_updated', apk }));
  };

  async #find(id: number | null): Promise<WatchedFolderRecord> {
    const folder = id === null ? null : await this.#parts.store.watchedFolders.find(id);
    if (folder === null) throw new Failure('not-found');
    return folder;
  }

  async #views(folders: readonly WatchedFolderRecord[]): Promise<WatchedFolderView[]> {
    const { watchedFolders } = this.#parts.store;
    const rulesets = await watchedFolders.rulesets(folders.map(({ id }) => id));
    const counts = await watchedFolders.counts();
    return folders.map((folder) => ({
      folder,
      rulesets: rulesets.get(folder.id) ?? [],
      watch: this.#watches.get(folder.id)?.state ?? null,
      counts: counts.get(folder.id) ?? { taken: 0, refused: 0 },
    }));
  }

  async #checkedPath(given: string): Promise<string> {
    const refuse = (reason: string) => new FieldFailure({ path: [reason] });
    const path = machinePath(given);
    const status = await stat(path).catch((error: Error) => {
      throw refuse(error.message);
    });
    if (!status.isDirectory()) throw refuse('This is no folder.');
    const [real, own] = await Promise.all([realpath(path), realpath(this.#parts.store.dataDir)]);
    if (isWithin(real, own) || isWithin(own, real)) throw refuse('The data folder itself cannot be watched.');
    for (const { path: other } of await this.#parts.store.watchedFolders.all())
      if (isWithin(path, other) || isWithin(other, path))
        throw refuse(`Of two folders within each other one is watched: ${other} is already.`);
    return path;
  }

  #watch(folder: WatchedFolderRecord): void {
    if (!this.#isStarted) return;
    const { store, log } = this.#parts;
    const watch = new FolderWatch(folder, {
      store,
      log,
      carrierFor: (path, signal) => this.#carrier(folder, path, signal),
    });
    this.#watches.set(folder.id, watch);
    watch.start();
  }

  async #stop(id: number): Promise<void> {
    const watch = this.#watches.get(id);
    this.#watches.delete(id);
    await watch?.close();
  }

  #carrier(folder: WatchedFolderRecord, path: string, signal: AbortSignal): Carrier {
    const { store, queue, intake, catalogue } = this.#parts;
    const tags = [...folder.tags, ...(folder.hasFolderTags ? folderTags(path) : [])];
    const place = folder.priority;
    return intakeCarrier(
      { store, intake },
      {
        ...{ accountId: folder.accountId, priority: place, signal },
        // The catalogue has to hear that it came by this folder.
        holds: async () => false,
        also: (inside, apkId) => inside.watchedFolders.link(folder.id, apkId),
        async onTaken({ apk, created }) {
          await catalogue.addTags(apk, tags);
          const isScanned = !created && (await store.watchedFolders.rulesetsFor(apk.id)).length > 0;
          if (isScanned) await queue.enqueue({ kind: 'yara', apkId: apk.id, priority: jobPriorities[place] });
        },
      },
    );
  }
}
