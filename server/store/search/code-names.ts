// The names in code that the index knows, for completions. For the search thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';

/** Milliseconds for a list: the index counts a common name's APKs where it comes to one. */
const maxTime = 30;
/** What stands between the parts of a name, and the character behind it. */
const [part, afterPart] = ['.', '/'];

export class CodeNames {
  readonly #next: BetterSqlite3.Statement<unknown[], unknown>;

  constructor(connection: BetterSqlite3.Database) {
    // Of this connection alone: with this table in the schema SQLite's integrity check passes over damaged pages.
    connection.exec("create virtual table if not exists temp.code_names using fts5vocab (main, apk_names, 'row')");
    this.#next = connection.prepare('select term from code_names where term >= ? limit 1').pluck();
  }

  /**
   * Names that go on from a beginning, each up to the end of its next part: from `class:com.ex` to `class:com.example.`
   * and `class:com.extra`. As many as are found in the time.
   */
  after(beginning: string, limit: number): string[] {
    const prefix = beginning.toLowerCase();
    const end = performance.now() + maxTime;
    const found: string[] = [];
    for (let from = prefix; found.length < limit && performance.now() < end; ) {
      const name = this.#next.get(from) as string | undefined;
      if (name === undefined || !name.startsWith(prefix)) break;
      const at = name.indexOf(part, prefix.length);
      found.push(at < 0 ? name : name.slice(0, at + 1));
      // What stands within a package is skipped.
      from = at < 0 ? `${name}\0` : name.slice(0, at) + afterPart;
    }
    return found;
  }
}
