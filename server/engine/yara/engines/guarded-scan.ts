// One scan of one file within its time: the matches, or the error that ended it. Knows engines by their interface alone.
import { cpuMilliseconds } from '../../cpu-time.ts';
import { type FileFacts, valuesOnFile } from '../modules/file-functions.ts';
import type { ModuleCall } from '../modules/module-functions.ts';
import { type EngineMatch, type EngineRules, type GlobalValues, ScanTimeout } from './engine.ts';

/** The values that rulesets are given besides the bytes. */
export interface Asked {
  /** From the APK's reports, set once. */
  globals: GlobalValues;
  /** Calls that are answered anew for each file, by their global. */
  fileCalls: readonly (readonly [string, ModuleCall])[];
}

export interface ScannedFile {
  bytes: Uint8Array;
  facts: FileFacts;
}

/** What one scan may take, in milliseconds. */
export interface ScanTime {
  /** Of the processor. */
  cpu: number;
  /** On the clock, past which the scan is over however little of the processor it got. */
  clock: number;
}

/** The native engine counts whole seconds and may end a scan up to this much too early. */
const engineSecond = 1000;

/**
 * Scans once. Engines end a scan by the clock: one that got little of the processor meanwhile, or was ended too soon, is
 * tried again until its time on the clock is over.
 */
export function guardedScan(
  engineRules: EngineRules | null,
  { globals, fileCalls }: Asked,
  { bytes, facts }: ScannedFile,
  { cpu, clock }: ScanTime,
): EngineMatch[] | Error {
  if (engineRules === null) return [];
  const end = performance.now() + clock;
  for (let limit = cpu; ; ) {
    const started = performance.now();
    const cpuStarted = cpuMilliseconds();
    try {
      const ofFile = fileCalls.length === 0 ? undefined : valuesOnFile(fileCalls, facts);
      return engineRules.scan(bytes, globals, limit, ofFile);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const spent = cpuMilliseconds() - cpuStarted;
      const now = performance.now();
      const left = end - now;
      const hadLittle = spent <= Math.min(cpu, Math.max(now - started, engineSecond)) / 2;
      if (!(error instanceof ScanTimeout) || !hadLittle || left < cpu) return error;
      limit = Math.ceil(Math.min(Math.max(cpu, (cpu * (now - started)) / Math.max(spent, 1)), left));
    }
  }
}
