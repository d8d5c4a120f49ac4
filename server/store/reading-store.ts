// The catalogue for a thread of its own, which reads it beside the server: nothing is locked, and nothing can be written.
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { systemClock } from './clock.ts';
import { databaseName } from './lost-catalogue.ts';
import { type Reads, repositories } from './repositories/repositories.ts';
import type { ReadHandle } from './repositories/repository-context.ts';
import type { Database } from './schema/database.ts';
import { openDatabase } from './sqlite/open-database.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';

export interface ReadingStore {
  readonly reads: Reads;
  /** Has all that is read within see the catalogue as it is at one moment. */
  atOnce<T>(work: () => Promise<T>): Promise<T>;
}

/** Opens the catalogue of a data folder that a server has open. */
export function openReadingStore(dataDir: string): ReadingStore {
  const connection = openDatabase(join(dataDir, databaseName), { isReadOnly: true, isAlone: false });
  const database = new Kysely<Database>({ dialect: sqliteDialect(connection) });
  return {
    reads: repositories<ReadHandle>({ database, clock: systemClock }),
    async atOnce(work) {
      connection.exec('begin');
      try {
        return await work();
      } finally {
        connection.exec('commit');
      }
    },
  };
}
