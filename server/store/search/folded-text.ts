// Texts as SQLite's full-text index compares them: its own folding of letters and cutting into words. Reads no table.
import SqliteDatabase from 'better-sqlite3';

const ascii = /^[\x00-\x7f]*$/;
const isAscii = (text: string): boolean => ascii.test(text);

/** As SQLite's LIKE and its collation `nocase` fold. */
export const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** SQLite's folding table is older than JavaScript's: it is read once from SQLite, for all letters with a case. */
function foldings(): Map<string, string> {
  const database = new SqliteDatabase(':memory:');
  database.exec(`create virtual table letters using fts5 (letter, tokenize = 'trigram');
    create virtual table folded using fts5vocab (letters, 'instance'); begin`);
  const insert = database.prepare('insert into letters (rowid, letter) values (?, ?)');
  for (let code = 0x80; code < 0x20000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const letter = String.fromCodePoint(code);
    if (letter.toLowerCase() !== letter || letter.toUpperCase() !== letter) insert.run(code, letter.repeat(3));
  }
  const rows = database.prepare('select doc, term from folded').raw().all() as [number, string][];
  database.close();
  return new Map(rows.map(([code, term]) => [String.fromCodePoint(code), [...term][0]!]));
}

let known: Map<string, string> | undefined;
let alike: Map<string, string[]> | undefined;

/** The text as the trigram index folds it. */
export function foldedText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  known ??= foldings();
  let folded = '';
  for (const letter of text) folded += letter < '\x80' ? letter.toLowerCase() : (known.get(letter) ?? letter);
  return folded;
}

/** The letters with the same folding as this one, itself included. */
function lettersLike(letter: string): readonly string[] {
  known ??= foldings();
  if (alike === undefined) {
    alike = new Map();
    for (const [other, folded] of known) alike.set(folded, [...(alike.get(folded) ?? []), other]);
  }
  const folded = foldedText(letter);
  // ASCII letters are folded without the table.
  const plain = isAscii(folded) ? [folded, folded.toUpperCase()] : [folded];
  return [...new Set([...plain, ...(alike.get(folded) ?? [])])];
}

/** Whether the trigram index can find it: it has three letters in a row. */
export const isIndexable = (text: string): boolean => text.length > 4 || [...text].length >= 3;

/**
 * An SQL condition for one or two letters in any of some columns, and the folding that finds the same outside of SQL.
 * LIKE folds ASCII alone; other letters are sought in every case.
 */
export function shortText(
  text: string,
  columns: readonly string[],
): { fold: (text: string) => string; condition: string; parameters: string[] } {
  const inAny = (condition: (column: string) => string) => columns.map(condition).join(' or ');
  if (isAscii(text)) {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    return {
      fold: asciiLower,
      condition: inAny((column) => `${column} like ? escape '\\'`),
      parameters: columns.map(() => pattern),
    };
  }
  let spellings = [''];
  for (const letter of text)
    spellings = spellings.flatMap((start) => lettersLike(letter).map((other) => start + other));
  return {
    fold: foldedText,
    condition: inAny((column) => spellings.map(() => `instr(${column}, ?) > 0`).join(' or ')),
    parameters: columns.flatMap(() => spellings),
  };
}

/** A temporary full-text table: matches texts that are not in the index of words. */
export class WordProbe {
  readonly #database = new SqliteDatabase(':memory:');
  readonly #insert: SqliteDatabase.Statement<unknown[], unknown>;
  readonly #match: SqliteDatabase.Statement<unknown[], unknown>;
  readonly #words: SqliteDatabase.Statement<unknown[], unknown>;

  constructor(columns: readonly string[]) {
    const names = columns.join(', ');
    this.#database.exec(`create virtual table probe using fts5 (
        ${names}, tokenize = 'unicode61 remove_diacritics 0', detail = column
      );
      create virtual table words using fts5vocab (probe, 'row');`);
    this.#insert = this.#database.prepare(
      `insert into probe (rowid, ${names}) values (?, ${columns.map(() => '?').join(', ')})`,
    );
    this.#match = this.#database.prepare('select rowid from probe where probe match ?').pluck();
    this.#words = this.#database.prepare('select term, doc from words').raw();
  }

  /** Ids of the matching texts. */
  matching(rows: readonly { id: number; row: readonly string[] }[], match: string): number[] {
    return this.#asked(rows, () => this.#match.all(match) as number[]);
  }

  /** The words of texts, and how many texts each is in. */
  wordsOf(rows: readonly { id: number; row: readonly string[] }[]): [word: string, count: number][] {
    return this.#asked(rows, () => this.#words.all() as [string, number][]);
  }

  /** Rolls its transaction back, which costs a fraction of a commit. */
  #asked<T>(rows: readonly { id: number; row: readonly string[] }[], ask: () => T): T {
    this.#database.exec('begin');
    try {
      for (const { id, row } of rows) this.#insert.run(id, ...row);
      return ask();
    } finally {
      this.#database.exec('rollback');
    }
  }
}
