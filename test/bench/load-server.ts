// The server that `load.ts` puts under load, in a process of its own that tells how long its event loop was held up.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startServer } from '../../server/app/server.ts';
import { createTokenFor } from '../../server/services/accounts.ts';

export interface LoadServerMessage {
  url: string;
  token: string;
}
export interface DelayMessage {
  /** Milliseconds. */
  longest: number;
  p99: number;
  cpu: number;
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
  const { user, system } = process.cpuUsage();
  // The timer that measures wakes 2 ms late at best.
  const told = { longest: delay.max / 1e6 - 2, p99: delay.percentile(99) / 1e6 - 2, cpu: (user + system) / 1e6 };
  delay.reset();
  process.send?.(told satisfies DelayMessage);
});
