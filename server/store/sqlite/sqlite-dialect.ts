// How kysely talks to better-sqlite3 here: prepared statements are kept, writers queue up at the start. Knows no table.
import { AsyncLocalStorage } from 'node:async_hooks';
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

export interface ConnectionGuard {
  /** Throws where writing is no longer allowed. */
  beforeWrite(): void;
  onError(error: unknown): void;
  /** Whether whoever asks is within the work of a transaction that is open. */
  isWithinTransaction(): boolean;
}

const noGuard: ConnectionGuard = {
  beforeWrite: () => undefined,
  onError: () => undefined,
  isWithinTransaction: () => false,
};

/** The dialect over an open connection, which stays open after `Kysely.destroy`. */
export function sqliteDialect(
  connection: BetterSqlite3.Database,
  revisions = new TableRevisions(connection),
  guard = noGuard,
): Dialect {
  return {
    createDriver: () => new SingleConnectionDriver(connection, revisions, guard),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new FairSqliteAdapter(),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
  };
}

/** Kysely's own mutex wakes all waiters with every query: here they wait in a queue. */
class FairSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** A query or transaction waiting for the end of another. */
interface Waiting {
  session: Session;
  isTransaction: boolean;
  proceed(): void;
}

/**
 * One connection for all: a query outside of transactions is over before anything else runs and waits only while a
 * transaction is open; transactions come one after the other, in the order in which they were asked for.
 */
class SingleConnectionDriver implements Driver {
  readonly #database: BetterSqlite3.Database;
  readonly #statements: KeptStatements;
  readonly #guard: ConnectionGuard;
  #owner: Session | null = null;
  #waiting: Waiting[] = [];

  constructor(database: BetterSqlite3.Database, revisions: TableRevisions, guard: ConnectionGuard) {
    this.#database = database;
    this.#guard = guard;
    this.#statements = new KeptStatements(database, revisions, guard);
  }

  async init(): Promise<void> {
    // The connection is open already.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Session(this.#statements, (session) => this.#turn(session, false));
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const session = connection as Session;
    await this.#turn(session, true);
    try {
      // A transaction that reads first and writes later fails where another process wrote in between; this one waits.
      this.#database.exec('begin immediate');
    } catch (error) {
      this.#letOthers();
      throw error;
    }
  }

  async commitTransaction(): Promise<void> {
    this.#guard.beforeWrite();
    this.#database.exec('commit');
    this.#letOthers();
  }

  async rollbackTransaction(): Promise<void> {
    // Some errors, a full disk among them, have rolled back already.
    if (this.#database.inTransaction) this.#database.exec('rollback');
    this.#letOthers();
  }

  async releaseConnection(): Promise<void> {
    // A session ends with its query or transaction.
  }

  async destroy(): Promise<void> {
    // Whoever opened the connection closes it.
  }

  /** Gives a transaction the connection on its turn. @returns null: at once */
  #turn(session: Session, isTransaction: boolean): Promise<void> | null {
    if (this.#owner === session) return null;
    if (this.#owner === null && this.#waiting.length === 0) {
      if (isTransaction) this.#owner = session;
      return null;
    }
    if (this.#guard.isWithinTransaction()) {
      throw new Error('A query within a transaction was not asked of its own repositories: it would wait for ever.');
    }
    return new Promise((proceed) => this.#waiting.push({ session, isTransaction, proceed }));
  }

  #letOthers(): void {
    this.#owner = null;
    const next = this.#waiting.findIndex(({ isTransaction }) => isTransaction);
    // Those that go on run after this one in the order of the queue, before anything new.
    const going = this.#waiting.splice(0, next < 0 ? this.#waiting.length : next + 1);
    const last = going.at(-1);
    if (last?.isTransaction) this.#owner = last.session;
    for (const { proceed } of going) proceed();
  }
}

/** Knows which calls are made by the work of a transaction, however deep within it. */
export class TransactionScope {
  readonly #open = new AsyncLocalStorage<{ isOpen: boolean }>();

