// What the app compared something with that it was told: texts by methods of the core library. Knows no branch.
import { exampleOf } from '../java/regex/example.ts';
import { matched } from '../java/regex/models.ts';
import type { MethodInfo } from '../machine/class-info.ts';
import { HeapObject, JavaString, type Taint, type Value } from '../machine/heap.ts';
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

const ownerNames: Readonly<Record<string, RegExp>> = {
  'Ljava/lang/String;':
    /^(?:equals|equalsIgnoreCase|contentEquals|contains|startsWith|endsWith|matches|isEmpty|indexOf|compareTo|compareToIgnoreCase)$/,
  'Landroid/text/TextUtils;': /^(?:equals|isEmpty)$/,
  'Ljava/util/Objects;': /^equals$/,
  'Ljava/util/regex/Pattern;': /^matches$/,
  'Ljava/util/regex/Matcher;': /^(?:matches|find|lookingAt)$/,
};
/** Of the latest ones a branch finds its own. */
const maxKept = 6;

export class Comparisons {
  readonly #machine: MachineHost;
  readonly #latest: Comparison[] = [];

  constructor(machine: MachineHost) {
    this.#machine = machine;
  }

  static compares({ owner, name }: MethodInfo): boolean {
    return Object.hasOwn(ownerNames, owner.descriptor) && ownerNames[owner.descriptor]!.test(name);
  }

  /** A method that compares has answered. @returns the taint of its answer */
  note({ name, owner }: MethodInfo, args: readonly Value[], result: Value): Taint {
    const taints = [this.#machine.argumentTaint(0), args.length > 1 ? this.#machine.argumentTaint(1) : 0] as const;
    if (taints[0] === 0 && taints[1] === 0) return 0;
    const [receiver] = args;
    if (owner.descriptor === 'Ljava/util/regex/Matcher;' && receiver instanceof HeapObject) {
      const { text, pattern } = matched(receiver);
      this.#keep({ how: 'matches', texts: [text, exampleOf(pattern.source, pattern.flags)], taints, result });
      return taints[0];
    }
    const [first, second] = args.slice(0, 2).map((each) => (each instanceof JavaString ? each.text : null));
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
