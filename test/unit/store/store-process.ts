// A process of its own that holds a data folder and does what its first argument says, until it is killed.
import type { ReceivedFile } from '../../../server/store/files/file-store.ts';
import { openStore, type Store } from '../../../server/store/store.ts';
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

async function place(store: Store, number: number) {
  const content = Buffer.from(`content ${number} `.repeat(5000));
  const received = await store.files.receive([content] as unknown as AsyncIterable<Uint8Array>);
  await received.commit();
  return received;
}

async function insert(store: Store, number: number, { sha256, size }: ReceivedFile) {
  return store.transaction(({ apks }) => apks.insert({ ...newApk(number), sha256, size }));
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
      const received = await place(store, number);
      await insert(store, number, received);
      process.send?.(received.sha256);
    }
  },
  /** Stops between a file and its record, and after another has both. */
  async placed() {
    const store = await openStore(folder, { log });
    const [gone, held] = [await place(store, 1), await place(store, 2)];
    await insert(store, 2, held);
    process.send?.({ gone: gone.sha256, held: held.sha256 });
  },
  /** Stops between the deletion of a record and that of its file, and before another's. */
  async forgotten() {
    const store = await openStore(folder, { log });
    const [gone, held] = [await place(store, 1), await place(store, 2)];
    const { id } = await insert(store, 1, gone);
    await insert(store, 2, held);
    await Promise.all([gone.discard(), held.discard()]);
    const stopped = () => new Promise<never>(() => undefined);
    void store.files.removeWith(held.sha256, stopped);
    void store.files.removeWith(gone.sha256, async () => {
      await store.transaction(({ apks }) => apks.remove(id));
      process.send?.({ gone: gone.sha256, held: held.sha256 });
      await stopped();
    });
  },
};

await actions[action]!();
// Without this the process would end here and let go of the folder.
setInterval(() => undefined, 60_000);
