// The processor time of a piece of work, which other work on a busy machine does not change. Knows no work.

/** Milliseconds that this thread has run for so far. */
export function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
