// Notes of analysts as comments in the text: above the line that shows what they are about. Knows no Java.
import type { Span, VariablePlace } from '../printing/writer.ts';

export interface Note {
  readonly symbol: string;
  /** In a method, in code units; null: it is about the symbol itself. */
  readonly address: number | null;
  readonly text: string;
}

/** Notes by the symbol that they are about. */
export type Notes = ReadonlyMap<string, readonly Note[]>;

export function notesBySymbol(notes: Iterable<Note>): Notes {
  const found = new Map<string, Note[]>();
  for (const note of notes) {
    const list = found.get(note.symbol);
    if (list === undefined) found.set(note.symbol, [note]);
    else list.push(note);
  }
  return found;
}

/** The lines of a note, as they may stand behind `//` or `#`: nothing in it is seen otherwise than it is, or ends the line. */
export const noteLines = (text: string): string[] =>
  text.split(/\r\n?|\n/).map((line) =>
    line
      .replace(/[^\P{C}\t]|[\p{Zl}\p{Zp}]/gu, (letter) => `{${letter.codePointAt(0)!.toString(16)}}`)
      .replace(/\\u/g, '\\ u')
      .trimEnd(),
  );

interface Printed {
  readonly source: string;
  readonly spans: readonly Span[];
  readonly variables: readonly VariablePlace[];
}

/** A text with notes, and where all stands in it then. */
export function withNotes<P extends Printed>(printed: P, notes: Notes): P {
  const { source, spans, variables } = printed;
  const placed = placedNotes(printed, notes);
  if (placed.length === 0) return printed;
  const parts: string[] = [];
  /** Starts of lines that notes stand above, and characters of all notes up to there. */
  const starts: number[] = [];
  const added: number[] = [];
  let done = 0;
  let length = 0;
  for (const { start, text } of placed) {
    const indent = /^[ \t]*/.exec(source.slice(start, start + 500))![0];
    const lines = noteLines(text)
      .map((line) => `${indent}// ${line}\n`)
      .join('');
    parts.push(source.slice(done, start), lines);
    done = start;
    length += lines.length;
    starts.push(start);
    added.push(length);
  }
  parts.push(source.slice(done));
  const moved = (offset: number) => {
    const at = lastAtOrBefore(starts, offset);
    return at < 0 ? offset : offset + added[at]!;
  };
  return {
    ...printed,
    source: parts.join(''),
    spans: spans.map((span) => ({ ...span, start: moved(span.start), end: moved(span.end - 1) + 1 })),
    variables: variables.map((place) => ({ ...place, start: moved(place.start) })),
  };
}

function placedNotes({ source, spans }: Printed, notes: Notes): { start: number; text: string }[] {
  if (notes.size === 0) return [];
  const found = new Map<Note, Span>();
  for (const span of spans) {
    const about = span.symbol === undefined ? undefined : notes.get(span.symbol);
    for (const note of about ?? []) {
      const isMeant =
        note.address === null ? span.isDeclaration === true : isNearer(span, found.get(note), note.address);
      if (isMeant) found.set(note, span);
    }
  }
  return [...found]
    .map(([note, span]) => ({ start: source.lastIndexOf('\n', span.start - 1) + 1, text: note.text }))
    .sort((a, b) => a.start - b.start);
}

/** Whether a range shows an address better than another: it is of that address, else of the next one, and it is smaller. */
function isNearer({ address, start, end }: Span, known: Span | undefined, wanted: number): boolean {
  if (address === undefined || address < wanted) return false;
  if (known === undefined || address < known.address!) return true;
  return address === known.address && end - start < known.end - known.start;
}

/** The place of the last number that is no larger; -1 for none. */
function lastAtOrBefore(numbers: readonly number[], wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
