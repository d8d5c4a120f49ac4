// Brings files into the catalogue of a data folder, by its running server or, where none runs, directly.
import { Readable } from 'node:stream';
import type { Apk } from '../contract/catalogue/apk.ts';
import { passwordsToTry } from '../contract/catalogue/archive-signatures.ts';
import { fileNameOf } from '../contract/catalogue/file-name.ts';
import type { Settings } from '../contract/workstation/settings.ts';
import { createJobQueue } from '../jobs/job-queue.ts';
import { machineWall } from '../jobs/wall/wall.ts';
import { createWorkerPool } from '../jobs/worker-pool.ts';
import { Isolation } from '../services/analyses/isolation.ts';
import { type Carrier, CarrierError, type Company } from '../services/collections/brought-file.ts';
import { storageFailureOf } from '../services/failure.ts';
import { createServices } from '../services/services.ts';
import { readSetting } from '../services/settings.ts';
import { openStore } from '../store/store.ts';
import { DataFolderError } from '../store/store-errors.ts';
import { quietLog } from './log.ts';
import { openOwnerSession } from './owner-session.ts';
import { readServerAddress } from './server-address.ts';

/** Whether a server refuses any file: it has no room, it is ending, the session is over. */
const refusesAll = ({ status, headers }: Response): boolean =>
  status === 507 || status === 401 || (status === 503 && !headers.has('retry-after'));

export interface Courier extends Carrier {
  /** Files that may be on their way at a time. */
  readonly capacity: number;
  /** Tags an APK of the catalogue. */
  tag(sha256: string, names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const stopped = (reason: string) =>
  new CarrierError(`${reason} The import has stopped; started again, it skips what it has taken.`);

/**
 * @param passwords of locked archives, tried before those of the settings
 * @throws DataFolderError where another command holds the folder, or it cannot be used
 */
export async function openCourier(dataDir: string, passwords: readonly string[] = []): Promise<Courier> {
  const courier = await openAnyCourier(dataDir);
  const known = [...new Set([...passwords, ...(await courier.passwords())])];
  return { ...courier, passwords: async () => known };
}

async function openAnyCourier(dataDir: string): Promise<Courier> {
  try {
    return await openDirectCourier(dataDir);
  } catch (error) {
    const url = readServerAddress(dataDir);
    if (!(error instanceof DataFolderError && error.code === 'in-use') || url === null) throw error;
    return openServerCourier(dataDir, url);
  }
}

/** Works on the data folder itself. The analyses wait in the queue for the next server. */
async function openDirectCourier(dataDir: string): Promise<Courier> {
  const store = await openStore(dataDir, { log: quietLog });
  const queue = createJobQueue(store);
  const wall = machineWall();
  const isolation = new Isolation(store, wall, quietLog);
  const refusal = () => isolation.refusal();
  const pool = createWorkerPool({ readableFolders: [store.files.folder], wall, refusal });
  const { catalogue, intake } = await createServices({ store, queue, pool, isolation, workers: 1, log: quietLog });
  const owner = (await store.accounts.owners())[0] ?? null;
  return {
    capacity: 2,
    maxBytes: await intake.maxBytes(),
    passwords: async () => passwordsToTry(await readSetting(store, 'archive_passwords')),
    async holds(sha256, name) {
      const apk = (await catalogue.holds(sha256)) ? await store.apks.findBySha256(sha256) : null;
      return apk?.fileNames.includes(fileNameOf(name)) === true;
    },
    async deliver(bytes, name, company) {
      try {
        const options = { uploader: owner, name, priority: 'import', ...company } as const;
        const { apk, created } = await intake.receiveApk(bytes, options);
        return { outcome: created ? 'added' : 'held', sha256: apk.sha256 };
      } catch (error) {
        const fault = storageFailureOf(error);
        if (fault !== null) throw stopped(fault.message);
        return { outcome: 'refused', reason: (error as Error).message };
      }
    },
    async tag(sha256, names) {
      await catalogue.addTags(await catalogue.get(sha256), names);
    },
    async close() {
      await pool.close();
      await store.close();
    },
  };
}

/** Hands the files to the server that holds the data folder, in a session of the owner's. */
async function openServerCourier(dataDir: string, url: string): Promise<Courier> {
  const { secret, close } = await openOwnerSession(dataDir);
  /** @throws CarrierError where the server does not answer, or takes nothing; the error of the body where that fails */
  const ask = async (path: string, body?: Readable | string): Promise<Response> => {
    const upload = { method: 'POST', body: body as unknown as BodyInit, duplex: 'half' };
    const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream';
    const headers = { authorization: `Token ${secret}`, 'content-type': type };
    const response = await fetch(`${url}${path}`, { ...(body && upload), headers }).catch((error: Error) => {
      if (body instanceof Readable && body.errored) throw body.errored;
      const { message } = (error.cause as Error | undefined) ?? error;
      throw stopped(`The server does not answer (${message}).`);
    });
    if (!refusesAll(response)) return response;
    throw stopped(((await response.json()) as { detail: string }).detail);
  };
  return {
    capacity: 2,
    maxBytes: Number.MAX_SAFE_INTEGER,
    async passwords() {
      const settings = (await (await ask('/settings/')).json()) as Pick<Settings, 'archive_passwords'>;
      return passwordsToTry(settings.archive_passwords);
    },
    async holds(sha256, name) {
      const response = await ask(`/apks/${sha256}/`);
      const apk = (await response.json()) as Apk;
      return response.status === 200 && apk.workstation.file_names.includes(fileNameOf(name));
    },
    async deliver(bytes, name, { partOf = [], container }: Partial<Company> = {}) {
      const query = new URLSearchParams({ name });
      if (partOf.length > 0) query.set('part_of', partOf.join());
      if (container !== undefined) {
        query.set('container', container.sha256);
        query.set('container_name', container.name);
      }
      const response = await ask(`/uploads/?${query}`, Readable.from(bytes));
      const answer = (await response.json()) as { sha256: string; detail: string };
      if (!response.ok) return { outcome: 'refused', reason: answer.detail };
      return { outcome: response.status === 201 ? 'added' : 'held', sha256: answer.sha256 };
    },
    async tag(sha256, names) {
      for (const name of names) await ask(`/apks/${sha256}/tags/`, JSON.stringify({ name }));
    },
    close,
  };
}
