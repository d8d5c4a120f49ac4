// Libraries that people imported, and hashes of their methods. Knows nothing of code.
import type { KnownLibrariesTable, LibraryMethodsTable } from '../schema/families.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

export type LibraryRecord = RecordOf<KnownLibrariesTable>;
export type NewLibrary = Pick<LibraryRecord, 'name' | 'version' | 'source'>;

const rowsAtOnce = 5000;

export class LibraryRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Puts a version of a library in the place of the one that is there. @param methods hashes, each once */
  async put(
    this: LibraryRepository<WriteHandle>,
    { name, version, source }: NewLibrary,
    methods: readonly number[],
  ): Promise<LibraryRecord> {
    await this.database.deleteFrom('known_libraries').where('name', '=', name).where('version', '=', version).execute();
    const row = await this.database
      .insertInto('known_libraries')
      .values({ name, version, source, methods: methods.length, imported_at: this.clock() })
      .returningAll()
      .executeTakeFirstOrThrow();
    for (let from = 0; from < methods.length; from += rowsAtOnce) {
      const rows = methods
        .slice(from, from + rowsAtOnce)
        .map((hash): LibraryMethodsTable => ({ hash, library_id: row.id }));
      await this.database.insertInto('library_methods').values(rows).execute();
    }
    return recordOf(row);
  }

  /** By name, then in the order of import. */
  async all(): Promise<LibraryRecord[]> {
    const rows = await this.database.selectFrom('known_libraries').selectAll().orderBy('name').orderBy('id').execute();
    return rows.map(recordOf);
  }

  /** Removes all versions of a library. @returns how many there were */
  async remove(this: LibraryRepository<WriteHandle>, name: string): Promise<number> {
    const { numDeletedRows } = await this.database
      .deleteFrom('known_libraries')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /** Another text whenever a library came or went. */
  async version(): Promise<string> {
    const { count, last, newest } = await this.database
      .selectFrom('known_libraries')
      .select(({ fn }) => [fn.countAll().as('count'), fn.max('id').as('last'), fn.max('imported_at').as('newest')])
      .executeTakeFirstOrThrow();
    return `${count} ${last ?? 0} ${newest ?? 0}`;
  }

  /** The hashes of all libraries, each once. */
  async allMethods(): Promise<number[]> {
    const rows = await this.rowReader.selectFrom('library_methods').select('hash').distinct().execute();
    return rows.map(({ hash }) => hash);
  }
}
