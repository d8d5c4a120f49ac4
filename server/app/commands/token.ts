// `token create`: a new access token, made directly in the data folder, also while a server holds it.
import { createTokenFor } from '../../services/people/accounts.ts';
import { openStore } from '../../store/store.ts';
import { dataFolder } from '../data-folder.ts';
import { quietLog } from '../log.ts';
import { noteCommand } from '../noted-command.ts';

/**
 * Makes the account if needed and a token for it.
 * @returns the bare secret, 40 hex digits
 */
export async function createToken(options: { user: string; group?: string; dataDir?: string }): Promise<string> {
  const store = await openStore(dataFolder(options.dataDir), { log: quietLog, exclusive: false });
  try {
    const secret = await createTokenFor(store, options.user, options.group);
    await noteCommand(store, 'token create', options.user);
    return secret;
  } finally {
    await store.close();
  }
}
