// Every word of the catalogue's names, packages, companies and versions, in memory. For the search thread.
import type BetterSqlite3 from 'better-sqlite3';
import type { ApkTexts } from './apk-texts.ts';
import type { CatalogueColumns } from './catalogue-columns.ts';
import type { WordProbe } from './folded-text.ts';
import { bitsOf } from './id-set.ts';

/** Most alternatives of a misspelt word; the most common ones are taken. */
const maxSimilar = 500;

/** One bit for each letter and digit; other characters share the remaining bits. */
function letterMask(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at++) mask |= 1 << (word.charCodeAt(at) % 31);
  return mask;
}

/** Whether two words are within so many insertions, deletions and replacements of letters. */
function isWithinEdits(a: readonly string[], b: readonly string[], distance: number): boolean {
  if (Math.abs(a.length - b.length) > distance) return false;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > distance) return false;
    previous = row;
  }
  return previous[b.length]! <= distance;
}

export class Vocabulary {
  readonly #connection: BetterSqlite3.Database;
  readonly #columns: CatalogueColumns;
  readonly #texts: ApkTexts;
  readonly #probe: WordProbe;
  #numbers = new Map<string, number>();
  #words: string[] = [];
  /** How many APKs have the word, as it was when the words were read. */
  #counts: number[] = [];
  #masks: number[] = [];
  #seq = -1;

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns, texts: ApkTexts, probe: WordProbe) {
    this.#connection = connection;
    this.#columns = columns;
    this.#texts = texts;
    this.#probe = probe;
  }

  /** Words that no APK has any more stay: they find nothing. */
  #catchUp(): void {
    if (this.#seq === this.#columns.seq) return;
    const changed = this.#seq < 0 ? null : this.#columns.changedSince(this.#seq, 'row');
    this.#seq = this.#columns.seq;
    if (changed !== null && changed.size <= 5000) {
      for (const [word, count] of this.#probe.wordsOf(this.#texts.rowsOf([...changed]))) this.#add(word, count);
      return;
    }
    this.#numbers = new Map();
    this.#words = [];
    this.#counts = [];
    this.#masks = [];
    const rows = this.#connection.prepare('select term, doc from apk_vocabulary').raw().iterate();
    for (const [word, count] of rows as Iterable<[string, number]>) this.#add(word, count);
  }

  #add(word: string, count: number): void {
    const number = this.#numbers.get(word);
    if (number !== undefined) {
      this.#counts[number]! += count;
      return;
    }
    this.#numbers.set(word, this.#words.length);
    this.#words.push(word);
    this.#counts.push(count);
    this.#masks.push(letterMask(word));
  }

  /** Reads the words before they are asked for. */
  warm(): void {
    this.#catchUp();
  }

  /** Words within so many edits of one, the most common first. */
  similar(text: string, distance: number): string[] {
    this.#catchUp();
    const word = [...text];
    const mask = letterMask(text);
    const found: number[] = [];
    const [shortest, longest] = [text.length - 2 * distance, text.length + 2 * distance];
    for (let at = 0; at < this.#words.length; at++) {
      const { length } = this.#words[at]!;
      if (length < shortest || length > longest) continue;
      // One edit adds at most one letter and removes at most one.
      if (bitsOf(mask ^ this.#masks[at]!) > 2 * distance) continue;
      if (isWithinEdits(word, [...this.#words[at]!], distance)) found.push(at);
    }
    found.sort((a, b) => this.#counts[b]! - this.#counts[a]!);
    return found.slice(0, maxSimilar).map((at) => this.#words[at]!);
  }

  /** Words that contain a text, and about how many APKs have one of them; null where there are too many words. */
  containing(text: string, maxWords: number): { words: string[]; count: number } | null {
    this.#catchUp();
    const mask = letterMask(text);
    const words: string[] = [];
    let count = 0;
    for (let at = 0; at < this.#words.length; at++) {
      if ((mask & this.#masks[at]!) !== mask || !this.#words[at]!.includes(text)) continue;
      if (words.length === maxWords) return null;
      words.push(this.#words[at]!);
      count += this.#counts[at]!;
    }
    return { words, count };
  }

  /** The most common words with this prefix. */
  beginning(text: string, limit: number): { text: string; count: number }[] {
    this.#catchUp();
    const found: number[] = [];
    for (let at = 0; at < this.#words.length; at++) if (this.#words[at]!.startsWith(text)) found.push(at);
    found.sort((a, b) => this.#counts[b]! - this.#counts[a]!);
    return found.slice(0, limit).map((at) => ({ text: this.#words[at]!, count: this.#counts[at]! }));
  }
}
