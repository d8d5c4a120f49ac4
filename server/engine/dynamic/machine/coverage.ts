// How much of the app's code has run. Knows no models.
import { classData } from '../../formats/dex/class-data.ts';
import { codeAt } from '../../formats/dex/code-item.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { opcodeLengths, payloadLength } from '../../formats/dex/opcodes.ts';
import type { ClassLinker } from './class-linker.ts';
import type { Method } from './linked-class.ts';
import type { PreparedMethod } from './prepared-method.ts';

export interface Coverage {
  /** Methods with code in the app's dex files and those it loaded. */
  readonly methodsTotal: number;
  readonly methodsExecuted: number;
  readonly instructionsTotal: number;
  readonly instructionsExecuted: number;
  /** Whether a method has run, by the dex file and the method's index in it. */
  isExecuted(dex: Dex, methodIndex: number): boolean;
}

export function coverageOf(linker: ClassLinker): Coverage {
  let methodsTotal = 0;
  let instructionsTotal = 0;
  for (const dex of linker.dexFiles) {
    for (let index = 0; index < dex.classCount; index++) {
      const data = classData(dex, index);
      for (const { codeOffset } of [...data.directMethods, ...data.virtualMethods]) {
        if (codeOffset === 0) continue;
        methodsTotal++;
        instructionsTotal += countInstructions(dex, codeOffset);
      }
    }
  }
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
    methodsTotal,
    methodsExecuted,
    instructionsTotal,
    instructionsExecuted,
    isExecuted: (dex, methodIndex) => executed.get(dex)?.has(methodIndex) ?? false,
  };
}

/** Instructions of a method that have run at least once. */
export function executedInstructions(method: Method): number {
  return (method.code as PreparedMethod | null)?.executed ?? 0;
}

function countInstructions(dex: Dex, codeOffset: number): number {
  const units = codeAt(dex, codeOffset)?.units;
  if (units === undefined) return 0;
  let count = 0;
  for (let at = 0; at < units.length; ) {
    const payload = payloadLength(units, at, units.length);
    if (payload > 0) {
      at += payload;
    } else {
      count++;
      at += opcodeLengths[units[at]! & 0xff]!;
    }
  }
  return count;
}
