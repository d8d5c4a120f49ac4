// How much of the app's code has run. Knows no models.
import { type CodeCounts, scanCode } from '../../formats/dex/code-scan.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { ClassLinker } from './class-linker.ts';
import type { Method } from './linked-class.ts';
import type { PreparedMethod } from './prepared-method.ts';

export interface Coverage {
  /** Methods with code in the app's dex files and those it loaded. */
  readonly methodsTotal: number;
  readonly methodsExecuted: number;
  /** With the payloads of switches and arrays, which never run. */
  readonly instructionsTotal: number;
  readonly instructionsExecuted: number;
  /** Whether a method has run, by the dex file and the method's index in it. */
  isExecuted(dex: Dex, methodIndex: number): boolean;
}

export function coverageOf(linker: ClassLinker): Coverage {
  const counts = linker.dexFiles.map((dex) => scanCode(dex, {}, () => undefined));
  const sum = (of: (each: CodeCounts) => number): number => counts.reduce((total, each) => total + of(each), 0);
  let methodsExecuted = 0;
  let instructionsExecuted = 0;
  const executed = new Map<Dex, Set<number>>();
  for (const cls of linker.linked) {
    if (!cls.isApp || cls.dex === null) continue;
    for (const method of cls.methods.values()) {
      const count = executedInstructions(method);
      if (count === 0) continue;
      methodsExecuted++;
      instructionsExecuted += count;
      const known = executed.get(cls.dex);
      if (known === undefined) executed.set(cls.dex, new Set([method.dexIndex]));
      else known.add(method.dexIndex);
    }
  }
  return {
    methodsTotal: sum(({ methods, methodsWithoutCode }) => methods - methodsWithoutCode),
    methodsExecuted,
    instructionsTotal: sum(({ instructions }) => instructions),
    instructionsExecuted,
    isExecuted: (dex, methodIndex) => executed.get(dex)?.has(methodIndex) ?? false,
  };
}

/** Instructions of a method that have run at least once. */
function executedInstructions(method: Method): number {
  return (method.code as PreparedMethod | null)?.executed ?? 0;
}
