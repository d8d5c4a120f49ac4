// `account`: ways back in for somebody who lost a password or a second factor, made directly in the data folder.
import { resetPassword, resetSecondFactor } from '../../services/people/accounts.ts';
import { openStore } from '../../store/store.ts';
import { dataFolder } from '../data-folder.ts';
import { quietLog } from '../log.ts';

/**
 * Gives an account a one-time password and ends its sessions, also while a server runs; tokens of programs stay.
 * @returns the password, which opens one session
 * @throws where there is no such account
 */
export async function resetAccountPassword(username: string, options: { dataDir?: string }): Promise<string> {
  const store = await openStore(dataFolder(options.dataDir), { log: quietLog, exclusive: false });
  try {
    return await resetPassword(store, username);
  } finally {
    await store.close();
  }
}

/**
 * Takes the second factor of an account away, also while a server runs.
 * @throws where there is no such account, or it has none
 */
export async function resetAccountSecondFactor(username: string, options: { dataDir?: string }): Promise<void> {
  const store = await openStore(dataFolder(options.dataDir), { log: quietLog, exclusive: false });
  try {
    await resetSecondFactor(store, username);
  } finally {
    await store.close();
  }
}
