// What the app compared something with that it was told: texts by methods of the core library. Knows no branch.
import { exampleOf } from '../java/regex/example.ts';
import { matched } from '../java/regex/models.ts';
import type { MethodInfo } from '../machine/class-info.ts';
import { HeapObject, JavaArray, JavaString, type Taint, type Value } from '../machine/heap.ts';
import type { MachineHost } from '../machine/machine.ts';

/** Two texts of which at least one was told. */
export interface Comparison {
  /** `equals`, `startsWith` … */
  readonly how: string;
  /** The receiver, and what it is compared with, of a pattern a text that it matches; null where that is null or no text. */
  readonly texts: readonly [string | null, string | null];
  readonly taints: readonly [Taint, Taint];
  readonly result: Value;
}

/** A letter that the app took out of a text. */
export interface Letter {
  readonly text: string;
  readonly index: number;
  readonly taint: Taint;
}

const ownerNames: Readonly<Record<string, RegExp>> = {
  'Ljava/lang/String;':
    /^(?:equals|equalsIgnoreCase|contentEquals|contains|startsWith|endsWith|matches|isEmpty|indexOf|compareTo|compareToIgnoreCase|charAt)$/,
  'Landroid/text/TextUtils;': /^(?:equals|isEmpty)$/,
  'Ljava/util/Objects;': /^equals$/,
  'Ljava/util/Arrays;': /^equals$/,
  'Ljava/security/MessageDigest;': /^isEqual$/,
  // Where they throw, numbers were wanted.
  'Ljava/lang/Integer;': /^(?:parseInt|valueOf)$/,
  'Ljava/lang/Long;': /^(?:parseLong|valueOf)$/,
  'Ljava/util/regex/Pattern;': /^matches$/,
  'Ljava/util/regex/Matcher;': /^(?:matches|find|lookingAt)$/,
};
/** Of the latest ones a branch finds its own. */
const maxKept = 6;
/** Of an array as much is compared. */
const maxArray = 1_000;

export class Comparisons {
  readonly #machine: MachineHost;
  readonly #latest: Comparison[] = [];
  #letter: Letter | null = null;

  constructor(machine: MachineHost) {
    this.#machine = machine;
  }

  static compares({ owner, name }: MethodInfo): boolean {
    return Object.hasOwn(ownerNames, owner.descriptor) && ownerNames[owner.descriptor]!.test(name);
  }

  /** A method that compares has answered. @returns the taint of its answer */
  note({ name, owner }: MethodInfo, args: readonly Value[], result: Value): Taint {
    if (isParsing(owner.descriptor)) return 0;
    const taints = [this.#machine.argumentTaint(0), args.length > 1 ? this.#machine.argumentTaint(1) : 0] as const;
    if (taints[0] === 0 && taints[1] === 0) return 0;
    const [receiver] = args;
    if (owner.descriptor === 'Ljava/util/regex/Matcher;' && receiver instanceof HeapObject) {
      const { text, pattern } = matched(receiver);
      this.#keep({ how: 'matches', texts: [text, exampleOf(pattern.source, pattern.flags)], taints, result });
      return taints[0];
    }
    if (name === 'charAt') {
      this.#letter = { text: (receiver as JavaString).text, index: Number(args[1]), taint: taints[0] };
      return 0;
    }
    const [first, second] = args.slice(0, 2).map(textOf);
    // Pattern.matches has the expression first.
    const isTurned = owner.descriptor === 'Ljava/util/regex/Pattern;';
    const texts = isTurned ? ([second ?? null, first ?? null] as const) : ([first ?? null, second ?? null] as const);
    const isPattern = name === 'matches' && texts[1] !== null;
    this.#keep({
      how: name,
      texts: isPattern ? [texts[0], exampleOf(texts[1]!, 0)] : texts,
      taints: isTurned ? [taints[1], taints[0]] : taints,
      result,
    });
    return this.#machine.union(...taints);
  }

  /** The letter that was taken last, where it is of such a text; null where it is not. */
  letter(isAbout: (taint: Taint) => boolean): Letter | null {
    return this.#letter !== null && isAbout(this.#letter.taint) ? this.#letter : null;
  }

  #keep(comparison: Comparison): void {
    this.#latest.unshift(comparison);
    this.#latest.length = Math.min(this.#latest.length, maxKept);
  }

  /** The latest one that a branch on such a value can be about; null where none can. */
  latest(value: Value, isAbout: (taint: Taint) => boolean): Comparison | null {
    return (
      this.#latest.find(({ result, taints }) => result === value && (isAbout(taints[0]) || isAbout(taints[1]))) ?? null
    );
  }
}

/** Whether a class's methods read numbers from texts. */
export const isParsing = (owner: string): boolean => owner === 'Ljava/lang/Integer;' || owner === 'Ljava/lang/Long;';

/** A text, letters as a text, bytes in hex; null of anything else. */
function textOf(value: Value): string | null {
  if (value instanceof JavaString) return value.text;
  if (!(value instanceof JavaArray)) return null;
  const { elements } = value;
  if (elements instanceof Uint16Array) return String.fromCharCode(...elements.subarray(0, maxArray));
  return elements instanceof Int8Array ? Buffer.from(elements.subarray(0, maxArray)).toString('hex') : null;
}
