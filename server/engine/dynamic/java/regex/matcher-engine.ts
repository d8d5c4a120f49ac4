// Runs a parsed pattern by backtracking, with a budget of steps: no pattern of an app can hang the run. Knows no Java objects.
import { isWord } from './character-classes.ts';
import type { Anchor, Node, ParsedPattern, SingleTest } from './parser.ts';

/** Steps for one search: some seconds in Java; an app whose pattern explodes ends here. */
const MAXIMUM_STEPS = 5_000_000;
/** Places that are copied or compared at once count as one step. */
const PLACES_PER_STEP = 32;
/** Frames of the JavaScript stack for one match: what fits beside the interpreter's own. Android's matcher overflows too. */
const MAXIMUM_FRAMES = 5_000;

/** The pattern needs more steps or depth than any app's user would wait for. */
export class RegexExhausted extends Error {
  constructor() {
    super('the regular expression takes too long');
  }
}

type Continue = (at: number) => boolean;
type Step = (at: number, next: Continue) => boolean;

/** Start and end of each group, -1 where it took no part. */
export type Groups = Int32Array;

export class CompiledPattern {
  readonly groupCount: number;
  readonly names: ReadonlyMap<string, number>;
  readonly #step: Step;
  readonly #frames: number;
  #text = '';
  #from = 0;
  #to = 0;
  #last = 0;
  #steps = 0;
  #depth = 0;
  #groups: Int32Array;

  constructor(parsed: ParsedPattern) {
    this.groupCount = parsed.groups;
    this.names = parsed.names;
    this.#groups = new Int32Array(2 * (parsed.groups + 1)).fill(-1);
    this.#step = this.#compile(parsed.node);
    this.#frames = framesOf(parsed.node);
  }

  /** Steps that the last search took. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * Matches at a place: to the region's end where `isWhole`. The region is [from, to) with anchoring bounds.
   * @throws RegexExhausted
   */
  matchAt(text: string, at: number, from: number, to: number, isWhole: boolean, last = at): Groups | null {
    this.#begin(text, from, to, last);
    return this.#try(at, isWhole);
  }

  /** The first match from `at` on. @throws RegexExhausted */
  find(text: string, at: number, from: number, to: number, last = at): Groups | null {
    this.#begin(text, from, to, last);
    for (let start = at; start <= to; start++) {
      const groups = this.#try(start, false);
      if (groups !== null) return groups;
    }
    return null;
  }

