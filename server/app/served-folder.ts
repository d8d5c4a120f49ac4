// The server of a data folder, for commands that ask it. Knows no operation.
import { DataFolderError } from '../store/store-errors.ts';
import { quietLog } from './log.ts';
import { readServerAddress } from './server-address.ts';

/** The server of a data folder, started here where none runs; `close` ends it then. */
export async function serverOf(dataDir: string): Promise<{ url: string; close(): Promise<void> }> {
  const { startServer } = await import('./server.ts');
  try {
    return await startServer({ dataDir, log: quietLog });
  } catch (error) {
    const url = readServerAddress(dataDir);
    if (!(error instanceof DataFolderError && error.code === 'in-use') || url === null) throw error;
    return { url, close: async () => undefined };
  }
}
