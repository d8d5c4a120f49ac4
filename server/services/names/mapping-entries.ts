// What the lines of a mapping file give, whatever its format. Knows no format.

/** A name or a note. */
export interface Saying {
  readonly kind: 'name' | 'note';
  readonly symbol: string;
  /** Of a note within a method, in code units. */
  readonly address: number | null;
  readonly text: string;
}

/** What a line gives. */
export interface MappingEntry extends Saying {
  /** From 1. */
  readonly line: number;
  /** What else the line may mean, where the first is not there. */
  readonly others?: readonly string[];
}

/** A line that could not be understood. */
export interface MappingFault {
  readonly line: number;
  readonly text: string;
}

/** `a.b.C` of `La/b/C;`. */
export const dotted = (descriptor: string): string => descriptor.slice(1, -1).replaceAll('/', '.');
/** The reverse. */
export const descriptorOf = (name: string): string => `L${name.replaceAll('.', '/')};`;
