// A table on standard output: rows, columns, and how wide text is there. Knows nothing of what the rows say.
import { terminalText } from './terminal-text.ts';

export interface Column {
  title: string;
  /** Share of the terminal. */
  share: number;
  /** Of long cells the end is shown rather than the beginning: paths differ there. */
  showsEnd?: boolean;
}

const gap = 2;

/** On a terminal rows appear as they come, cut to its width; elsewhere columns are as wide as their widest cell. */
export class Table<Line> {
  readonly #columns: readonly Column[];
  readonly #rowsOf: (line: Line) => string[][];
  readonly #widths: number[] | null;
  readonly #rows: string[][] = [];
  #hasTitle = false;

  /** @param width columns of the terminal; null: there is none */
  constructor(columns: readonly Column[], rowsOf: (line: Line) => string[][], width: number | null) {
    this.#columns = columns;
    this.#rowsOf = rowsOf;
    const shares = columns.reduce((sum, { share }) => sum + share, 0);
    const usable = (width ?? 0) - gap * (columns.length - 1);
    this.#widths =
      width === null ? null : columns.map(({ share }) => Math.max(6, Math.floor((usable * share) / shares)));
  }

  /** What is to be written of one line; empty where it comes at the end. */
  show(line: Line): string {
    const rows = this.#rowsOf(line).map((row) => row.map(terminalText));
    if (this.#widths === null) {
      this.#rows.push(...rows);
      return '';
    }
    const titled = this.#hasTitle ? rows : [this.#columns.map(({ title }) => title), ...rows];
    this.#hasTitle = true;
    return titled.map((row) => this.#line(row, this.#widths!)).join('');
  }

  /** What is left. */
  end(): string {
    if (this.#widths !== null) return '';
    const rows = [this.#columns.map(({ title }) => title), ...this.#rows];
    const widths = this.#columns.map((_, index) =>
      rows.reduce((widest, row) => Math.max(widest, columnsOf(row[index]!)), 0),
    );
    return rows.map((row) => this.#line(row, widths)).join('');
  }

  #line(row: readonly string[], widths: readonly number[]): string {
    const cells = row.map((cell, index) => {
      const width = widths[index]!;
      const fitting = this.#widths === null ? cell : fit(cell, width, this.#columns[index]!.showsEnd === true);
      return index === row.length - 1 ? fitting : fitting + ' '.repeat(Math.max(0, width - columnsOf(fitting)));
    });
    return `${cells.join(' '.repeat(gap)).trimEnd()}\n`;
  }
}

/** East Asian letters and pictures take two columns of a terminal, combining marks none. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const columnOf = (letter: string): number => (/\p{M}/u.test(letter) ? 0 : wide.test(letter) ? 2 : 1);
const isPlain = /^[\x20-\x7e]*$/;

/** How many columns of a terminal a text takes. */
function columnsOf(text: string): number {
  if (isPlain.test(text)) return text.length;
  let columns = 0;
  for (const letter of text) columns += columnOf(letter);
  return columns;
}

function fit(text: string, width: number, showsEnd: boolean): string {
  if (columnsOf(text) <= width) return text;
  const letters = showsEnd ? [...text].reverse() : [...text];
  const kept: string[] = [];
  let left = width - 1;
  for (const letter of letters) {
    left -= columnOf(letter);
    if (left < 0) break;
    kept.push(letter);
  }
  return showsEnd ? `…${kept.reverse().join('')}` : `${kept.join('')}…`;
}
