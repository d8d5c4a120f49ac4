// Notices that npm has ended: it ends its shell on a signal, and the shell leaves what it started running. Knows no server.

const interval = 1_000;

/**
 * Calls `end` once npm, which runs this process as a script, is gone. Does nothing where npm runs nothing.
 * @param {() => void} end
 */
export function whenNpmEnds(end) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, interval);
  timer.unref();
}
