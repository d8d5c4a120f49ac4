// Cases: what they are called, who works on them, what is written in them, which APKs they have. Knows no APK's record.
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { EntryKind } from '../../contract/catalogue/case.ts';
import type { CaseApksTable, CaseEntriesTable, CasesTable } from '../schema/cases.ts';
import type { Database } from '../schema/database.ts';
import { countOf } from '../sqlite/keyset-page.ts';
import { DuplicateError } from '../store-errors.ts';
import { isDuplicate, isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { columnsOf, type RecordOf, recordOf } from './table-record.ts';

export type CaseRecord = RecordOf<CasesTable> & {
  people: string[];
  apks: number;
  openQuestions: number;
  openTasks: number;
};
export type CaseEntryRecord = RecordOf<CaseEntriesTable>;
export type NewCaseEntry = Omit<CaseEntryRecord, 'id' | 'updatedAt'>;
export type CaseApkRecord = Omit<RecordOf<CaseApksTable>, 'sha256'> & {
  /** Lower-case hex. */
  sha256: string;
};

export interface CaseFilter {
  /** Part of the name or the note; empty: all. */
  text: string;
  isClosed?: boolean | undefined;
}

interface Span {
  offset: number;
  limit: number;
}

const toApk = ({ sha256, ...row }: Selectable<CaseApksTable>): CaseApkRecord => ({
  ...recordOf(row),
  sha256: Buffer.from(sha256).toString('hex'),
});

const open = (kind: EntryKind) =>
  sql<number>`(select count(*) from case_entries e where e.case_id = cases.id and e.kind = ${kind} and e.is_done = 0)`;

export class CaseRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** @returns its id. @throws DuplicateError where there is one of this name */
  async insert(
    this: CaseRepository<WriteHandle>,
    made: Pick<CaseRecord, 'name' | 'note' | 'isClosed' | 'accountId' | 'username'>,
  ): Promise<number> {
    const now = this.clock();
    const { name, note, isClosed, accountId, username } = made;
    return unlessNamed(async () => {
      const { id } = await this.database
        .insertInto('cases')
        .values({
          ...{ name, note, is_closed: Number(isClosed), account_id: accountId, username },
          ...{ created_at: now, updated_at: now },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    });
  }

  /** Whether a case has this name. */
  async isNamed(name: string): Promise<boolean> {
    const row = await this.database.selectFrom('cases').select('id').where('name', '=', name).executeTakeFirst();
    return row !== undefined;
  }

  /** What is left out stays; an empty change notes that something in it changed. @throws DuplicateError as `insert` */
  async update(
    this: CaseRepository<WriteHandle>,
    id: number,
    changes: Partial<Pick<CaseRecord, 'name' | 'note' | 'isClosed'>>,
  ): Promise<void> {
    const columns = columnsOf<CasesTable>(changes);
    await unlessNamed(() =>
      this.database
        .updateTable('cases')
        .set({ ...columns, updated_at: this.clock() })
        .where('id', '=', id)
        .execute(),
    );
  }

  /** Deletes a case with all that is written in it. */
  async remove(this: CaseRepository<WriteHandle>, id: number): Promise<void> {
    await this.database.deleteFrom('cases').where('id', '=', id).execute();
  }

  /** The case, null where there is none. */
  async findById(id: number): Promise<CaseRecord | null> {
    return (await this.#records(this.database.selectFrom('cases').where('id', '=', id)))[0] ?? null;
  }

  /** The latest changed first. */
  async list(filter: CaseFilter, { offset, limit }: Span): Promise<CaseRecord[]> {
    const ordered = this.#filtered(filter).orderBy('updated_at', 'desc').orderBy('id', 'desc');
    return this.#records(ordered.offset(offset).limit(limit));
  }

  /** How many cases a filter lets through. */
  async count(filter: CaseFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  /** The cases of an APK, by their names. */
  async ofApk(apkId: number): Promise<CaseRecord[]> {
    const has = sql<boolean>`id in (select case_id from case_apks where apk_id = ${apkId})`;
    return this.#records(this.database.selectFrom('cases').where(has).orderBy('name'));
  }

  /** Says who works on a case. */
  async setPeople(this: CaseRepository<WriteHandle>, id: number, people: readonly string[]): Promise<void> {
    await this.database.deleteFrom('case_people').where('case_id', '=', id).execute();
    for (const username of people) await this.addPerson(id, username);
  }

  /** Somebody works on a case; once is enough. */
  async addPerson(this: CaseRepository<WriteHandle>, id: number, username: string): Promise<void> {
    await this.database
      .insertInto('case_people')
      .values({ case_id: id, username })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** @returns the entry's id */
  async insertEntry(this: CaseRepository<WriteHandle>, entry: NewCaseEntry): Promise<number> {
    const { caseId, kind, text, answer, assignee, isDone, happenedAt, username, createdAt } = entry;
    const { id } = await this.database
      .insertInto('case_entries')
      .values({
        ...{ case_id: caseId, kind, text, answer, assignee, is_done: Number(isDone), username },
        ...{ happened_at: happenedAt, created_at: createdAt, updated_at: this.clock() },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** What is left out stays. */
  async updateEntry(
    this: CaseRepository<WriteHandle>,
    id: number,
    changes: Partial<Pick<CaseEntryRecord, 'text' | 'answer' | 'assignee' | 'isDone' | 'happenedAt'>>,
  ): Promise<void> {
    await this.database
      .updateTable('case_entries')
      .set({ ...columnsOf<CaseEntriesTable>(changes), updated_at: this.clock() })
      .where('id', '=', id)
      .execute();
  }

  /** Deletes an entry. */
  async removeEntry(this: CaseRepository<WriteHandle>, id: number): Promise<void> {
    await this.database.deleteFrom('case_entries').where('id', '=', id).execute();
  }

  /** The entry, null where the case has none of this id. */
  async findEntry(caseId: number, id: number): Promise<CaseEntryRecord | null> {
    const row = await this.#entries(caseId).selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** By when they happened, the latest first. */
  async entries(caseId: number, kind: EntryKind | undefined, { offset, limit }: Span): Promise<CaseEntryRecord[]> {
    const rows = await this.#entries(caseId, kind)
      .selectAll()
      .orderBy('happened_at', 'desc')
      .orderBy('id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map(recordOf);
  }

  /** How many entries a case has, of one kind or all. */
  async countEntries(caseId: number, kind?: EntryKind): Promise<number> {
    return countOf(this.#entries(caseId, kind));
  }

  /** Adds an APK, which may not be in the catalogue. @returns whether the case did not have it before */
  async addApk(this: CaseRepository<WriteHandle>, { sha256, ...apk }: CaseApkRecord): Promise<boolean> {
    const hash = Buffer.from(sha256, 'hex');
    const { numInsertedOrUpdatedRows: added } = await this.database
      .insertInto('case_apks')
      .values({
        ...{ case_id: apk.caseId, sha256: hash, apk_id: apk.apkId, name: apk.name, note: apk.note },
        ...{ username: apk.username, added_at: apk.addedAt },
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return added === 1n;
  }

  /** @returns whether the case had it */
  async removeApk(this: CaseRepository<WriteHandle>, caseId: number, sha256: string): Promise<boolean> {
    const { numDeletedRows } = await this.database
      .deleteFrom('case_apks')
      .where('case_id', '=', caseId)
      .where('sha256', '=', Buffer.from(sha256, 'hex'))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Added last first. */
  async apks(caseId: number, { offset, limit }: Span): Promise<CaseApkRecord[]> {
    const rows = await this.database
      .selectFrom('case_apks')
      .selectAll()
      .where('case_id', '=', caseId)
      .orderBy('added_at', 'desc')
      .orderBy('sha256')
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map(toApk);
  }

  async #records(query: SelectQueryBuilder<Database, 'cases', object>): Promise<CaseRecord[]> {
    const rows = await query
      .selectAll('cases')
      .select([
        sql<number>`(select count(*) from case_apks where case_id = cases.id)`.as('apks'),
        open('question').as('openQuestions'),
        open('task').as('openTasks'),
      ])
      .execute();
    const people = await this.database
      .selectFrom('case_people')
      .selectAll()
      .where(
        isOneOf(
          'case_id',
          rows.map(({ id }) => id),
        ),
      )
      .execute();
    return rows.map(({ apks, openQuestions, openTasks, ...row }) => ({
      ...recordOf(row),
      people: people.filter(({ case_id: caseId }) => caseId === row.id).map(({ username }) => username),
      ...{ apks, openQuestions, openTasks },
    }));
  }

  #filtered({ text, isClosed }: CaseFilter): SelectQueryBuilder<Database, 'cases', object> {
    let query = this.database.selectFrom('cases');
    if (text !== '')
      query = query.where(sql<boolean>`(instr(lower(name), lower(${text})) or instr(lower(note), lower(${text})))`);
    if (isClosed !== undefined) query = query.where('is_closed', '=', Number(isClosed));
    return query;
  }

  #entries(caseId: number, kind?: EntryKind): SelectQueryBuilder<Database, 'case_entries', object> {
    const query = this.database.selectFrom('case_entries').where('case_id', '=', caseId);
    return kind === undefined ? query : query.where('kind', '=', kind);
  }
}

async function unlessNamed<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicate(error)) throw new DuplicateError('There is a case of this name already.');
    throw error;
  }
}
