// How many methods the code of two APKs shares, by their sketches. Knows no APK.
import type { CodeSketchRecord } from '../../store/repositories/code-sketch-repository.ts';
import { hashesIn } from './likeness/hash-list.ts';

export interface SharedMethods {
  /** Methods of each that were looked at, and those of them that both have. */
  first: number;
  second: number;
  both: number;
  /** All methods of both were looked at; else those whose hashes lie in the range that both sketches have whole. */
  isWhole: boolean;
}

/** Hashes of a sketch, and up to which value it has all of them. */
function opened({ methods, hashes }: CodeSketchRecord): { values: Set<number>; upTo: number } {
  const values = hashesIn(hashes);
  const isWhole = methods <= values.length;
  return { values: new Set(values), upTo: isWhole ? Number.POSITIVE_INFINITY : values.at(-1)! };
}

/** What both sketches have of the methods that both can tell of. */
export function sharedMethods(one: CodeSketchRecord, other: CodeSketchRecord): SharedMethods {
  const first = opened(one);
  const second = opened(other);
  const upTo = Math.min(first.upTo, second.upTo);
  const firstSeen = [...first.values].filter((value) => value <= upTo);
  return {
    first: firstSeen.length,
    second: [...second.values].filter((value) => value <= upTo).length,
    both: firstSeen.filter((value) => second.values.has(value)).length,
    isWhole: upTo === Number.POSITIVE_INFINITY,
  };
}
