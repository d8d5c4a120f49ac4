// Invites teammates by a link that opens an account once. Knows nothing of addresses.
import { randomBytes } from 'node:crypto';
import type { InvitationRecord } from '../../store/repositories/people/invitation-repository.ts';
import type { Store } from '../../store/store.ts';
import { FieldFailure } from '../failure.ts';
import { type AccountRecord, ensureAccount } from './accounts.ts';

export type { InvitationRecord };

const hourMicroseconds = 3_600_000_000;
const defaultHours = 7 * 24;

export class Invitations {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Invites somebody; the account is made where there is none of this name, and older invitations of it end.
   * @returns the code of the link, which is stored nowhere
   * @throws FieldFailure for a disabled account and for the owner's
   */
  create(
    username: string,
    group: string | undefined,
    hours = defaultHours,
  ): Promise<{ invitation: InvitationRecord; account: AccountRecord; code: string }> {
    const code = randomBytes(24).toString('base64url');
    return this.#store.transaction(async (inside) => {
      const account = await ensureAccount(inside, username, group);
      if (account.isDisabled) throw new FieldFailure({ username: ['This account is disabled.'] });
      if (account.role === 'owner') throw new FieldFailure({ username: ['The owner needs no invitation.'] });
      await inside.invitations.removeByAccount(account.id);
      const expiresAt = this.#store.clock() + hours * hourMicroseconds;
      return { code, account, invitation: await inside.invitations.insert(account.id, code, expiresAt) };
    });
  }

  /** Invitations, newest first. */
  list = (): Promise<InvitationRecord[]> => this.#store.invitations.list();

  /** @returns whether it was there */
  revoke = (id: number): Promise<boolean> => this.#store.transaction(({ invitations }) => invitations.remove(id));
}
