// Cases: APKs that people look into together, with what they write down. Everybody with an account works on every case.
// Knows nothing of HTTP.
import { type EntryKind, maxCaseApks, maxCaseEntries } from '../../contract/catalogue/case.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type {
  CaseApkRecord,
  CaseEntryRecord,
  CaseFilter,
  CaseRecord,
} from '../../store/repositories/case-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import { DuplicateError } from '../../store/store-errors.ts';
import type { ApkSelections } from '../exports/apk-selections.ts';
import { Failure, FieldFailure } from '../failure.ts';
import type { AccountRecord } from '../people/accounts.ts';
import { mayDeleteCase } from '../policies.ts';

export type { CaseApkRecord, CaseEntryRecord, CaseRecord };

interface Span {
  offset: number;
  limit: number;
}

export interface CaseChanges {
  name?: string | undefined;
  note?: string | undefined;
  isClosed?: boolean | undefined;
  people?: readonly string[] | undefined;
}

export interface EntryChanges {
  text?: string | undefined;
  answer?: string | undefined;
  assignee?: string | undefined;
  isDone?: boolean | undefined;
  /** Microseconds since 1970 UTC; of an event. */
  happenedAt?: number | undefined;
}

export class Cases {
  readonly #store: Store;
  readonly #selections: ApkSelections;

  constructor(store: Store, selections: ApkSelections) {
    this.#store = store;
    this.#selections = selections;
  }

  /** @throws Failure `not-found` */
  async get(id: number | null): Promise<CaseRecord> {
    const found = id === null ? null : await this.#store.cases.findById(id);
    if (found === null) throw new Failure('not-found');
    return found;
  }

  /** Cases that fit a filter, the latest changed first. */
  list = (filter: CaseFilter, span: Span): Promise<CaseRecord[]> => this.#store.cases.list(filter, span);

  /** How many cases fit a filter. */
  count = (filter: CaseFilter): Promise<number> => this.#store.cases.count(filter);

  /** The cases that an APK belongs to. */
  ofApk = ({ id }: ApkRecord): Promise<CaseRecord[]> => this.#store.cases.ofApk(id);

