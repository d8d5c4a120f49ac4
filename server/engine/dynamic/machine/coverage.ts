// How much of the app's code has run, and which. Knows no models.
import { type CodeCounts, scanCode } from '../../formats/dex/code-scan.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { ClassLinker } from './class-linker.ts';
import { PreparedMethod, type Thrown } from './prepared-method.ts';

/** A method that has run. Addresses in code units. */
export interface RanCode {
  /** Instructions that have run at least once. */
  readonly executed: number;
  /** Whether the instruction at an address has run. */
  hasRun(address: number): boolean;
  /** The first exception that left the instruction at an address; null where none did. */
  thrownAt(address: number): Thrown | null;
}

export interface Coverage {
  /** Methods with code in the app's dex files and those it loaded. */
  readonly methodsTotal: number;
  readonly methodsExecuted: number;
  /** With the payloads of switches and arrays, which never run. */
  readonly instructionsTotal: number;
  readonly instructionsExecuted: number;
  /** The app's dex files and those it loaded. */
  readonly dexFiles: readonly Dex[];
  /** The methods that have run, by their index in the dex file. */
  readonly ran: ReadonlyMap<Dex, ReadonlyMap<number, RanCode>>;
}

/** The methods that have run, by their dex file and index in it. */
export type RanMethods = ReadonlyMap<Dex, ReadonlyMap<number, PreparedMethod>>;

export function ranMethods(linker: ClassLinker): RanMethods {
  const ran = new Map<Dex, Map<number, PreparedMethod>>();
  for (const cls of linker.linked) {
    if (!cls.isApp || cls.dex === null) continue;
    for (const method of cls.methods.values()) {
      const { code } = method;
      if (!(code instanceof PreparedMethod) || code.executed === 0) continue;
      const known = ran.get(cls.dex);
      if (known === undefined) ran.set(cls.dex, new Map([[method.dexIndex, code]]));
      else known.set(method.dexIndex, code);
    }
  }
  return ran;
}

export function coverageOf(linker: ClassLinker): Coverage {
  const counts = linker.dexFiles.map((dex) => scanCode(dex, {}, () => undefined));
  const sum = (of: (each: CodeCounts) => number): number => counts.reduce((total, each) => total + of(each), 0);
  const ran = ranMethods(linker);
  const all = [...ran.values()].flatMap((methods) => [...methods.values()]);
  return {
    methodsTotal: sum(({ methods, methodsWithoutCode }) => methods - methodsWithoutCode),
    methodsExecuted: all.length,
    instructionsTotal: sum(({ instructions }) => instructions),
    instructionsExecuted: all.reduce((total, { executed }) => total + executed, 0),
    dexFiles: linker.dexFiles,
    ran,
  };
}
