// Opens and ends sessions, and tells whose token a request carries. Knows nothing of HTTP.
import { createHash, randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { usernameSchema } from '../contract/analyst.ts';
import type { AccountRecord } from '../store/account-repository.ts';
import type { Store } from '../store/store.ts';
import { storageFaultOf } from '../store/store-errors.ts';
import type { TokenRecord } from '../store/token-repository.ts';
import { ensureAccount, generateTokenSecret } from './accounts.ts';
import { passwordWeakness } from './common-passwords.ts';
import { Failure, FieldFailure } from './failure.ts';
import { networkOf, plainAddress } from './network-address.ts';
import { hashPassword, isOneTimeHash, isPassword } from './passwords.ts';

const sessionDays = 14;
/** Whoever needs longer has made room by then. */
const rememberedDays = 1;
/** Beyond every id that a table gives. */
const firstRememberedId = 2 ** 40;
/** Tokens in use at a time that are kept in memory. */
const maxKnown = 1000;
/** Microseconds. */
const loginCodeTime = 30 * 60_000_000;
/** More links than anybody opens; the oldest give way. */
const maxLoginCodes = 100;

export interface Identification {
  account: AccountRecord;
  token: TokenRecord;
}

export interface OpenedSession {
  account: AccountRecord;
  secret: string;
  /** Microseconds since 1970 UTC. */
  expiresAt: number;
}

type AttemptNames = readonly [string, string];
const attemptNames = (address: string, name: string): AttemptNames => [
  `${networkOf(address)} ${name}`,
  networkOf(address),
];

const digest = (code: string) => createHash('sha256').update(code).digest('hex');

/** The name of the person at this machine, as far as it can be a username. */
function localUsername(): string {
  const name = userInfo().username.replace(/[^A-Za-z0-9_.-]/g, '');
  return usernameSchema.safeParse(name).success ? name : 'owner';
}

const systems: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];
const programs: readonly [RegExp, string][] = [
  [/Electron\//, 'Desktop app'],
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** What a session is listed as: `Firefox on Linux, 192.168.1.7`. @param client the User-Agent header */
function describe(client: string, address: string): string {
  const known = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(client))?.[1];
  const program =
    known(programs) ??
    (client
      .split('/')[0]!
      .replace(/[^\w .-]/g, '')
      .slice(0, 40) ||
      'Unknown client');
  const system = known(systems);
  return `${program}${system === undefined ? '' : ` on ${system}`}, ${plainAddress(address)}`;
}

export class Sessions {
  readonly #store: Store;
  /** By the code's hash: whose it is, null for an owner who has no account yet. */
  readonly #loginCodes = new Map<string, { accountId: number | null; expires: number }>();
  /** Failed attempts from one address on one username, and from one address on all. */
  readonly #byName = new RateLimiterMemory({ points: 10, duration: 300 });
  readonly #byAddress = new RateLimiterMemory({ points: 50, duration: 300 });

  /** By secret, as it was at `#knownRevision`: every request asks. */
  readonly #known = new Map<string, Identification>();
  #knownRevision = -1;
  /** Sessions that a full disk could not take, by secret: whoever logs in there can read as ever. They end with this process. */
  readonly #remembered = new Map<string, TokenRecord>();
  #nextRememberedId = firstRememberedId;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Whose token this is; null where it is unknown, revoked, lapsed, or its account is disabled. */
  async identify(secret: string): Promise<Identification | null> {
    if (!/^[0-9a-f]{40}$/.test(secret)) return null;
    const revision = this.#store.revisions.of('accounts', 'tokens');
    if (revision !== this.#knownRevision || this.#known.size >= maxKnown) {
      this.#known.clear();
      this.#knownRevision = revision;
    }
    const known = this.#known.get(secret);
    const identification = known ?? (await this.#identify(secret));
    const expiresAt = identification?.token.expiresAt ?? null;
    if (identification === null || (expiresAt !== null && expiresAt <= this.#store.clock())) return null;
    // Only where nothing was written while it was read.
    if (known === undefined && revision === this.#store.revisions.of('accounts', 'tokens'))
      this.#known.set(secret, identification);
    if (this.#remembered.has(secret)) return identification;
    await this.#store.tokens.touch(identification.token).catch((error: unknown) => {
      // On a full disk everything can be read as ever.
      if (storageFaultOf(error) === null) throw error;
    });
    return identification;
  }

  async #identify(secret: string): Promise<Identification | null> {
    const token = this.#remembered.get(secret) ?? (await this.#store.tokens.findBySecret(secret));
    if (token === null) return null;
    const account = await this.#store.accounts.findById(token.accountId);
    return account === null || account.isDisabled ? null : { account, token };
  }

  /**
   * Opens a session by username and password. A one-time password is used up by it.
   * @param address of the client: failed attempts are counted by it
   * @throws Failure `wrong-credentials`, `throttled`
   */
  async openByPassword(username: string, password: string, address: string, client = ''): Promise<OpenedSession> {
    const names = attemptNames(address, username.toLowerCase());
    await this.#countAttempt(names);
    const account = await this.#store.accounts.findByUsername(username);
    const isRight = await isPassword(password, account?.passwordHash ?? null);
    if (account === null || !isRight || account.isDisabled) throw new Failure('wrong-credentials');
    await this.#forgetAttempt(names);
    const from = describe(client, address);
    if (!isOneTimeHash(account.passwordHash)) {
      return this.#open(account, from).catch((error: unknown) => this.#remember(account, from, error));
    }
    return this.#store.transaction(async (inside) => {
      const current = await inside.accounts.findById(account.id);
      if (current?.passwordHash !== account.passwordHash) throw new Failure('wrong-credentials');
      await inside.accounts.update(account.id, { passwordHash: null });
      return this.#open(account, from, inside);
    });
  }

  /**
   * Makes a code that opens one session within half an hour, for the address that a terminal or a window shows.
   * @param account null: the owner, who gets an account with the first log-in where there is none yet
   */
  createLoginCode(account: Pick<AccountRecord, 'id'> | null): string {
    const code = randomBytes(24).toString('base64url');
    const expires = this.#store.clock() + loginCodeTime;
    this.#loginCodes.set(digest(code), { accountId: account?.id ?? null, expires });
    for (const [oldest] of this.#loginCodes) {
      if (this.#loginCodes.size <= maxLoginCodes) break;
      this.#loginCodes.delete(oldest);
    }
    return code;
  }

  /** Opens a session by the code of a login address or of an invitation. @throws Failure `wrong-login-code`, `throttled` */
  async openByCode(code: string, address: string, client = ''): Promise<OpenedSession> {
    const names = attemptNames(address, ' code');
    await this.#countAttempt(names);
    const key = digest(code);
    const shown = this.#loginCodes.get(key);
    this.#loginCodes.delete(key);
    const invited = shown === undefined ? await this.#store.invitations.use(code) : null;
    const entry = invited === null ? shown : { accountId: invited, expires: Number.POSITIVE_INFINITY };
    if (entry === undefined || entry.expires <= this.#store.clock()) throw new Failure('wrong-login-code');
    await this.#forgetAttempt(names);
    const from = describe(client, address);
    const accountIn = async ({ accounts }: Pick<Store, 'accounts'>) => {
      const account =
        entry.accountId === null
          ? ((await accounts.list({ offset: 0, limit: 1 }))[0] ?? null)
          : await accounts.findById(entry.accountId);
      if (account?.isDisabled) throw new Failure('wrong-login-code');
      return account;
    };
    const opening = this.#store.transaction(async (inside) => {
      const known = (await accountIn(inside)) ?? (await ensureAccount(inside, localUsername()));
      return this.#open(known, from, inside);
    });
    return opening.catch(async (error: unknown) => this.#remember(await accountIn(this.#store), from, error));
  }

  /** Opens a session that is kept nowhere. @throws the error where it is not for want of room, or there is no account yet */
  #remember(account: AccountRecord | null, from: string, error: unknown): OpenedSession {
    if (storageFaultOf(error) === null || account === null) throw error;
    const secret = generateTokenSecret();
    const createdAt = this.#store.clock();
    const expiresAt = createdAt + rememberedDays * 86_400_000_000;
    const id = this.#nextRememberedId++;
    const token = { id, accountId: account.id, kind: 'session', name: from, createdAt, expiresAt } as const;
    this.#remembered.set(secret, { ...token, lastUsedAt: null });
    return { account, secret, expiresAt };
  }

  #rememberedOf = (accountId: number): [secret: string, token: TokenRecord][] =>
    [...this.#remembered].filter(([, token]) => token.accountId === accountId).toReversed();

  /** @returns whether it was one that is kept nowhere */
  #forget({ id }: Pick<TokenRecord, 'id'>): boolean {
    const [secret] = [...this.#remembered].find(([, token]) => token.id === id) ?? [];
    // Who has ended it must not be known by it any longer.
    this.#known.clear();
    return secret !== undefined && this.#remembered.delete(secret);
  }

  /** The account's sessions, newest first. */
  async list(account: AccountRecord): Promise<TokenRecord[]> {
    const remembered = this.#rememberedOf(account.id).map(([, token]) => token);
    return [...remembered, ...(await this.#store.tokens.listByAccount(account.id, 'session'))];
  }

  /** Ends one session of the account. @returns whether there was such a session */
  async revoke(account: AccountRecord, id: number): Promise<boolean> {
    const sessions = await this.list(account);
    if (!sessions.some((session) => session.id === id)) return false;
    return this.#forget({ id }) || this.#store.tokens.remove(id, account.id);
  }

  async #open(
    account: AccountRecord,
    from: string,
    inside: Pick<Store, 'accounts' | 'tokens'> = this.#store,
  ): Promise<OpenedSession> {
    const secret = generateTokenSecret();
    const now = this.#store.clock();
    const expiresAt = now + sessionDays * 86_400_000_000;
    await inside.tokens.insert({ accountId: account.id, kind: 'session', name: from, secret, expiresAt });
    const changed = await inside.accounts.update(account.id, { lastLoginAt: now });
    return { account: changed ?? account, secret, expiresAt };
  }

  /** Whether what was identified earlier would be identified now. */
  async isValid({ account, token }: Identification): Promise<boolean> {
    const remembered = this.#rememberedOf(account.id).map(([, other]) => other);
    const tokens = [...remembered, ...(await this.#store.tokens.listByAccount(account.id))];
    const now = this.#store.clock();
    const isThere = tokens.some(({ id, expiresAt }) => id === token.id && (expiresAt ?? Infinity) > now);
    return isThere && (await this.#store.accounts.findById(account.id))?.isDisabled === false;
  }

  /** Ends the session that a request came with. @throws Failure where it came with a token that is no session's */
  async close({ token }: Identification): Promise<void> {
    if (token.kind !== 'session') throw new Failure('not-allowed');
    if (!this.#forget(token)) await this.#store.tokens.remove(token.id, token.accountId);
  }

  /**
   * Sets an account's password and ends its other sessions.
   * @throws FieldFailure where the current password is wrong or missing, or the new one is easy to guess
   */
  async setPassword(
    { account, token }: Identification,
    password: string,
    current: string | undefined,
    address: string,
  ): Promise<AccountRecord> {
    if (account.passwordHash !== null) {
      if (current === undefined) throw new FieldFailure({ current_password: ['This field is required.'] });
      const names = attemptNames(address, account.username.toLowerCase());
      await this.#countAttempt(names);
      if (!(await isPassword(current, account.passwordHash))) {
        throw new FieldFailure({ current_password: ['This is not the current password.'] });
      }
      await this.#forgetAttempt(names);
    }
    const weakness = passwordWeakness(password, [account.username]);
    if (weakness !== null) throw new FieldFailure({ password: [weakness] });
    const passwordHash = await hashPassword(password);
    for (const [, other] of this.#rememberedOf(account.id)) if (other.id !== token.id) this.#forget(other);
    return this.#store.transaction(async (inside) => {
      for (const other of await inside.tokens.listByAccount(account.id, 'session')) {
        if (other.id !== token.id) await inside.tokens.remove(other.id, account.id);
      }
      return (await inside.accounts.update(account.id, { passwordHash })) ?? account;
    });
  }

  /** Before the answer is known: of a thousand attempts sent at once no more are looked at than of as many in a row. */
  async #countAttempt([byName, byAddress]: AttemptNames): Promise<void> {
    try {
      await this.#byName.consume(byName);
      await this.#byAddress.consume(byAddress);
    } catch (state) {
      // At its limit the limiter rejects with its state.
      if (!(state instanceof RateLimiterRes)) throw state;
      const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
      throw new Failure('throttled', { seconds }, seconds);
    }
  }

  /** One that was right is no attempt to guess. */
  async #forgetAttempt([byName, byAddress]: AttemptNames): Promise<void> {
    await this.#byName.delete(byName);
    await this.#byAddress.reward(byAddress, 1);
  }
}