  #begin(text: string, from: number, to: number, last: number): void {
    this.#text = text;
    this.#from = from;
    this.#to = to;
    this.#last = last;
    this.#steps = 0;
  }

  #try(at: number, isWhole: boolean): Groups | null {
    this.#tickFor(this.#groups.length);
    this.#groups.fill(-1);
    this.#depth = 0;
    this.#hold(this.#frames);
    let end = -1;
    const isMatch = this.#step(at, (place) => {
      if (isWhole && place !== this.#to) return false;
      end = place;
      return true;
    });
    if (!isMatch) return null;
    const groups = this.#groups.slice();
    groups[0] = at;
    groups[1] = end;
    return groups;
  }

  #compile(node: Node): Step {
    switch (node.kind) {
      case 'empty':
        return (at, next) => next(at);
      case 'literal':
        return this.#literal(node.text);
      case 'test':
        return this.#test(node);
      case 'sequence':
        return this.#sequence(node.nodes.map((part) => this.#compile(part)));
      case 'choice':
        return this.#choice(node.nodes.map((part) => this.#compile(part)));
      case 'group':
        return this.#group(node.index, this.#compile(node.node));
      case 'atomic':
        return this.#atomic(this.#compile(node.node));
      case 'look':
        return node.isAhead ? this.#ahead(node) : this.#behind(node);
      case 'repeat':
        return this.#repeat(node);
      case 'back':
        return this.#back(node.group, node.ignoresCase);
      case 'anchor':
        return this.#anchor(node.anchor);
    }
  }

  #tick(): void {
    if (++this.#steps > MAXIMUM_STEPS) throw new RegexExhausted();
  }

  /** Charges the budget for an operation on many characters at once. */
  #tickFor(places: number): void {
    this.#steps += Math.floor(places / PLACES_PER_STEP);
    this.#tick();
  }

  #hold(frames: number): void {
    this.#depth += frames;
    if (this.#depth > MAXIMUM_FRAMES) throw new RegexExhausted();
  }

  #literal(literal: string): Step {
    return (at, next) => {
      this.#tick();
      return at + literal.length <= this.#to && this.#text.startsWith(literal, at) && next(at + literal.length);
    };
  }

  /** Code units that the test takes at a place, 0 for none. */
  #width({ test, size }: SingleTest, at: number): number {
    this.#tickFor(size);
    if (at >= this.#to) return 0;
    const codePoint = this.#text.codePointAt(at)!;
    if (codePoint <= 0xffff) return test(codePoint) ? 1 : 0;
    if (at + 2 > this.#to) return test(this.#text.charCodeAt(at)) ? 1 : 0;
    return test(codePoint) ? 2 : 0;
  }

  #test(test: SingleTest): Step {
    return (at, next) => {
      const width = this.#width(test, at);
      return width > 0 && next(at + width);
    };
  }

  #sequence(steps: readonly Step[]): Step {
    return steps.reduceRight<Step>(
      (rest, step) => (at, next) => step(at, (place) => rest(place, next)),
      (at, next) => next(at),
    );
  }

  #choice(steps: readonly Step[]): Step {
    return (at, next) => {
      for (const step of steps) {
        this.#tick();
        if (step(at, next)) return true;
      }
      return false;
    };
  }

  #group(index: number, step: Step): Step {
    const start = index * 2;
    return (at, next) => {
      this.#tick();
      const groups = this.#groups;
      return step(at, (place) => {
        const [oldStart, oldEnd] = [groups[start]!, groups[start + 1]!];
        groups[start] = at;
        groups[start + 1] = place;
        if (next(place)) return true;
        groups[start] = oldStart;
        groups[start + 1] = oldEnd;
        return false;
      });
    };
  }

  #atomic(step: Step): Step {
    return (at, next) => {
      this.#tick();
      let end = -1;
      const isMatch = step(at, (place) => {
        end = place;
        return true;
      });
      return isMatch && next(end);
    };
  }

  #ahead(node: { readonly node: Node; readonly isNegative: boolean }): Step {
    const step = this.#compile(node.node);
    return (at, next) => {
      this.#tickFor(this.#groups.length);
      const before = node.isNegative ? this.#groups.slice() : null;
      const isMatch = step(at, () => true);
      if (before !== null) this.#groups.set(before);
      return isMatch !== node.isNegative && next(at);
    };
  }

  /** Tries every start before the place: bounded by the steps, and exact for any body. */
  #behind(node: { readonly node: Node; readonly isNegative: boolean }): Step {
    const step = this.#compile(node.node);
    return (at, next) => {
      let isMatch = false;
      for (let start = at; start >= this.#from && !isMatch; start--) {
        this.#tick();
        isMatch = step(start, (place) => place === at);
      }
      return isMatch !== node.isNegative && next(at);
    };
  }

  #repeat(node: Extract<Node, { kind: 'repeat' }>): Step {
    const { minimum, maximum, mode } = node;
    const single = singleTest(node.node);
    const step = single === null ? this.#loop(node) : this.#run(single, minimum, maximum, mode);
    return mode === 'possessive' ? this.#atomic(step) : step;
  }

  /** Repeats of one character take a loop, not a stack. */
  #run(test: SingleTest, minimum: number, maximum: number, mode: string): Step {
    return (at, next) => {
      let place = at;
      let count = 0;
      if (mode === 'lazy') {
        for (;;) {
          if (count >= minimum && next(place)) return true;
          if (count >= maximum) return false;
          const width = this.#width(test, place);
          if (width === 0) return false;
          place += width;
          count++;
        }
      }
      while (count < maximum) {
        const width = this.#width(test, place);
        if (width === 0) break;
        place += width;
        count++;
      }
      for (; count >= minimum; count--) {
        this.#tick();
        if (next(place)) return true;
        if (place <= at) return false;
        place -= place - 2 >= at && (this.#text.codePointAt(place - 2) ?? 0) > 0xffff ? 2 : 1;
      }
      return false;
    };
  }

  #loop(node: Extract<Node, { kind: 'repeat' }>): Step {
    const { minimum, maximum, mode } = node;
    const step = this.#compile(node.node);
    const frames = framesOf(node);
    const again = (at: number, count: number, next: Continue): boolean => {
      this.#tick();
      this.#hold(frames);
      const more = (): boolean =>
        count < maximum &&
        // An iteration that matches nothing would repeat for ever.
        step(at, (place) => (place !== at || count < minimum) && again(place, count + 1, next));
      const isMatch = count < minimum ? more() : mode === 'lazy' ? next(at) || more() : more() || next(at);
      this.#depth -= frames;
      return isMatch;
    };
    return (at, next) => again(at, 0, next);
  }

  #back(group: number, ignoresCase: boolean): Step {
    return (at, next) => {
      const start = this.#groups[group * 2] ?? -1;
      this.#tickFor(this.#groups[group * 2 + 1]! - start);
      if (start < 0) return false;
      const wanted = this.#text.slice(start, this.#groups[group * 2 + 1]);
      const found = this.#text.slice(at, Math.min(at + wanted.length, this.#to));
      const isSame = ignoresCase ? found.toLowerCase() === wanted.toLowerCase() : found === wanted;
      return isSame && next(at + wanted.length);
    };
  }

  #anchor(anchor: Anchor): Step {
    return (at, next) => {
      this.#tick();
      return this.#holds(anchor, at) && next(at);
    };
  }

  #holds(anchor: Anchor, at: number): boolean {
    const text = this.#text;
    switch (anchor) {
      case 'start':
        return at === this.#from;
      case 'end':
        return at === this.#to;
      case 'last':
        return at === this.#last;
      case 'endBeforeLine':
        return at === this.#to || (isLineEnd(text, at) && at + lineEndWidth(text, at) === this.#to);
      case 'lineStart':
        if (at === this.#from) return true;
        return at < this.#to && isLineEnd(text, at - 1) && !(text[at - 1] === '\r' && text[at] === '\n');
      case 'lineEnd':
        return (
          at === this.#to || (isLineEnd(text, at) && !(text[at] === '\n' && at > this.#from && text[at - 1] === '\r'))
        );
      case 'word':
      case 'notWord': {
        const before = at > this.#from && isWordAt(text, at - 1);
        const after = at < this.#to && isWordAt(text, at);
        return (before !== after) === (anchor === 'word');
      }
    }
  }
}

/** JavaScript frames that one way through a node takes, all of which stay while the rest of the pattern is tried. */
function framesOf(node: Node): number {
  switch (node.kind) {
    case 'sequence':
      return node.nodes.reduce((sum, part) => sum + 2 + framesOf(part), 1);
    case 'choice':
      return 1 + node.nodes.reduce((most, part) => Math.max(most, framesOf(part)), 0);
    case 'group':
    case 'atomic':
    case 'look':
      return 2 + framesOf(node.node);
    case 'repeat':
      return 3 + framesOf(node.node);
    default:
      return 1;
  }
}

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isWord(code) || (code > 127 && /^[\p{L}\p{Nd}]$/u.test(text[at]!));
}

function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 10 || code === 13 || code === 0x85 || code === 0x2028 || code === 0x2029;
}

function lineEndWidth(text: string, at: number): number {
  return text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
}

function singleTest(node: Node): SingleTest | null {
  if (node.kind === 'test') return node;
  if (node.kind !== 'literal') return null;
  const codePoint = node.text.codePointAt(0)!;
  return node.text.length === (codePoint > 0xffff ? 2 : 1) ? { test: (c) => c === codePoint, size: 1 } : null;
}
