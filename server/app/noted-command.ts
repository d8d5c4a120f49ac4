// Notes in the audit log what was done from the command line. Knows no command.
import { userInfo } from 'node:os';
import type { Store } from '../store/store.ts';

/** @param subject what it was done to; who did it is the account of the machine, which no account here need be */
export async function noteCommand(store: Pick<Store, 'transaction'>, action: string, subject: string): Promise<void> {
  const { username } = userInfo();
  await store.transaction(({ audit }) =>
    audit.insert({ username: '', address: '', action, subject: `${subject} (by ${username})`, status: 200 }),
  );
}
