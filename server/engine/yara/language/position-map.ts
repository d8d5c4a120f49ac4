// Text with parts replaced, and the way back from a place in it to the place in the author's text. Knows nothing of rules.

export interface Replacement {
  /** In the author's text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Segment extends Replacement {
  readonly newStart: number;
  readonly newEnd: number;
}

/** A place in a text; lines and columns count from 1, columns in characters. */
export interface TextPlace {
  line: number;
  column: number;
}

export class RewrittenText {
  readonly text: string;
  readonly #original: string;
  readonly #segments: Segment[] = [];
  /** Whether every character is one UTF-16 unit; otherwise columns have to be counted. */
  readonly #isPlain: boolean;
  #newLines: number[] | null = null;
  #originalLines: number[] | null = null;

  /** @param replacements in order, not overlapping */
  constructor(original: string, replacements: readonly Replacement[]) {
    this.#original = original;
    const parts: string[] = [];
    let copied = 0;
    let length = 0;
    for (const replacement of replacements) {
      const kept = original.slice(copied, replacement.start);
      parts.push(kept, replacement.text);
      length += kept.length;
      this.#segments.push({ ...replacement, newStart: length, newEnd: length + replacement.text.length });
      length += replacement.text.length;
      copied = replacement.end;
    }
    parts.push(original.slice(copied));
    this.text = parts.join('');
    this.#isPlain = !/[\ud800-\udfff]/.test(original);
  }

  /** Offset in the author's text for a place in the new one; within a replacement, where that begins (or ends). */
  originalOffset(place: TextPlace, isEnd = false): number {
    this.#newLines ??= lineStarts(this.text);
    const offset = this.#offsetOf(place);
    const segment = this.#lastUpTo(offset, isEnd);
    if (segment === undefined) return offset;
    if (offset < segment.newEnd || (isEnd && offset === segment.newEnd)) return isEnd ? segment.end : segment.start;
    return segment.end + (offset - segment.newEnd);
  }

  /** Whether a place of the new text lies in something that the author did not write. */
  isReplaced(place: TextPlace): boolean {
    this.#newLines ??= lineStarts(this.text);
    const offset = this.#offsetOf(place);
    const segment = this.#lastUpTo(offset, false);
    return segment !== undefined && offset < segment.newEnd;
  }

  /** The place of an offset in the author's text. */
  placeOf(offset: number): TextPlace {
    this.#originalLines ??= lineStarts(this.#original);
    const lines = this.#originalLines;
    const line = lastIndexUpTo(lines, (start) => start <= offset);
    const before = this.#original.slice(lines[line]!, offset);
    return { line: line + 1, column: (this.#isPlain ? before.length : [...before].length) + 1 };
  }

  #offsetOf({ line, column }: TextPlace): number {
    const lines = this.#newLines!;
    const start = lines[Math.min(line, lines.length) - 1] ?? 0;
    const end = lines[line] ?? this.text.length;
    if (this.#isPlain) return Math.min(start + Math.max(column - 1, 0), end);
    let offset = start;
    for (let left = column - 1; left > 0 && offset < end; left--) {
      offset += this.text.codePointAt(offset)! > 0xffff ? 2 : 1;
    }
    return Math.min(offset, end);
  }

  #lastUpTo(offset: number, isEnd: boolean): Segment | undefined {
    return this.#segments[
      lastIndexUpTo(this.#segments, ({ newStart }) => (isEnd ? newStart < offset : newStart <= offset))
    ];
  }
}

/** The last index of a sorted list whose item satisfies a condition; -1 for none. */
function lastIndexUpTo<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
