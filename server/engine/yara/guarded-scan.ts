// One scan of one file that neither throws nor lasts: the matches, or why there are none. Knows engines by their interface alone.
import { cpuMilliseconds } from '../cpu-time.ts';
import { type EngineMatch, type EngineRules, type GlobalValues, ScanTimeout } from './engine.ts';
import { type FileFacts, valuesOnFile } from './file-functions.ts';
import type { ModuleCall } from './module-functions.ts';

/** What rulesets ask besides the bytes. */
export interface Asked {
  /** On the APK's reports, answered once. */
  globals: GlobalValues;
  /** On each file, by the global that stands for each. */
  fileCalls: readonly (readonly [string, ModuleCall])[];
}

export interface ScannedFile {
  bytes: Uint8Array;
  facts: FileFacts;
}

/** Engines end scans by the clock: one that got next to nothing of the processor meanwhile is tried so many times. */
const maxTries = 3;
/** So many times as long it may take on the clock. */
const maxStretch = 12;

/** @param timeout milliseconds of the processor */
export function guardedScan(
  engineRules: EngineRules | null,
  { globals, fileCalls }: Asked,
  { bytes, facts }: ScannedFile,
  timeout: number,
): EngineMatch[] | Error {
  if (engineRules === null) return [];
  let limit = timeout;
  for (let tries = 1; ; tries++) {
    const started = performance.now();
    const cpuStarted = cpuMilliseconds();
    try {
      const ofFile = fileCalls.length === 0 ? undefined : valuesOnFile(fileCalls, facts);
      return engineRules.scan(bytes, globals, limit, ofFile);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const spent = cpuMilliseconds() - cpuStarted;
      if (!(error instanceof ScanTimeout) || tries === maxTries || spent > timeout / 2) return error;
      const stretch = Math.min((performance.now() - started) / Math.max(spent, 1), maxStretch);
      limit = Math.ceil(timeout * stretch);
    }
  }
}
