// Accounts: making them, changing them, disabling them. Knows nothing of HTTP; who may do it is in policies.
import { createHash, randomBytes } from 'node:crypto';
import { type ApiGroup, apiGroups, usernameSchema } from '../../contract/people/analyst.ts';
import { exactSize } from '../../contract/quantity.ts';
import type { AccountChanges, AccountRecord, Avatar } from '../../store/repositories/people/account-repository.ts';
import type { TokenRecord } from '../../store/repositories/people/token-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import { DuplicateError } from '../../store/store-errors.ts';
import { Failure, FieldFailure } from '../failure.ts';
import { avatarImageOf, maxAvatarBytes, maxAvatarSide } from './avatar-image.ts';
import { generatePassword, hashOneTimePassword, type PasswordCost, passwordCost } from './passwords.ts';

export type { AccountChanges, AccountRecord, TokenRecord };

/** 40 hex digits, as clients of the original expect a token. */
export const generateTokenSecret = (): string => randomBytes(20).toString('hex');

function checkedGroup(group: string | undefined, fallback: ApiGroup): ApiGroup {
  const known = apiGroups.find((name) => name === (group ?? fallback));
  if (known === undefined) throw new FieldFailure({ apiGroup: [`One of ${apiGroups.join(', ')}.`] });
  return known;
}

/** The account of this name, made where it does not exist: the first of an installation is its owner. */
export async function ensureAccount(inside: Writes, username: string, group?: string): Promise<AccountRecord> {
  const known = await inside.accounts.findByUsername(username);
  if (known !== null) {
    if (group === undefined || group === known.apiGroup) return known;
    return (await inside.accounts.update(known.id, { apiGroup: checkedGroup(group, 'basic') })) ?? known;
  }
  const checked = usernameSchema.safeParse(username);
  if (!checked.success) throw new FieldFailure({ username: checked.error.issues.map(({ message }) => message) });
  const isFirst = (await inside.accounts.count()) === 0;
  return inside.accounts.insert({
    username,
    role: isFirst ? 'owner' : 'analyst',
    apiGroup: checkedGroup(group, isFirst ? 'workstation' : 'basic'),
  });
}

/**
 * Makes an API token, with its account where that is needed. A server may run on the same data folder meanwhile.
 * @param group the account's API group from now on; unchanged (or the default of a new account) where it is absent
 * @returns the secret, which is stored nowhere
 * @throws FieldFailure where the username or the group cannot be taken
 */
export async function createTokenFor(store: Store, username: string, group?: string): Promise<string> {
  const secret = generateTokenSecret();
  await store.transaction(async (inside) => {
    const { id: accountId } = await ensureAccount(inside, username, group);
    await inside.tokens.insert({ accountId, kind: 'api', name: 'command line', secret });
  });
  return secret;
}

/** How many names a message holds that says which accounts there are. */
const namedAccounts = 20;

