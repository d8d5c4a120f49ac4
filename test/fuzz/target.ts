// What a fuzz target is. Knows no format.
import { FormatError } from '../../server/engine/formats/byte-reader.ts';
import type { Field } from './field-mutation.ts';
import type { Random } from './random.ts';

// biome-ignore lint/suspicious/noExplicitAny: constructors of errors take all kinds of parameters
export type ErrorClass = abstract new (...parameters: any[]) => Error;

export interface FuzzTarget {
  /** Beginnings of paths below `server/`: the code that is read by this target, whose coverage guides it and is told. */
  subject: readonly string[];
  /** Well-formed inputs to start from; small ones are damaged more thoroughly. */
  samples(): Uint8Array[];
  /** Whether inputs are texts, which are changed by their words. */
  isText?: boolean;
  /** Offsets within an input where damage is likely to matter. */
  hotspots?(input: Uint8Array): number[];
  /** The numbers of an input that are lied about. */
  fields?(input: Uint8Array): Field[];
  /** Words of the format, beside the constants of the subject's code, which are known without being named. */
  words?: readonly (string | Uint8Array)[];
  /** A new input from the builders of the format: well-formed, or wrong in ways that damaged bytes seldom are. */
  generate?(random: Random): Uint8Array;
  /** What may be thrown, by default `FormatError`. Everything else is a find. */
  refusals?: readonly ErrorClass[];
  /** Milliseconds of CPU for one input of a size in bytes; by default `usualCpuTime`. */
  maxCpuTime?(size: number): number;
  /**
   * Reads the input; whatever is wrong with what it reads throws.
   * @returns what follows from the input alone: some inputs are read twice, and must say the same
   */
  run(input: Uint8Array): unknown;
  /** Ends what the target has started. */
  close?(): Promise<void>;
}

/** A second, and 20 microseconds a byte: some hundred times the usual. Instrumented code takes twice the time. */
export const usualCpuTime = (size: number): number => 1000 + size / 50;

export const refusalsOf = (target: FuzzTarget): readonly ErrorClass[] => target.refusals ?? [FormatError];

/** Texts as samples. */
export const texts =
  (...list: string[]): (() => Uint8Array[]) =>
  () =>
    list.map((text) => Buffer.from(text));

/** The input of a text target. */
export const textOf = (input: Uint8Array): string => Buffer.from(input).toString('utf8');

/** What was read is not as it must be. */
export class BrokenProperty extends Error {
  readonly property: string;

  constructor(property: string, seen: string) {
    super(`does not hold: ${property}${seen === '' ? '' : `: ${seen}`}`);
    this.property = property;
  }
}

/** @param seen what there is instead */
export function hold(isHeld: boolean, property: string, seen = ''): void {
  if (!isHeld) throw new BrokenProperty(property, seen);
}
