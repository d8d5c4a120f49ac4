// Watches what a worker uses for one task, and tells when it is too much. Knows neither tasks nor how a worker is ended.
import type { ProcessUsage } from './process-usage.ts';

export interface TaskLimits {
  /**
   * What the task may use of the processor; it may wait for something else several times as long. Time in which others
   * have the processor does not count: a busy machine makes honest tasks slow.
   */
  milliseconds: number;
  /** Of the whole process. */
  residentBytes: number;
}

export interface PassedLimit {
  code: 'timeout' | 'memory';
  message: string;
}

/** How often a busy worker is looked at: it can allocate about a gigabyte in this time. */
const watchMilliseconds = 200;

/** A thread that waits for another of its process, which others keep from the processor, sleeps as well. */
const sleepFactor = 6;

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1_048_576)} MiB`;
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** What a task has used so far; `clock` where nobody can tell more. */
type Used = { residentBytes: number } & ({ cpu: number; asleep: number; clock?: undefined } | { clock: number });

/** Which limit was passed, and by how much. */
function passedLimit({ milliseconds, residentBytes: most }: TaskLimits, used: Used): PassedLimit | null {
  const { residentBytes } = used;
  if (residentBytes > most) {
    const over = `${mebibytes(residentBytes - most)} more than the ${mebibytes(most)} it may use`;
    return { code: 'memory', message: `The analysis needed ${mebibytes(residentBytes)} of memory, ${over}.` };
  }
  const times: readonly (readonly [did: string, time: number, limit: number])[] =
    used.clock !== undefined
      ? [['took', used.clock, milliseconds]]
      : [
          ['used the processor for', used.cpu, milliseconds],
          ['waited without using the processor for', used.asleep, sleepFactor * milliseconds],
        ];
  const passed = times.find(([, time, limit]) => time > limit);
  if (passed === undefined) return null;
  const [did, time, limit] = passed;
  const over = `${seconds(time - limit)} more than the ${seconds(limit)} it may`;
  return { code: 'timeout', message: `The analysis ${did} ${seconds(time)}, ${over}.` };
}

export class TaskWatch {
  readonly #usage: () => Promise<ProcessUsage | null>;
  readonly #limits: TaskLimits;
  readonly #onPassed: (passed: PassedLimit) => void;
  readonly #began = performance.now();
  /** Milliseconds that the worker was seen asleep, added up look by look. */
  #asleep = 0;
  readonly #timer: NodeJS.Timeout;
  /** What the process had used for earlier tasks. */
  readonly #before: Promise<ProcessUsage | null>;
  #isOver = false;

  constructor(usage: () => Promise<ProcessUsage | null>, limits: TaskLimits, onPassed: (passed: PassedLimit) => void) {
    this.#usage = usage;
    this.#limits = limits;
    this.#onPassed = onPassed;
    this.#before = usage();
    this.#timer = setInterval(() => void this.#look(), watchMilliseconds);
  }

  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const [before, usage] = [await this.#before, await this.#usage()];
    if (this.#isOver) return;
    const passed = passedLimit(this.#limits, this.#usedOf(before, usage));
    if (passed === null) return;
    this.stop();
    this.#onPassed(passed);
  }

  #usedOf(before: ProcessUsage | null, usage: ProcessUsage | null): Used {
    if (before === null || usage === null) return { residentBytes: 0, clock: performance.now() - this.#began };
    if (usage.isAsleep) this.#asleep += watchMilliseconds;
    const { residentBytes, cpuMilliseconds } = usage;
    return { residentBytes, cpu: cpuMilliseconds - before.cpuMilliseconds, asleep: this.#asleep };
  }
}
