// A process of its own that holds a data folder and does what its first argument says, until it is killed.
import { openStore } from '../../../server/store/store.ts';
import { newApk } from './new-apk.ts';

const [action, folder] = process.argv.slice(2) as [string, string];
const log = { info: () => undefined, warn: () => undefined };

async function* endlessBytes() {
  for (let index = 0; ; index += 1) {
    if (index === 200) process.send?.('uploading');
    yield Buffer.alloc(65_536, index);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const actions: Record<string, () => Promise<void>> = {
  async hold() {
    await openStore(folder, { log });
    process.send?.('ready');
  },
  async upload() {
    const store = await openStore(folder, { log });
    await store.files.receive(endlessBytes());
  },
  /** Takes APKs one by one and tells of each only when it is acknowledged. */
  async acknowledge() {
    const store = await openStore(folder, { log });
    for (let number = 1; ; number += 1) {
      const content = Buffer.from(`content ${number} `.repeat(5000));
      const received = await store.files.receive([content] as unknown as AsyncIterable<Uint8Array>);
      await received.commit();
      await store.apks.insert({ ...newApk(number), sha256: received.sha256, size: received.size });
      process.send?.(received.sha256);
    }
  },
};

await actions[action]!();
// Without this the process would end here and let go of the folder.
setInterval(() => undefined, 60_000);
