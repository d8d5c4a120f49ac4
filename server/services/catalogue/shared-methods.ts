// How many methods the code of two APKs shares, by their sketches. Knows no APK.
import { hashBytes } from '../../contract/engine/code-sketch.ts';
import type { CodeSketchRecord } from '../../store/repositories/code-sketch-repository.ts';

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
  const values = new Set<number>();
  for (let at = 0; at < hashes.length; at += hashBytes) values.add(hashes.readUInt32BE(at));
  const isWhole = methods * hashBytes <= hashes.length;
  return { values, upTo: isWhole ? Number.POSITIVE_INFINITY : hashes.readUInt32BE(hashes.length - hashBytes) };
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
