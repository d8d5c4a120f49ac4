// An authenticator app as the second factor of an account: setting it up, asking for its codes, taking it away. The
// secret is kept sealed, recovery codes hashed. Knows neither passwords nor HTTP.
import { createHash } from 'node:crypto';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { SecondFactorRecord } from '../../store/repositories/people/second-factor-repository.ts';
import type { Store } from '../../store/store.ts';
import { storageFaultOf } from '../../store/store-errors.ts';
import { Failure, FieldFailure } from '../failure.ts';
import type { Guesser, Guesses } from './guesses.ts';
import { base32, keyUri, newRecoveryCodes, newSecret, plainRecoveryCode, stepOfCode } from './one-time-codes.ts';

/** The program's name, as an app lists its accounts. */
const issuer = 'APK Workstation';

export interface SecondFactorState {
  /** Microseconds since 1970 UTC; null: none is asked for. */
  confirmedAt: number | null;
  recoveryCodesLeft: number;
}

const hashOf = (recoveryCode: string): Buffer => createHash('sha256').update(recoveryCode).digest();

export class SecondFactors {
  readonly #store: Store;
  readonly #guesses: Guesses;
  /** Steps of codes that were taken, by account; beside the table, which a full disk keeps as it is. */
  readonly #usedSteps = new Map<number, number>();

  constructor(store: Store, guesses: Guesses) {
    this.#store = store;
    this.#guesses = guesses;
  }

  /** Whether an account has a second factor, and how many recovery codes are left. */
  async state({ id }: AccountRecord): Promise<SecondFactorState> {
    const confirmedAt = (await this.#confirmed(id))?.confirmed_at ?? null;
    const recoveryCodesLeft = confirmedAt === null ? 0 : await this.#store.secondFactors.countRecoveryCodes(id);
    return { confirmedAt, recoveryCodesLeft };
  }

  async #confirmed(accountId: number): Promise<SecondFactorRecord | null> {
    const factor = await this.#store.secondFactors.find(accountId);
    return factor?.confirmed_at == null ? null : factor;
  }

  /** Accounts that have one, with since when. */
  async list(): Promise<{ account: AccountRecord; confirmedAt: number }[]> {
    const factors = await this.#store.secondFactors.listConfirmed();
    const accounts = await this.#store.accounts.findByIds(factors.map(({ account_id: id }) => id));
    return factors.map(({ account_id: id, confirmed_at: at }) => ({ account: accounts.get(id)!, confirmedAt: at! }));
  }

  /**
   * Makes a secret for an app to keep; it counts once a code of it was shown.
   * @throws Failure `second-factor-on`
   */
  async begin({ id, username }: AccountRecord): Promise<{ secret: string; uri: string }> {
    const secret = newSecret();
    if (
      !(await this.#store.transaction(({ secondFactors }) => secondFactors.begin(id, this.#store.files.seal(secret))))
    ) {
      throw new Failure('second-factor-on');
    }
    return { secret: base32(secret), uri: keyUri(secret, issuer, username) };
  }

  /**
   * Asks for codes from now on, after the first; all other sessions of the account end.
   * @returns recovery codes, which are stored nowhere
   * @throws FieldFailure, Failure `second-factor-on`, `second-factor-off`, `throttled`
   */
  async confirm(account: AccountRecord, code: string, tokenId: number): Promise<string[]> {
    const factor = await this.#store.secondFactors.find(account.id);
    if (factor === null) throw new Failure('second-factor-off');
    if (factor.confirmed_at !== null) throw new Failure('second-factor-on');
    await this.#check(account, factor, code, { tokenId });
    const codes = newRecoveryCodes();
    await this.#store.transaction(async (inside) => {
      await inside.secondFactors.confirm(account.id);
      await inside.secondFactors.setRecoveryCodes(
        account.id,
        codes.map((one) => hashOf(plainRecoveryCode(one)!)),
      );
      for (const { id } of await inside.tokens.listByAccount(account.id, 'session')) {
        if (id !== tokenId) await inside.tokens.remove(id, account.id);
      }
    });
    return codes;
  }

  /** Makes new recovery codes in the place of all others. @throws as `demand`, Failure `second-factor-off` */
  async renewRecoveryCodes(account: AccountRecord, code: string, guesser: Guesser): Promise<string[]> {
    await this.#demandConfirmed(account, code, guesser);
    const codes = newRecoveryCodes();
    const hashes = codes.map((one) => hashOf(plainRecoveryCode(one)!));
    await this.#store.transaction((inside) => inside.secondFactors.setRecoveryCodes(account.id, hashes));
    return codes;
  }

  /** @throws as `demand`, Failure `second-factor-off` */
  async remove(account: AccountRecord, code: string, guesser: Guesser): Promise<void> {
    await this.#demandConfirmed(account, code, guesser);
    await this.reset(account);
  }

  /** Takes it away without asking for a code. @throws Failure `second-factor-off` */
  async reset({ id }: AccountRecord): Promise<void> {
    const isGone = await this.#store.transaction((inside) => inside.secondFactors.remove(id));
    if (!isGone) throw new Failure('second-factor-off');
    this.#usedSteps.delete(id);
  }

  /**
   * Lets nobody past without a code of the app or a recovery code, each of which serves once. Where the account has no
   * second factor, nothing is asked for.
   * @throws FieldFailure where it is missing or wrong, Failure `throttled`
   */
  async demand(account: AccountRecord, code: string | undefined, guesser: Guesser): Promise<void> {
    const factor = await this.#confirmed(account.id);
    if (factor === null) return;
    if (code === undefined || code === '') {
      const wanted = 'A code of your authenticator app, or a recovery code, is required.';
      throw new FieldFailure({ secondFactor: [wanted] });
    }
    await this.#check(account, factor, code, guesser);
  }

  async #demandConfirmed(account: AccountRecord, code: string, guesser: Guesser): Promise<void> {
    if ((await this.#confirmed(account.id)) === null) throw new Failure('second-factor-off');
    await this.demand(account, code, guesser);
  }

  async #check(account: AccountRecord, factor: SecondFactorRecord, code: string, guesser: Guesser): Promise<void> {
    const attempt = await this.#guesses.attempt('second factor', account.username, guesser);
    const recoveryCode = plainRecoveryCode(code);
    const isRight =
      recoveryCode === null
        ? await this.#spendCode(factor, code.replace(/\s/g, ''))
        : await this.#store.transaction(({ secondFactors }) =>
            secondFactors.spendRecoveryCode(account.id, hashOf(recoveryCode)),
          );
    if (!isRight) throw new FieldFailure({ secondFactor: ['This code is wrong, or was used already.'] });
    await attempt.succeeded();
  }

  async #spendCode(
    { account_id: id, secret, last_step: lastStep }: SecondFactorRecord,
    code: string,
  ): Promise<boolean> {
    const lastUsed = Math.max(lastStep, this.#usedSteps.get(id) ?? 0);
    const step = stepOfCode(this.#store.files.unseal(secret), code, this.#store.clock(), lastUsed);
    if (step === null) return false;
    this.#usedSteps.set(id, step);
    return this.#store
      .transaction(({ secondFactors }) => secondFactors.spendStep(id, step))
      .catch((error: unknown) => {
        if (storageFaultOf(error) === null) throw error;
        return true;
      });
  }
}