  get isWithin(): boolean {
    return this.#open.getStore()?.isOpen === true;
  }

  /** Runs work outside of the current transaction, which does not wait for it: it may itself wait for transactions. */
  beside<T>(work: () => Promise<T>): Promise<T> {
    return this.#open.exit(work);
  }

  /** Runs the work of a transaction. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const transaction = { isOpen: true };
    return this.#open.run(transaction, work).finally(() => {
      transaction.isOpen = false;
    });
  }
}

/** One query outside of transactions, or one transaction. */
class Session implements DatabaseConnection {
  readonly #statements: KeptStatements;
  readonly #turn: (session: Session) => Promise<void> | null;

  constructor(statements: KeptStatements, turn: (session: Session) => Promise<void> | null) {
    this.#statements = statements;
    this.#turn = turn;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const turn = this.#turn(this);
    if (turn !== null) await turn;
    return this.#statements.run(query);
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const turn = this.#turn(this);
    if (turn !== null) await turn;
    yield* this.#statements.stream<R>(query);
  }
}

/** Counts what is written to each table, so that what was read of it can be kept until then. */
export class TableRevisions {
  readonly #dataVersion: BetterSqlite3.Statement<unknown[], unknown>;
  readonly #counts = new Map<string, number>();
  #writes = 0;

  constructor(database: BetterSqlite3.Database) {
    this.#dataVersion = database.prepare('pragma data_version').pluck();
  }

  /** A number that is another one once anybody has written to one of these tables, also another process. */
  of(...tables: string[]): number {
    // Statements whose table is not recognised count for every table.
    let sum = (this.#dataVersion.get() as number) * 2 ** 32 + (this.#counts.get('') ?? 0);
    for (const table of tables) sum += this.#counts.get(table) ?? 0;
    return sum;
  }

  /** A number that is another one once anybody has written to any table. */
  ofAll(): number {
    return (this.#dataVersion.get() as number) * 2 ** 32 + this.#writes;
  }

  /** Counts a write to a table; an empty name counts for all. */
  note(table: string): void {
    this.#writes += 1;
    this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1);
  }
}

/** The table that a statement writes to; what triggers and foreign keys write besides is not told. */
const writtenTable = (sql: string): string =>
  /^\s*(?:(?:insert|replace)(?:\s+or\s+\w+)?\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+"?(\w+)/i.exec(sql)?.[1] ??
  '';

class KeptStatements {
  readonly #revisions: TableRevisions;
  readonly #written = new WeakMap<object, string>();
  readonly #database: BetterSqlite3.Database;
  /** By SQL; the order of insertion is the order of use. */
  readonly #statements = new Map<string, BetterSqlite3.Statement<unknown[], unknown>>();
  readonly #guard: ConnectionGuard;

  constructor(database: BetterSqlite3.Database, revisions: TableRevisions, guard: ConnectionGuard) {
    this.#database = database;
    this.#guard = guard;
    this.#revisions = revisions;
  }

  run<R>(query: CompiledQuery): QueryResult<R> {
    try {
      return this.#run(query);
    } catch (error) {
      this.#guard.onError(error);
      throw error;
    }
  }

  #run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = this.#prepare(sql);
    const written = this.#written.get(statement);
    if (written !== undefined) {
      this.#guard.beforeWrite();
      this.#revisions.note(written);
    }
    if (statement.reader) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
  }

  *stream<R>({ sql, parameters }: CompiledQuery): Generator<QueryResult<R>> {
    // Not a cached statement, which another query could use while its rows are still being read.
    for (const row of this.#database.prepare(sql).iterate(...parameters)) yield { rows: [row as R] };
  }

  #prepare(sql: string): BetterSqlite3.Statement<unknown[], unknown> {
    const known = this.#statements.get(sql);
    const statement = known ?? this.#database.prepare<unknown[], unknown>(sql);
    if (known === undefined && !statement.readonly && !/^\s*pragma\b/i.test(sql))
      this.#written.set(statement, writtenTable(sql));
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
