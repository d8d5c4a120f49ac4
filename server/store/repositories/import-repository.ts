// Imports of files of this machine: how far each is, and what it refused. Knows no file system.
import { type Insertable, sql } from 'kysely';
import type { ImportRefusalsTable, ImportsTable } from '../schema/workstation.ts';
import { type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { columnsOf, type RecordOf, recordOf } from './table-record.ts';

type ImportRow = RecordOf<ImportsTable>;
export type ImportRecord = Omit<ImportRow, 'tags'> & { tags: string[] };
export type ImportRefusalRecord = RecordOf<ImportRefusalsTable>;

/** What became of one file. */
export interface ImportedFile {
  path: string;
  size: number;
  added: number;
  held: number;
  refusals: readonly { name: string; reason: string }[];
}

const importOf = ({ tags, ...rest }: ImportRow): ImportRecord => ({ ...rest, tags: JSON.parse(tags) as string[] });

export class ImportRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** The newest first. */
  async all(): Promise<ImportRecord[]> {
    const rows = await this.database.selectFrom('imports').selectAll().orderBy('id', 'desc').execute();
    return rows.map((row) => importOf(recordOf(row)));
  }

  /** The import, null where there is none. */
  async find(id: number): Promise<ImportRecord | null> {
    const row = await this.database.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : importOf(recordOf(row));
  }

  /** Stores an import that begins now. */
  async insert(
    this: ImportRepository<WriteHandle>,
    { tags, ...wish }: Pick<ImportRecord, 'accountId' | 'path' | 'tags' | 'hasFolderTags'>,
  ): Promise<ImportRecord> {
    const begun = { ...wish, tags: JSON.stringify(tags), state: 'running' as const, createdAt: this.clock() };
    const row = await this.database
      .insertInto('imports')
      .values(columnsOf<ImportsTable>(begun) as Insertable<ImportsTable>)
      .returningAll()
      .executeTakeFirstOrThrow();
    return importOf(recordOf(row));
  }

  /** Changes what is given. */
  async update(
    this: ImportRepository<WriteHandle>,
    id: number,
    changes: Partial<Pick<ImportRecord, 'state' | 'problem' | 'fileCount' | 'byteCount' | 'endedAt'>>,
  ): Promise<void> {
    const columns = columnsOf<ImportsTable>(changes);
    await this.database.updateTable('imports').set(columns).where('id', '=', id).execute();
  }

  /** Forgets an import; APKs stay. */
  async remove(this: ImportRepository<WriteHandle>, id: number): Promise<void> {
    await this.database.deleteFrom('imports').where('id', '=', id).execute();
  }

  /** Notes what became of the next file of an import, after which it goes on. */
  async noteFile(this: ImportRepository<WriteHandle>, importId: number, file: ImportedFile): Promise<void> {
    await this.#count(importId, file);
    await this.database
      .updateTable('imports')
      .set({
        place: file.path,
        done_files: sql<number>`done_files + 1`,
        done_bytes: sql<number>`done_bytes + ${file.size}`,
      })
      .where('id', '=', importId)
      .execute();
  }

  /** Notes what became of a file that was tried again, in the place of what had been refused. @param retried the file, or its folder */
  async noteRetried(
    this: ImportRepository<WriteHandle>,
    importId: number,
    retried: string,
    file: ImportedFile,
  ): Promise<void> {
    await this.forgetRetried(importId, retried);
    await this.#count(importId, file);
  }

  /** Forgets what was refused of a path and is tried again. */
  async forgetRetried(this: ImportRepository<WriteHandle>, importId: number, path: string): Promise<void> {
    await this.database
      .deleteFrom('import_refusals')
      .where('import_id', '=', importId)
      .where('path', '=', path)
      .where('is_retried', '=', 1)
      .execute();
  }

  async #count(
    this: ImportRepository<WriteHandle>,
    importId: number,
    { path, added, held, refusals }: ImportedFile,
  ): Promise<void> {
    for (const refusal of refusals)
      await this.database
        .insertInto('import_refusals')
        .values({ import_id: importId, path, ...refusal })
        .execute();
    await this.database
      .updateTable('imports')
      .set({ added: sql<number>`added + ${added}`, held: sql<number>`held + ${held}` })
      .where('id', '=', importId)
      .execute();
  }

  /** Has everything that was refused tried again. */
  async retry(this: ImportRepository<WriteHandle>, importId: number): Promise<void> {
    await this.database
      .updateTable('import_refusals')
      .set({ is_retried: 1 })
      .where('import_id', '=', importId)
      .execute();
  }

  /** A file that is to be tried again, null where none is left. */
  async nextRetried(importId: number): Promise<string | null> {
    const row = await this.database
      .selectFrom('import_refusals')
      .select('path')
      .where('import_id', '=', importId)
      .where('is_retried', '=', 1)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return row?.path ?? null;
  }

  /** What of a file was refused. */
  async refusedOf(importId: number, path: string): Promise<string[]> {
    const rows = await this.database
      .selectFrom('import_refusals')
      .select('name')
      .where('import_id', '=', importId)
      .where('path', '=', path)
      .execute();
    return rows.map(({ name }) => name);
  }

  /** A page of what an import refused. */
  refusals(importId: number, request: KeysetRequest): Promise<KeysetPage<ImportRefusalRecord>> {
    const query = this.database.selectFrom('import_refusals').selectAll().where('import_id', '=', importId);
    return pageOf(query, request, 'id', (row) => recordOf(row));
  }

  /** How much each import refused. */
  async refusalCounts(): Promise<Map<number, number>> {
    const rows = await this.database
      .selectFrom('import_refusals')
      .select(['import_id', (all) => all.fn.countAll<number>().as('count')])
      .groupBy('import_id')
      .execute();
    return new Map(rows.map((row) => [row.import_id, row.count]));
  }
}
