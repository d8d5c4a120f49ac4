// One attempt of a directed run. Knows no outcome.
import type { AppMethod } from '../../code/app-methods.ts';
import type { PreparedMethod } from '../machine/prepared-method.ts';
import type { Instead } from './told-values.ts';

/** What makes the code run: a component, an action, or a call that nobody made. */
export interface Entry {
  readonly where: string;
  readonly call?: AppMethod;
}

export interface Trial {
  readonly entry: Entry;
  /** What the app is told instead of what the world tells. */
  readonly instead: Instead;
  /** What is forced; null where the app goes its own way. Addresses in code units. */
  readonly forced: {
    readonly redirects: readonly (readonly [method: PreparedMethod, from: number, to: number])[];
    /** Calls that are taken to have returned where they threw. */
    readonly passed: ReadonlyMap<PreparedMethod, ReadonlySet<number>>;
  } | null;
  /** In a new process. */
  readonly isAnew?: boolean;
  /** The branch that it is about: position among the method's instructions. */
  readonly at?: { readonly prepared: PreparedMethod; readonly position: number };
}
