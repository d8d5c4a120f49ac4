// Watches what a worker uses for one task, and tells when it is too much. Knows neither tasks nor how a worker is ended.
import { type ProcessUsage, processUsage } from './process-usage.ts';

export interface TaskLimits {
  /** Of the processor, for the task alone. */
  cpuMilliseconds: number;
  /** For tasks that wait and never use the processor; a machine that is busy with other things makes honest ones slow. */
  clockMilliseconds: number;
  /** Of the whole process. */
  residentBytes: number;
}

export interface PassedLimit {
  code: 'timeout' | 'memory';
  message: string;
}

/** How often a busy worker is looked at: it can allocate about a gigabyte in this time. */
const watchMilliseconds = 200;

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1_048_576)} MiB`;
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Which limit was passed, and by how much. @param cpu null where nobody can tell, and the clock stands for it */
function passedLimit(limits: TaskLimits, clock: number, cpu: number | null, resident: number): PassedLimit | null {
  const { cpuMilliseconds, clockMilliseconds, residentBytes } = limits;
  if (resident > residentBytes) {
    const over = `${mebibytes(resident - residentBytes)} more than the ${mebibytes(residentBytes)} it may use`;
    return { code: 'memory', message: `The analysis needed ${mebibytes(resident)} of memory, ${over}.` };
  }
  const used = cpu ?? clock;
  if (used > cpuMilliseconds) {
    const what = cpu === null ? 'took' : 'used the processor for';
    const over = `${seconds(used - cpuMilliseconds)} more than the ${seconds(cpuMilliseconds)} it may`;
    return { code: 'timeout', message: `The analysis ${what} ${seconds(used)}, ${over}.` };
  }
  if (clock > clockMilliseconds) {
    const over = `${seconds(clock - clockMilliseconds)} more than the ${seconds(clockMilliseconds)} it may`;
    const idle = `it used the processor for ${seconds(used)} of that`;
    return { code: 'timeout', message: `The analysis took ${seconds(clock)}, ${over}; ${idle}.` };
  }
  return null;
}

export class TaskWatch {
  readonly #pid: number;
  readonly #limits: TaskLimits;
  readonly #onPassed: (passed: PassedLimit) => void;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  /** What the process had used for earlier tasks. */
  readonly #before: Promise<ProcessUsage | null>;
  #isOver = false;

  constructor(pid: number, limits: TaskLimits, onPassed: (passed: PassedLimit) => void) {
    this.#pid = pid;
    this.#limits = limits;
    this.#onPassed = onPassed;
    this.#before = processUsage(pid);
    this.#timer = setInterval(() => void this.#look(), watchMilliseconds);
  }

  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const [before, now] = [await this.#before, await processUsage(this.#pid)];
    if (this.#isOver) return;
    const cpu = before === null || now === null ? null : now.cpuMilliseconds - before.cpuMilliseconds;
    const passed = passedLimit(this.#limits, performance.now() - this.#began, cpu, now?.residentBytes ?? 0);
    if (passed === null) return;
    this.stop();
    this.#onPassed(passed);
  }
}
