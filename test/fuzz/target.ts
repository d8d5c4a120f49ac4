// What a fuzz target is, and how one is run. Knows no format.
import { FormatError } from '../../server/engine/formats/byte-reader.ts';
import { type Field, mutateFields } from './field-mutation.ts';
import { mutate } from './mutation.ts';

export interface FuzzTarget {
  name: string;
  /** Well-formed inputs to damage; small ones are damaged more thoroughly. */
  samples(): Uint8Array[];
  /** Offsets within a sample where damage is likely to matter. */
  hotspots?(sample: Uint8Array): number[];
  /** The numbers of a sample that every second input lies about. */
  fields?(sample: Uint8Array): Field[];
  /** Must return or throw FormatError, whatever the bytes. */
  run(bytes: Uint8Array): void | Promise<void>;
}

export interface Failure {
  seed: number;
  reason: string;
}

/** CPU time, in milliseconds, that no input of the samples' size may take: some hundred times the usual. */
const maxCpuTime = 5000;

/** A well-formed input and where to damage it. */
interface Sample {
  bytes: Uint8Array;
  hotspots: readonly number[];
  fields: readonly Field[];
}

/** The input of a seed: which sample, and how it is damaged, follow from it alone. */
function inputOf(samples: readonly Sample[], seed: number): Buffer {
  const { bytes, hotspots, fields } = samples[seed % samples.length]!;
  const isLie = fields.length > 0 && Math.floor(seed / samples.length) % 2 === 1;
  return isLie ? mutateFields(bytes, seed, fields) : mutate(bytes, seed, hotspots);
}

/**
 * Runs a target with the inputs of `count` seeds from `first` on, until `budget` milliseconds of CPU are used.
 * @returns how many ran, and the first failures, at most `maxFailures`
 */
export async function runTarget(
  target: FuzzTarget,
  { first, count, budget, maxFailures = 5 }: { first: number; count: number; budget: number; maxFailures?: number },
): Promise<{ runs: number; failures: Failure[] }> {
  const samples = target.samples().map(
    (bytes): Sample => ({
      bytes,
      hotspots: target.hotspots?.(bytes) ?? [],
      fields: target.fields?.(bytes) ?? [],
    }),
  );
  const failures: Failure[] = [];
  const start = process.cpuUsage();
  let runs = 0;
  for (let seed = first; seed < first + count && failures.length < maxFailures; seed++) {
    const input = inputOf(samples, seed);
    const before = process.cpuUsage();
    runs++;
    try {
      await target.run(input);
    } catch (error) {
      if (!(error instanceof FormatError)) {
        failures.push({ seed, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
    }
    const used = milliseconds(process.cpuUsage(before));
    if (used > maxCpuTime) failures.push({ seed, reason: `took ${Math.round(used)} ms of CPU` });
    if (milliseconds(process.cpuUsage(start)) > budget) break;
  }
  return { runs, failures };
}

const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
