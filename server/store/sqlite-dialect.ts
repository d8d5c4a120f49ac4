// How kysely talks to better-sqlite3 here: prepared statements are kept, writers queue up at the start. Knows no table.
import type BetterSqlite3 from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** The program's own queries number some hundred; the rest are searches, each of its own shape. */
const maxStatements = 300;

/** The dialect over an open connection, which stays open after `Kysely.destroy`. */
export function sqliteDialect(connection: BetterSqlite3.Database): Dialect {
  return {
    createDriver: () => new SingleConnectionDriver(connection),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
  };
}

/** Kysely itself lets one query or transaction at a time through to a single connection. */
class SingleConnectionDriver implements Driver {
  readonly #database: BetterSqlite3.Database;
  readonly #connection: CachingConnection;

  constructor(database: BetterSqlite3.Database) {
    this.#database = database;
    this.#connection = new CachingConnection(database);
  }

  async init(): Promise<void> {
    // The connection is open already.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    // A transaction that reads first and writes later fails where another process wrote in between; this one waits.
    this.#database.exec('begin immediate');
  }

  async commitTransaction(): Promise<void> {
    this.#database.exec('commit');
  }

  async rollbackTransaction(): Promise<void> {
    // Some errors, a full disk among them, have rolled back already.
    if (this.#database.inTransaction) this.#database.exec('rollback');
  }

  async releaseConnection(): Promise<void> {
    // There is one connection, and kysely knows when it is free.
  }

  async destroy(): Promise<void> {
    // Whoever opened the connection closes it.
  }
}

class CachingConnection implements DatabaseConnection {
  readonly #database: BetterSqlite3.Database;
  /** By SQL; the order of insertion is the order of use. */
  readonly #statements = new Map<string, BetterSqlite3.Statement<unknown[], unknown>>();

  constructor(database: BetterSqlite3.Database) {
    this.#database = database;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(sql);
    if (statement.reader) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // A statement of its own: a kept one could be asked for again while its rows are still being read.
    for (const row of this.#database.prepare(sql).iterate(...parameters)) yield { rows: [row as R] };
  }

  #prepare(sql: string): BetterSqlite3.Statement<unknown[], unknown> {
    const known = this.#statements.get(sql);
    const statement = known ?? this.#database.prepare<unknown[], unknown>(sql);
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > maxStatements) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    return statement;
  }
}