  /** @throws FieldFailure where the name is taken */
  async create(account: AccountRecord, { name, note }: { name: string; note: string }): Promise<CaseRecord> {
    const { id: accountId, username } = account;
    const id = await this.#written(async ({ cases }) => {
      const made = await cases.insert({ name, note, isClosed: false, accountId, username });
      await cases.addPerson(made, username);
      return made;
    });
    return this.get(id);
  }

  /** What is left out stays. @throws FieldFailure where the name is taken */
  async change({ id }: CaseRecord, { people, ...changes }: CaseChanges): Promise<CaseRecord> {
    await this.#written(async ({ cases }) => {
      await cases.update(id, given(changes));
      if (people !== undefined) await cases.setPeople(id, people);
    });
    return this.get(id);
  }

  /** Deletes a case with what is written in it. @throws Failure `not-allowed` */
  async remove(account: AccountRecord, found: CaseRecord): Promise<void> {
    if (!mayDeleteCase(account, found)) throw new Failure('not-allowed');
    await this.#store.transaction(({ cases }) => cases.remove(found.id));
  }

  /** The APKs of a case, added last first, each with its record where the catalogue holds it. */
  async apks({ id }: CaseRecord, span: Span): Promise<{ place: CaseApkRecord; apk: ApkRecord | null }[]> {
    const places = await this.#store.cases.apks(id, span);
    const apks = await this.#store.apks.findByIds(places.flatMap(({ apkId }) => apkId ?? []));
    return places.map((place) => ({ place, apk: place.apkId === null ? null : (apks.get(place.apkId) ?? null) }));
  }

  /** Adds APKs by their hashes, also ones that the catalogue does not hold. @returns how many are new. @throws FieldFailure */
  async addApks(account: AccountRecord, found: CaseRecord, sha256: readonly string[], note: string): Promise<number> {
    const apks: (ApkRecord | string)[] = [];
    for (const hash of new Set(sha256)) apks.push((await this.#store.apks.findBySha256(hash)) ?? hash);
    return this.#add(account, found, apks, note);
  }

  /** Adds what a search finds now. @throws SearchFailure; Failure `too-many-apks`; FieldFailure */
  async addFound(
    account: AccountRecord,
    found: CaseRecord,
    search: string,
    note: string,
  ): Promise<{ count: number; added: number }> {
    const { apkIds } = await this.#selections.ofSearch(search, account);
    const apks = [...(await this.#store.apks.findByIds(apkIds)).values()];
    return { count: apks.length, added: await this.#add(account, found, apks, note) };
  }

  /** @throws Failure `not-found` where the case does not have it */
  async removeApk({ id }: CaseRecord, sha256: string): Promise<void> {
    const had = await this.#written(async ({ cases }) => {
      await cases.update(id, {});
      return cases.removeApk(id, sha256);
    });
    if (!had) throw new Failure('not-found');
  }

  /** Entries of a case by when they happened, the latest first. */
  entries = ({ id }: CaseRecord, kind: EntryKind | undefined, span: Span): Promise<CaseEntryRecord[]> =>
    this.#store.cases.entries(id, kind, span);

  /** How many entries a case has, of one kind or all. */
  countEntries = ({ id }: CaseRecord, kind: EntryKind | undefined): Promise<number> =>
    this.#store.cases.countEntries(id, kind);

  /** @throws Failure `not-found` where the case has none of this id */
  async entry(found: CaseRecord, id: number | null): Promise<CaseEntryRecord> {
    const entry = id === null ? null : await this.#store.cases.findEntry(found.id, id);
    if (entry === null) throw new Failure('not-found');
    return entry;
  }

  /** Writes something into a case; whoever does works on it from then on. @throws FieldFailure where it has too much */
  async write(
    account: AccountRecord,
    { id: caseId }: CaseRecord,
    { kind, text, ...more }: EntryChanges & { kind: EntryKind; text: string },
  ): Promise<CaseEntryRecord> {
    const { username } = account;
    const id = await this.#written(async ({ cases }) => {
      if ((await cases.countEntries(caseId)) >= maxCaseEntries)
        throw new FieldFailure({ text: [`A case has ${maxCaseEntries} entries at most.`] });
      const now = this.#store.clock();
      const { answer = '', assignee = '', isDone = false, happenedAt = now } = more;
      await cases.update(caseId, {});
      await cases.addPerson(caseId, username);
      if (assignee !== '') await cases.addPerson(caseId, assignee);
      const entry = { caseId, kind, text, answer, assignee, isDone, happenedAt };
      return cases.insertEntry({ ...entry, username, createdAt: now });
    });
    return (await this.#store.cases.findEntry(caseId, id))!;
  }

  /** What is left out stays. */
  async changeEntry(found: CaseRecord, { id }: CaseEntryRecord, changes: EntryChanges): Promise<CaseEntryRecord> {
    await this.#written(async ({ cases }) => {
      await cases.update(found.id, {});
      if ((changes.assignee ?? '') !== '') await cases.addPerson(found.id, changes.assignee!);
      await cases.updateEntry(id, given(changes));
    });
    return this.entry(found, id);
  }

  /** Deletes an entry. */
  removeEntry = (found: CaseRecord, { id }: CaseEntryRecord): Promise<void> =>
    this.#written(async ({ cases }) => {
      await cases.update(found.id, {});
      await cases.removeEntry(id);
    });

  async #add(
    { username }: AccountRecord,
    { id: caseId }: CaseRecord,
    apks: readonly (ApkRecord | string)[],
    note: string,
  ): Promise<number> {
    return this.#written(async ({ cases }) => {
      let added = 0;
      const addedAt = this.#store.clock();
      for (const apk of apks) {
        const held =
          typeof apk === 'string'
            ? { sha256: apk, apkId: null, name: '' }
            : { sha256: apk.sha256, apkId: apk.id, name: apk.app || apk.packageName };
        if (await cases.addApk({ caseId, ...held, note, username, addedAt })) added += 1;
      }
      if (((await cases.findById(caseId))?.apks ?? 0) > maxCaseApks)
        throw new FieldFailure({ apks: [`A case has ${maxCaseApks} APKs at most.`] });
      await cases.update(caseId, {});
      await cases.addPerson(caseId, username);
      return added;
    });
  }

  async #written<T>(write: (inside: Writes) => Promise<T>): Promise<T> {
    try {
      return await this.#store.transaction(write);
    } catch (error) {
      if (error instanceof DuplicateError) throw new FieldFailure({ name: [error.message] });
      throw error;
    }
  }
}

/** Without what is left out. */
const given = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>;
  };
