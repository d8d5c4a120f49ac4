// Whose turn it is: who has least under way, then who used least lately. Knows nothing of what is done in a turn.

/** The id of an account; null: the workstation itself, and all who have no account together. */
export type TurnOwner = number | null;

/** Milliseconds after which half of what was used is forgotten. */
const halfLife = 60_000;

interface Use {
  underWay: number;
  /** Milliseconds, as they weighed at `at`. */
  used: number;
  at: number;
}

export class AccountTurns {
  readonly #uses = new Map<TurnOwner, Use>();
  readonly #now: () => number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How many turns an account has under way. */
  underWay(account: TurnOwner): number {
    return this.#uses.get(account)?.underWay ?? 0;
  }

  /** Begins a turn. @returns how to end it, once */
  begin(account: TurnOwner): () => void {
    const began = this.#now();
    const use = this.#uses.get(account) ?? { underWay: 0, used: 0, at: began };
    this.#uses.set(account, use);
    use.underWay += 1;
    return () => {
      const ended = this.#now();
      use.underWay -= 1;
      use.used = this.#weight(use, ended) + ended - began;
      use.at = ended;
    };
  }

  /** Who is next among these, each named once; of equals the first. */
  next(accounts: Iterable<TurnOwner>): TurnOwner | undefined {
    const now = this.#now();
    const nothing: Use = { underWay: 0, used: 0, at: now };
    let next: { account: TurnOwner; underWay: number; weight: number } | undefined;
    for (const account of accounts) {
      const use = this.#uses.get(account) ?? nothing;
      const { underWay } = use;
      const weight = this.#weight(use, now);
      const isBefore =
        next === undefined || underWay < next.underWay || (underWay === next.underWay && weight < next.weight);
      if (isBefore) next = { account, underWay, weight };
    }
    return next?.account;
  }

  #weight({ used, at }: Use, now: number): number {
    return used * 0.5 ** ((now - at) / halfLife);
  }
}
