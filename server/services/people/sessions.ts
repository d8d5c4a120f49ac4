// Opens and ends sessions, and tells whose token a request carries. Knows nothing of HTTP.
import { createHash, randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { usernameSchema } from '../../contract/people/analyst.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { TokenRecord } from '../../store/repositories/people/token-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import { storageFaultOf } from '../../store/store-errors.ts';
import { Failure, FieldFailure } from '../failure.ts';
import { readSetting } from '../settings.ts';
import { networkOf } from '../sharing/network-address.ts';
import { ensureAccount, generateTokenSecret } from './accounts.ts';
import { describeClient } from './client-description.ts';
import { passwordWeakness } from './common-passwords.ts';
import { Guesses } from './guesses.ts';
import { hashPassword, isLapsedHash, isOneTimeHash, isPassword, type PasswordCost, passwordCost } from './passwords.ts';
import { SecondFactors } from './second-factors.ts';

/** How long a session lasts that a full disk could not store: by then there should be room again. */
const rememberedDays = 1;
const dayMicroseconds = 86_400_000_000;
/** Ids of such sessions begin here, above all ids of the table. */
const firstRememberedId = 2 ** 40;
/** Tokens in use at a time that are kept in memory. */
const maxKnown = 1000;
/** Microseconds. */
const loginCodeTime = 30 * 60_000_000;
/** Login links that are open at a time; the oldest end first. */
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

/** How long sessions live, in microseconds. */
interface Lives {
  /** Without being used; infinite where the owner has set no such end. */
  idle: number;
  whole: number;
}

/** What else somebody shows who logs in, and from what. */
export interface LoginDetails {
  /** Of the connection, or as a believed proxy tells it: wrong guesses are counted by it. */
  address: string;
  /** The User-Agent header. */
  client?: string | undefined;
  /** A code of the second factor. */
  secondFactor?: string | undefined;
}

/** @throws Failure `throttled` */
async function countIn(limiter: RateLimiterMemory, address: string): Promise<void> {
  try {
    await limiter.consume(networkOf(address));
  } catch (state) {
    // When the limit is reached, the limiter rejects with its state instead of an error.
    if (!(state instanceof RateLimiterRes)) throw state;
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    throw new Failure('throttled', { seconds }, seconds);
  }
}

const digest = (code: string) => createHash('sha256').update(code).digest('hex');

/** The name of the person at this machine, as far as it can be a username. */
function localUsername(): string {
  const name = userInfo().username.replace(/[^A-Za-z0-9_.-]/g, '');
  return usernameSchema.safeParse(name).success ? name : 'owner';
}

export class Sessions {
  readonly #store: Store;
  /** By the code's hash: whose it is, null for an owner who has no account yet. */
  readonly #loginCodes = new Map<string, { accountId: number | null; expires: number; madeAt: number }>();
  /** Attempts from one address, whatever is guessed at; and at the codes of links, which are not to be guessed. */
  readonly #byAddress = new RateLimiterMemory({ points: 50, duration: 300 });
  readonly #codesByAddress = new RateLimiterMemory({ points: 10, duration: 300 });
  readonly #guesses: Guesses;
  readonly #secondFactors: SecondFactors;
  #lives: Promise<Lives> | undefined;
  /** When sessions were last used, by id: the table hears of it once a minute, and not from a full disk. */
  readonly #usedAt = new Map<number, number>();

  /** By secret, as it was at `#knownRevision`: every request asks. */
  readonly #known = new Map<string, Identification>();
  #knownRevision = -1;
  /** Sessions that a full disk could not take, by secret: whoever logs in there can read as ever. They end with this process. */
  readonly #remembered = new Map<string, TokenRecord>();
  #nextRememberedId = firstRememberedId;

  readonly #passwordCost: PasswordCost;

  constructor(
    store: Store,
    guesses = new Guesses(store),
    secondFactors = new SecondFactors(store, guesses),
    cost = passwordCost,
  ) {
    this.#store = store;
    this.#passwordCost = cost;
    this.#guesses = guesses;
    this.#secondFactors = secondFactors;
  }

  /** How long sessions live is read anew. */
  settingsChanged(): void {
    this.#lives = undefined;
  }

  #readLives(): Promise<Lives> {
    const read = async () => {
      const minutes = await readSetting(this.#store, 'session_idle_minutes');
      const days = await readSetting(this.#store, 'session_days');
      return { idle: minutes === 0 ? Number.POSITIVE_INFINITY : minutes * 60_000_000, whole: days * dayMicroseconds };
    };
    this.#lives ??= read().catch((error: unknown) => {
      this.#lives = undefined;
      throw error;
    });
    return this.#lives;
  }

  /** When a token ends unless it is used before, in microseconds since 1970 UTC; infinite: never by itself. */
  async endOf({ id, kind, createdAt, lastUsedAt, expiresAt }: TokenRecord): Promise<number> {
    const last = expiresAt ?? Number.POSITIVE_INFINITY;
    if (kind !== 'session') return last;
    // One that was opened while the clock was ahead would last until long after its days are over.
    if (this.#store.trustedTime.isInFuture(createdAt)) return 0;
    const { idle } = await this.#readLives();
    return Math.min(last, Math.max(createdAt, lastUsedAt ?? 0, this.#usedAt.get(id) ?? 0) + idle);
  }

  #hasEnded = async (token: TokenRecord): Promise<boolean> => (await this.endOf(token)) <= this.#store.clock();

  /**
   * Whose token this is; null where it is unknown, revoked, lapsed, or its account is disabled.
   * @param isUse false: a window asks by itself, with nobody before it, which keeps no session alive
   */
  async identify(secret: string, isUse = true): Promise<Identification | null> {
    if (!/^[0-9a-f]{40}$/.test(secret)) return null;
    const revision = this.#store.revisions.of('accounts', 'tokens');
    if (revision !== this.#knownRevision || this.#known.size >= maxKnown) {
      this.#known.clear();
      this.#knownRevision = revision;
    }
    const known = this.#known.get(secret);
    const identification = known ?? (await this.#identify(secret));
    if (identification === null || (await this.#hasEnded(identification.token))) return null;
    // Only where nothing was written while it was read.
    if (known === undefined && revision === this.#store.revisions.of('accounts', 'tokens'))
      this.#known.set(secret, identification);
    if (!isUse) return identification;
    if (identification.token.kind === 'session') this.#usedAt.set(identification.token.id, this.#store.clock());
    if (this.#remembered.has(secret)) return identification;
    await this.#store
      .transaction(({ tokens }) => tokens.touch(identification.token))
      .catch((error: unknown) => {
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
   * Opens a session by username and password, and a code where the account has a second factor. A one-time password is
   * used up by it, and opens nothing after seven days.
   * @throws Failure `wrong-credentials`, `throttled`; FieldFailure where the code is missing or wrong
   */
  async openByPassword(username: string, password: string, details: LoginDetails): Promise<OpenedSession> {
    const { address, client = '', secondFactor } = details;
    await countIn(this.#byAddress, address);
    const attempt = await this.#guesses.attempt('password', username, { address });
    const account = await this.#store.accounts.findByUsername(username);
    const isRight = await isPassword(password, account?.passwordHash ?? null, this.#passwordCost);
    const isClosed = account === null || account.isDisabled || isLapsedHash(account.passwordHash, this.#store.clock());
    if (isClosed || !isRight) throw new Failure('wrong-credentials');
    await attempt.succeeded();
    await this.#secondFactors.demand(account, secondFactor, { address });
    await this.#byAddress.reward(networkOf(address), 1);
    const from = describeClient(client, address);
    const { whole: life } = await this.#readLives();
    if (!isOneTimeHash(account.passwordHash)) {
      const opening = this.#store.transaction((inside) => this.#open(account, from, life, inside));
      return opening.catch((error: unknown) => this.#remember(account, from, error));
    }
    return this.#store.transaction(async (inside) => {
      const current = await inside.accounts.findById(account.id);
      if (current?.passwordHash !== account.passwordHash) throw new Failure('wrong-credentials');
      await inside.accounts.update(account.id, { passwordHash: null });
      return this.#open(account, from, life, inside);
    });
  }

  /**
   * Makes a code that opens one session within half an hour, for the address that a terminal or a window shows.
   * @param account null: the owner, who gets an account with the first log-in where there is none yet
   */
  createLoginCode(account: Pick<AccountRecord, 'id'> | null): string {
    const code = randomBytes(24).toString('base64url');
    const expires = this.#store.clock() + loginCodeTime;
    this.#loginCodes.set(digest(code), { accountId: account?.id ?? null, expires, madeAt: performance.now() });
    for (const [oldest] of this.#loginCodes) {
      if (this.#loginCodes.size <= maxLoginCodes) break;
      this.#loginCodes.delete(oldest);
    }
    return code;
  }

  /**
   * Opens a session by the code of a login address, or of an invitation. Whoever reads a login address sits at this
   * machine and is asked for no second factor; an invitation is sent about, and asks.
   * @throws Failure `wrong-login-code`, `throttled`; FieldFailure where the code of the second factor is missing or wrong
   */
  async openByCode(code: string, details: LoginDetails): Promise<OpenedSession> {
    const { address, client = '' } = details;
    await countIn(this.#byAddress, address);
    await countIn(this.#codesByAddress, address);
    const key = digest(code);
    const shown = this.#loginCodes.get(key);
    this.#loginCodes.delete(key);
    const invited = shown === undefined ? await this.#spendInvitation(code, details) : null;
    const entry =
      invited === null ? shown : { accountId: invited, expires: Number.POSITIVE_INFINITY, madeAt: performance.now() };
    // By this process's own time too: the clock may have been set back since.
    const isLapsed = ({ expires, madeAt }: { expires: number; madeAt: number }) =>
      expires <= this.#store.clock() || (performance.now() - madeAt) * 1000 > loginCodeTime;
    if (entry === undefined || isLapsed(entry)) throw new Failure('wrong-login-code');
    await this.#byAddress.reward(networkOf(address), 1);
    await this.#codesByAddress.reward(networkOf(address), 1);
    const from = describeClient(client, address);
    const { whole: life } = await this.#readLives();
    const accountIn = async ({ accounts }: Pick<Store, 'accounts'>) => {
      const account =
        entry.accountId === null ? ((await accounts.owners())[0] ?? null) : await accounts.findById(entry.accountId);
      if (account?.isDisabled) throw new Failure('wrong-login-code');
      return account;
    };
    const opening = this.#store.transaction(async (inside) => {
      const known = (await accountIn(inside)) ?? (await ensureAccount(inside, localUsername()));
      return this.#open(known, from, life, inside);
    });
    return opening.catch(async (error: unknown) => this.#remember(await accountIn(this.#store), from, error));
  }

  /** @returns whose account it opens, null where it opens none; it stays as it is where a code was missing or wrong */
  async #spendInvitation(code: string, { address, secondFactor }: LoginDetails): Promise<number | null> {
    const invited = await this.#store.invitations.find(code);
    const account = invited === null ? null : await this.#store.accounts.findById(invited);
    if (account === null || account.isDisabled) return null;
    await this.#secondFactors.demand(account, secondFactor, { address });
    return this.#store.transaction(({ invitations }) => invitations.use(code));
  }

  /** Opens a session that is kept nowhere. @throws the error where it is not for want of room, or there is no account yet */
  #remember(account: AccountRecord | null, from: string, error: unknown): OpenedSession {
    if (storageFaultOf(error) === null || account === null) throw error;
    const secret = generateTokenSecret();
    const createdAt = this.#store.clock();
    const expiresAt = createdAt + rememberedDays * dayMicroseconds;
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
    // A session that was ended must identify nobody any more.
    this.#known.clear();
    return secret !== undefined && this.#remembered.delete(secret);
  }

  /** The account's sessions, newest first. */
  async list(account: AccountRecord): Promise<TokenRecord[]> {
    const remembered = this.#rememberedOf(account.id).map(([, token]) => token);
    const all = [...remembered, ...(await this.#store.tokens.listByAccount(account.id, 'session'))];
    const ended = await Promise.all(all.map(this.#hasEnded));
    return all.filter((_, at) => !ended[at]);
  }

  /** Ends one session of the account. @returns whether there was such a session */
  async revoke(account: AccountRecord, id: number): Promise<boolean> {
    const sessions = await this.list(account);
    if (!sessions.some((session) => session.id === id)) return false;
    return this.#forget({ id }) || this.#store.transaction(({ tokens }) => tokens.remove(id, account.id));
  }

  async #open(account: AccountRecord, from: string, life: number, inside: Writes): Promise<OpenedSession> {
    const secret = generateTokenSecret();
    const now = this.#store.clock();
    const expiresAt = now + life;
    await inside.tokens.insert({ accountId: account.id, kind: 'session', name: from, secret, expiresAt });
    const changed = await inside.accounts.update(account.id, { lastLoginAt: now });
    return { account: changed ?? account, secret, expiresAt };
  }

  /** Whether what was identified earlier would be identified now. */
  async isValid({ account, token }: Identification): Promise<boolean> {
    const remembered = this.#rememberedOf(account.id).map(([, other]) => other);
    const tokens = [...remembered, ...(await this.#store.tokens.listByAccount(account.id))];
    const current = tokens.find(({ id }) => id === token.id);
    if (current === undefined || (await this.#hasEnded(current))) return false;
    return (await this.#store.accounts.findById(account.id))?.isDisabled === false;
  }

  /** Ends the session that a request came with. @throws Failure where it came with a token that is no session's */
  async close({ token }: Identification): Promise<void> {
    if (token.kind !== 'session') throw new Failure('not-allowed');
    if (!this.#forget(token)) await this.#store.transaction(({ tokens }) => tokens.remove(token.id, token.accountId));
  }

  /**
   * Asks somebody who is signed in for the current password, where there is one.
   * @throws FieldFailure where it is wrong or missing, Failure `throttled`
   */
  async confirmPassword({ account, token }: Identification, current: string | undefined): Promise<void> {
    if (account.passwordHash === null) return;
    if (current === undefined) throw new FieldFailure({ currentPassword: ['This field is required.'] });
    const attempt = await this.#guesses.attempt('password', account.username, { tokenId: token.id });
    if (!(await isPassword(current, account.passwordHash))) {
      throw new FieldFailure({ currentPassword: ['This is not the current password.'] });
    }
    await attempt.succeeded();
  }

  /**
   * Sets an account's password and ends its other sessions.
   * @throws FieldFailure where the current password is wrong or missing, or the new one is easy to guess
   */
  async setPassword(
    identification: Identification,
    password: string,
    current: string | undefined,
  ): Promise<AccountRecord> {
    const { account, token } = identification;
    await this.confirmPassword(identification, current);
    const weakness = passwordWeakness(password, [account.username]);
    if (weakness !== null) throw new FieldFailure({ password: [weakness] });
    const passwordHash = await hashPassword(password, this.#passwordCost);
    for (const [, other] of this.#rememberedOf(account.id)) if (other.id !== token.id) this.#forget(other);
    return this.#store.transaction(async (inside) => {
      for (const other of await inside.tokens.listByAccount(account.id, 'session')) {
        if (other.id !== token.id) await inside.tokens.remove(other.id, account.id);
      }
      return (await inside.accounts.update(account.id, { passwordHash })) ?? account;
    });
  }

  /** Deletes sessions that have ended, and forgets guesses that count no more. */
  async forgetOld(): Promise<void> {
    const { idle } = await this.#readLives();
    await this.#store.transaction(({ tokens }) => tokens.removeExpired(this.#store.trustedTime.now()));
    if (Number.isFinite(idle))
      await this.#store.transaction(({ tokens }) => tokens.removeIdleSessions(this.#store.trustedTime.now() - idle));
    for (const [id, at] of this.#usedAt)
      if (this.#store.clock() - at > Math.min(idle, dayMicroseconds)) this.#usedAt.delete(id);
    await this.#guesses.forgetOld();
  }
}
