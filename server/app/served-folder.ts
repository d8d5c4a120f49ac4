// The server of a data folder, asked as its owner, for commands of this machine. Knows no operation.
import { DataFolderError } from '../store/store-errors.ts';
import { quietLog } from './log.ts';
import { openOwnerSession } from './owner-session.ts';
import { readServerAddress } from './server-address.ts';

interface ServedFolder {
  /** @param address behind the server's, `/collections/` @throws Error with the reason of a refusal */
  ask<T>(method: string, address: string, body?: object): Promise<T>;
  /** Ends the session, and the server where it was started for it. */
  close(): Promise<void>;
}

/** Asks the server of a data folder, which is started here where none runs. */
export async function openServedFolder(dataDir: string): Promise<ServedFolder> {
  const server = await serverOf(dataDir);
  const session = await openOwnerSession(dataDir);
  return {
    async ask<T>(method: string, address: string, body?: object): Promise<T> {
      const headers = { authorization: `Token ${session.secret}`, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${server.url}${address}`, { method, headers, ...sent });
      const answer: unknown = await response.json();
      if (!response.ok) throw new Error(reasonOf(answer as object));
      return answer as T;
    },
    async close() {
      await session.close();
      await server.close();
    },
  };
}

async function serverOf(dataDir: string): Promise<{ url: string; close(): Promise<void> }> {
  const { startServer } = await import('./server.ts');
  try {
    return await startServer({ dataDir, log: quietLog });
  } catch (error) {
    const url = readServerAddress(dataDir);
    if (!(error instanceof DataFolderError && error.code === 'in-use') || url === null) throw error;
    return { url, close: async () => undefined };
  }
}

/** Of a refusal: its detail, or what is wrong with the first field. */
function reasonOf(answer: object): string {
  const [first] = Object.values(answer) as (string | string[] | undefined)[];
  return [first ?? 'The workstation refuses it.'].flat().join(' ');
}
