// A process that holds a data folder as if it ran on another machine, whose locks nobody else sees.
import { openStore } from '../../../server/store/store.ts';

const folder = process.argv[2]!;
const log = { info: () => undefined, warn: () => undefined };
const lock = { machine: { host: 'far-away', boot: 'another boot' }, lockName: 'lock-far-away.db' };
const store = await openStore(folder, { log, lock });
await store.transaction(({ settings }) => settings.write('written', 'before'));
process.on('message', async () => {
  // Stands still here for as long as the test likes, and goes on as if nothing had been.
  process.kill(process.pid, 'SIGSTOP');
  const writing = store.transaction(({ settings }) => settings.write('written', 'after'));
  const deciding = store.transaction((inside) => inside.settings.write('decided', 'after'));
  await Promise.allSettled([writing, deciding]);
  process.send?.('still there');
});
process.send?.('ready');
setInterval(() => undefined, 60_000);
