// The processor time of a piece of work, which other work on a busy machine does not change. Knows no work.

/** Milliseconds that this thread has run for so far. */
export function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const lately = { clock: Number.NEGATIVE_INFINITY, cpu: 0 };

/** The same, at most a millisecond behind, for who asks so often that asking costs: no thread runs longer than the clock. */
export function roughCpuMilliseconds(): number {
  const clock = performance.now();
  if (clock - lately.clock >= 1) {
    lately.cpu = cpuMilliseconds();
    lately.clock = clock;
  }
  return lately.cpu;
}