/** The account of this name. @throws Error where there is none, which names those that there are */
async function namedAccount({ accounts }: Pick<Store, 'accounts'>, username: string): Promise<AccountRecord> {
  const account = await accounts.findByUsername(username);
  if (account !== null) return account;
  const known = await accounts.list({ offset: 0, limit: namedAccounts });
  const more = (await accounts.count()) - known.length;
  const names = [...known.map((one) => one.username), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const others = names === '' ? 'There are no accounts yet.' : `There are: ${names}.`;
  throw new Error(`There is no account ${username}. ${others}`);
}

/** Gives an account a one-time password in place of its own, and ends its sessions. @returns the password */
async function setOneTimePassword(store: Store, id: number, cost: PasswordCost): Promise<string> {
  const password = generatePassword();
  const passwordHash = await hashOneTimePassword(password, store.clock(), cost);
  await store.transaction(async ({ tokens, accounts }) => {
    for (const session of await tokens.listByAccount(id, 'session')) await tokens.remove(session.id, id);
    await accounts.update(id, { passwordHash });
  });
  return password;
}

/**
 * Gives an account a one-time password, good for seven days, and ends its sessions. A server may run on the same data folder meanwhile.
 * @returns the password, which is stored nowhere
 * @throws Error where there is no such account, or it is disabled
 */
export async function resetPassword(store: Store, username: string): Promise<string> {
  const account = await namedAccount(store, username);
  if (account.isDisabled) throw new Error(`The account ${username} is disabled; its owner enables it first.`);
  const password = await setOneTimePassword(store, account.id, passwordCost);
  await store.transaction(async (inside) => {
    const record = { username: account.username, address: '', action: 'account reset-password', subject: username };
    await inside.audit.insert({ ...record, status: 200 });
  });
  return password;
}

/**
 * Takes the second factor of an account away, for somebody who lost it. A server may run on the same data folder meanwhile.
 * @throws Error where there is no such account, or it has none
 */
export async function resetSecondFactor(store: Store, username: string): Promise<void> {
  await store.transaction(async (inside) => {
    const account = await namedAccount(inside, username);
    if (!(await inside.secondFactors.remove(account.id))) throw new Error(`${username} has no second factor.`);
    const record = {
      username: account.username,
      address: '',
      action: 'account reset-second-factor',
      subject: username,
    };
    await inside.audit.insert({ ...record, status: 200 });
  });
}

const takenName = () => new FieldFailure({ username: ['A user with that username already exists.'] });

export class Accounts {
  readonly #store: Store;
  readonly #passwordCost: PasswordCost;

  constructor(store: Store, cost = passwordCost) {
    this.#store = store;
    this.#passwordCost = cost;
  }

  /** The account of this name in any case, null where there is none. */
  find = (username: string): Promise<AccountRecord | null> => this.#store.accounts.findByUsername(username);

  /** @throws Failure `not-found` */
  async get(username: string): Promise<AccountRecord> {
    const account = await this.find(username);
    if (account === null) throw new Failure('not-found');
    return account;
  }

  /** Those of these accounts that exist, by id. */
  findByIds = (ids: readonly number[]): Promise<Map<number, AccountRecord>> => this.#store.accounts.findByIds(ids);

  /** How many accounts there are. */
  count = (): Promise<number> => this.#store.accounts.count();

  /** Accounts in the order of creation. */
  list = (offset: number, limit: number): Promise<AccountRecord[]> => this.#store.accounts.list({ offset, limit });

  /**
   * Makes an analyst's account with a password that opens one session within seven days.
   * @throws FieldFailure where the username is taken
   */
  async createAnalyst(fields: {
    username: string;
    firstName?: string | undefined;
    lastName?: string | undefined;
    apiGroup?: string | undefined;
  }): Promise<{ account: AccountRecord; oneTimePassword: string }> {
    const oneTimePassword = generatePassword();
    const passwordHash = await hashOneTimePassword(oneTimePassword, this.#store.clock(), this.#passwordCost);
    try {
      const account = await this.#store.transaction(({ accounts }) =>
        accounts.insert({
          username: fields.username,
          firstName: fields.firstName ?? '',
          lastName: fields.lastName ?? '',
          role: 'analyst',
          apiGroup: checkedGroup(fields.apiGroup, 'basic'),
          passwordHash,
        }),
      );
      return { account, oneTimePassword };
    } catch (error) {
      throw error instanceof DuplicateError ? takenName() : error;
    }
  }

  /**
   * Shows a picture beside the name of an analyst.
   * @param field the name of the field that is at fault where it is none
   * @throws FieldFailure
   */
  async setAvatar(account: AccountRecord, content: Buffer, field: string): Promise<AccountRecord> {
    if (content.length > maxAvatarBytes) {
      throw new FieldFailure({ [field]: [`The picture is larger than the limit of ${exactSize(maxAvatarBytes)}.`] });
    }
    const image = avatarImageOf(content);
    if (image === null) {
      const wanted = `A PNG, JPEG, GIF or WebP picture of at most ${maxAvatarSide} by ${maxAvatarSide} pixels is required.`;
      throw new FieldFailure({ [field]: [wanted] });
    }
    const sha256 = createHash('sha256').update(content).digest('hex');
    await this.#store.transaction(({ accounts }) =>
      accounts.setAvatar(account.id, { mediaType: image.mediaType, content, sha256 }),
    );
    return (await this.#store.accounts.findById(account.id)) ?? account;
  }

  /** Shows no picture of its own beside the name any more. @returns the account as it is now */
  async removeAvatar(account: AccountRecord): Promise<AccountRecord> {
    await this.#store.transaction(({ accounts }) => accounts.setAvatar(account.id, null));
    return (await this.#store.accounts.findById(account.id)) ?? account;
  }

  /** The picture beside the name, null where the account has none. */
  avatar = (account: AccountRecord): Promise<Avatar | null> => this.#store.accounts.avatar(account.id);

  /** Changes an account. Disabling it revokes its tokens. @throws FieldFailure where an owner would be locked out */
  async update(account: AccountRecord, changes: AccountChanges): Promise<AccountRecord> {
    const role = changes.role ?? account.role;
    if (changes.isDisabled === true && role === 'owner') {
      throw new FieldFailure({ isDisabled: ['The owner cannot be disabled.'] });
    }
    if (role === 'owner' && account.isDisabled && changes.isDisabled !== false) {
      throw new FieldFailure({ role: ['Enable the account first.'] });
    }
    return this.#store.transaction(async (inside) => {
      if (account.role === 'owner' && role !== 'owner' && (await inside.accounts.owners()).length === 1) {
        throw new FieldFailure({ role: ['The workstation needs an owner: make somebody else one first.'] });
      }
      const changed = await inside.accounts.update(account.id, changes);
      if (changes.isDisabled === true) await inside.tokens.removeByAccount(account.id);
      return changed ?? account;
    });
  }

  /**
   * Gives an account another name. What it wrote stays its own; mentions of the former name lead nowhere.
   * @throws FieldFailure where the name is taken
   */
  async rename(account: AccountRecord, username: string): Promise<AccountRecord> {
    try {
      return await this.update(account, { username });
    } catch (error) {
      throw error instanceof DuplicateError ? takenName() : error;
    }
  }

  /**
   * Gives an account a one-time password, good for seven days, and ends its sessions.
   * @returns the password, which is stored nowhere
   * @throws FieldFailure where the account is disabled
   */
  async resetPassword(account: AccountRecord): Promise<string> {
    if (account.isDisabled) throw new FieldFailure({ username: ['The account is disabled: enable it first.'] });
    return setOneTimePassword(this.#store, account.id, this.#passwordCost);
  }

  /** The account's API tokens, newest first; sessions are none. */
  tokens = (account: AccountRecord): Promise<TokenRecord[]> => this.#store.tokens.listByAccount(account.id, 'api');

  /** Makes an API token. @returns its secret too, which is shown this once */
  async createToken(account: AccountRecord, name: string): Promise<{ record: TokenRecord; secret: string }> {
    const secret = generateTokenSecret();
    return {
      secret,
      record: await this.#store.transaction(({ tokens }) =>
        tokens.insert({ accountId: account.id, kind: 'api', name, secret }),
      ),
    };
  }

  /** @returns whether there was such a token of this account */
  async revokeToken(account: AccountRecord, id: number): Promise<boolean> {
    const tokens = await this.tokens(account);
    return (
      tokens.some((token) => token.id === id) && this.#store.transaction(({ tokens }) => tokens.remove(id, account.id))
    );
  }
}
