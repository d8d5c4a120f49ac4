// One scan of one file that neither throws nor lasts: the matches, or why there are none. Knows engines by their interface alone.
import { cpuMilliseconds } from '../../cpu-time.ts';
import { type FileFacts, valuesOnFile } from '../modules/file-functions.ts';
import type { ModuleCall } from '../modules/module-functions.ts';
import { type EngineMatch, type EngineRules, type GlobalValues, ScanTimeout } from './engine.ts';

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

/** What one scan may take, in milliseconds. */
export interface ScanTime {
  /** Of the processor. */
  cpu: number;
  /** Past which it is over however little of the processor it got. */
  clock: number;
}

/** The native engine counts seconds of its own that end, the first of them maybe at once: so much sooner a scan may end. */
const engineSecond = 1000;

/**
 * Engines end scans by the clock alone: one that got little of the processor meanwhile, or ended too soon, is tried
 * again, as long as it may.
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
