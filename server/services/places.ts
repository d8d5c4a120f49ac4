// Places for what is under way at a time: each account and each address has its share, and some are kept for accounts, so
// that callers without one never have all. Knows nothing of what is done in them.
import type { AccountRecord } from '../store/repositories/people/account-repository.ts';
import type { Failure } from './failure.ts';
import { isLoopback, networkOf } from './sharing/network-address.ts';

/** Who takes a place. */
export interface PlaceTaker {
  account: Pick<AccountRecord, 'id'> | null;
  /** Empty for a part of the workstation itself. */
  address: string;
}

export interface PlaceCounts {
  all: number;
  /** Of one account. */
  each: number;
  /** Beyond all, for accounts that have but a few. */
  kept: number;
  few: number;
  /** Of all callers without an account together. */
  anonymous: number;
  /** Of one address without an account, of a network of 64 bits in IPv6. Programs on this machine share one address. */
  address: number;
}

export class Places {
  readonly #counts: PlaceCounts;
  readonly #refusal: () => Failure;
  #taken = 0;
  #anonymous = 0;
  /** By account and by network. */
  readonly #own = new Map<string, number>();

  /** @param refusal told to whom there is no place for */
  constructor(counts: PlaceCounts, refusal: () => Failure) {
    this.#counts = counts;
    this.#refusal = refusal;
  }

  /**
   * Takes a place.
   * @returns how it is given back, once
   * @throws Failure as the refusal says
   */
  take({ account, address }: PlaceTaker): () => void {
    const owner = account === null ? networkOf(address) : `account ${account.id}`;
    const own = this.#own.get(owner) ?? 0;
    const isFree = account === null ? this.#isFreeFor(address, own) : this.#isFreeForAccount(own);
    if (!isFree) throw this.#refusal();
    this.#own.set(owner, own + 1);
    this.#taken += 1;
    if (account === null) this.#anonymous += 1;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#taken -= 1;
      if (account === null) this.#anonymous -= 1;
      const left = this.#own.get(owner)! - 1;
      if (left > 0) this.#own.set(owner, left);
      else this.#own.delete(owner);
    };
  }

  #isFreeForAccount(own: number): boolean {
    const { all, each, kept, few } = this.#counts;
    return own < each && (this.#taken < all || (own < few && this.#taken < all + kept));
  }

  #isFreeFor(address: string, own: number): boolean {
    const { all, anonymous, address: ofAddress } = this.#counts;
    const isInShare = own < ofAddress || isLoopback(address);
    return isInShare && this.#anonymous < anonymous && this.#taken < all;
  }
}
