// The server that `load.ts` puts under load, in a process of its own that tells how long its event loop was held up.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startServer } from '../../server/app/server.ts';
import { createTokenFor } from '../../server/services/people/accounts.ts';

export interface LoadServerMessage {
  url: string;
  token: string;
}
export interface DelayMessage {
  /** Milliseconds. */
  longest: number;
  p99: number;
  /** Seconds of all threads, and of the one that answers. */
  cpu: number;
  mainCpu: number;
}

const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
const server = await startServer({ dataDir: process.argv[2]!, log: quiet });
const token = await createTokenFor(server.store, 'owner');
const delay = monitorEventLoopDelay({ resolution: 2 });
delay.enable();
process.send?.({ url: server.url, token } satisfies LoadServerMessage);
process.on('message', (message) => {
  if (message === 'end') {
    void server.close().then(() => process.exit());
    return;
  }
  const seconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;
  // The timer that measures wakes 2 ms late at best.
  const [longest, p99] = [delay.max / 1e6 - 2, delay.percentile(99) / 1e6 - 2];
  delay.reset();
  const [cpu, mainCpu] = [seconds(process.cpuUsage()), seconds(process.threadCpuUsage())];
  process.send?.({ longest, p99, cpu, mainCpu } satisfies DelayMessage);
});
