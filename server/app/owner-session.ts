// A session of the owner's with the server that holds a data folder, for commands of this machine. Knows no operation.
import { Sessions } from '../services/people/sessions.ts';
import { openStore } from '../store/store.ts';
import { quietLog } from './log.ts';

export interface OwnerSession {
  /** Of its token. */
  secret: string;
  /** Ends the session. */
  close(): Promise<void>;
}

/** Whoever may read a data folder is its owner: no password is asked. */
export async function openOwnerSession(dataDir: string): Promise<OwnerSession> {
  const store = await openStore(dataDir, { log: quietLog, exclusive: false });
  const sessions = new Sessions(store);
  const { secret } = await sessions.openByCode(sessions.createLoginCode(null), { address: 'command line' });
  return {
    secret,
    async close() {
      const identification = await sessions.identify(secret);
      if (identification !== null) await sessions.close(identification);
      await store.close();
    },
  };
}
