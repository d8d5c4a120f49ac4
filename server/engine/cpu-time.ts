// The processor's time of a piece of work: what else a busy machine does is neither its fault nor its loss. Knows no work.

/** Milliseconds that this thread has run for so far. */
export function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
