// The processor's time of a run: what else a busy machine does is neither the app's fault nor its loss. Knows no machine.

/** Milliseconds that this thread has run for so far. */
export function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
