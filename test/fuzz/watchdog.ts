// A thread that ends its process where one input takes far too much time or memory: the process itself can't.
import { writeFileSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Beyond the heap's own limit, which buffers don't count for. */
const maxResidentBytes = 1.5 * 2 ** 30;
const interval = 100;

interface Watch {
  /** How many inputs there were, and how many milliseconds of CPU the last may take. */
  shared: SharedArrayBuffer;
  reasonPath: string;
}

/** Starts the watch. @returns a function that tells it of each input, and of how many milliseconds of CPU it may take */
export function watch(reasonPath: string): (maxCpuTime: number) => void {
  const shared = new SharedArrayBuffer(8);
  const numbers = new Int32Array(shared);
  // Loading is no input.
  numbers[1] = 2 ** 31 - 1;
  const worker = new Worker(import.meta.filename, { workerData: { shared, reasonPath } satisfies Watch, execArgv: [] });
  worker.unref();
  return (maxCpuTime) => {
    numbers[1] = maxCpuTime;
    numbers[0]!++;
  };
}

function guard({ shared, reasonPath }: Watch): void {
  const numbers = new Int32Array(shared);
  let last = -1;
  let begin = process.cpuUsage();
  setInterval(() => {
    if (numbers[0] !== last) {
      last = numbers[0]!;
      begin = process.cpuUsage();
    }
    const { user, system } = process.cpuUsage(begin);
    if ((user + system) / 1000 > numbers[1]!) end(reasonPath, `hangs: more than ${numbers[1]} ms of CPU`);
    const resident = process.memoryUsage.rss();
    if (resident > maxResidentBytes) end(reasonPath, `takes ${Math.round(resident / 2 ** 20)} MB of memory`);
  }, interval);
}

function end(path: string, reason: string): void {
  writeFileSync(path, reason);
  process.kill(process.pid, 'SIGKILL');
}

if (!isMainThread) guard(workerData as Watch);
