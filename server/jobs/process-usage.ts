// What another process occupies and has used of the processor. Knows nothing of what it does.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface ProcessUsage {
  residentBytes: number;
  /** Of all its threads, in the program and in the kernel, since it began. */
  cpuMilliseconds: number;
  /** It waits for something else than the processor. */
  isAsleep: boolean;
}

const run = promisify(execFile);
/** Linux counts memory in pages, of 4 KiB on x86 and most ARM; larger pages would make a watch stricter, never laxer. */
const pageBytes = 4096;
/** Linux counts time for programs in hundredths of a second, whatever the kernel itself counts in. */
const tickMilliseconds = 10;
/** States in which a process would not run on a free processor: it sleeps, waits for a disk, or was stopped by a signal. */
const isSleep = (state: string): boolean => /^[SDIUTt]/.test(state);

/**
 * @returns null where the process has ended, or where the system has no cheap way to ask (Windows)
 */
export async function processUsage(pid: number): Promise<ProcessUsage | null> {
  if (process.platform === 'win32') return null;
  try {
    if (process.platform === 'linux') return usageInStat(await readFile(`/proc/${pid}/stat`, 'latin1'));
    return usageInPs((await run('/bin/ps', ['-o', 'rss=,time=,state=', '-p', String(pid)])).stdout);
  } catch {
    // The process ended before it could be asked; its end is reported elsewhere.
    return null;
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the second field is a name that may hold anything. */
export function usageInStat(stat: string): ProcessUsage {
  const fromThird = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fromThird[number - 3]);
  return {
    residentBytes: field(24) * pageBytes,
    cpuMilliseconds: (field(14) + field(15)) * tickMilliseconds,
    isAsleep: isSleep(fromThird[0]!),
  };
}

/** Kibibytes, a time as `[[days-]hours:]minutes:seconds[.hundredths]`, and the state's letter. */
export function usageInPs(line: string): ProcessUsage {
  const [kibibytes = '', time = '', state = ''] = line.trim().split(/\s+/);
  const [clock = '', days = '0'] = time.split('-').reverse();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return {
    residentBytes: Number(kibibytes) * 1024,
    cpuMilliseconds: (Number(days) * 86_400 + seconds) * 1000,
    isAsleep: isSleep(state),
  };
}
