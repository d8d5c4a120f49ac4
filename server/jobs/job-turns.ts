// Which waiting job is next: places by kind, and turns of accounts. Knows no kind by name and writes nothing.
import { type JobKind, type JobPlaces, jobKindNames, jobKinds } from '../contract/jobs/job-kinds.ts';
import type { JobRecord, WaitingJob } from '../store/repositories/job-repository.ts';
import { AccountTurns } from './account-turns.ts';

/** Jobs that share places. */
interface Lane {
  places(): JobPlaces;
  taken: number;
  turns: AccountTurns;
}

export class JobTurns {
  readonly #lanes: ReadonlyMap<JobKind, Lane>;

  /** @param concurrency jobs at a time, as many as may be now, of all kinds that have no places of their own */
  constructor(concurrency: () => number) {
    const laneOf = (places: () => JobPlaces): Lane => ({ places, taken: 0, turns: new AccountTurns() });
    const shared = laneOf(() => ({ all: concurrency(), each: concurrency() }));
    this.#lanes = new Map(
      jobKindNames.map((kind) => {
        const { places } = jobKinds[kind];
        return [kind, places === null ? shared : laneOf(() => places)];
      }),
    );
  }

  /** Those of which one more may begin. */
  kinds(): JobKind[] {
    return [...this.#lanes].filter(([, { places, taken }]) => taken < places().all).map(([kind]) => kind);
  }

  /**
   * The most urgent job that may begin; of equally urgent ones that of the account whose turn it is.
   * @param waiting by priority, then age
   */
  readonly choose = (waiting: readonly WaitingJob[]): WaitingJob | undefined => {
    const ready = waiting.filter(({ kind, accountId }) => {
      const lane = this.#lanes.get(kind);
      return lane !== undefined && (accountId === null || lane.turns.underWay(accountId) < lane.places().each);
    });
    const [first] = ready;
    const lane = first === undefined ? undefined : this.#lanes.get(first.kind);
    const equals = ready.filter(({ kind, priority }) => priority === first?.priority && this.#lanes.get(kind) === lane);
    const account = lane?.turns.next(new Set(equals.map(({ accountId }) => accountId)));
    return equals.find(({ accountId }) => accountId === account);
  };

  /** Gives a job its place. @returns how it is given back */
  begin({ kind, accountId }: JobRecord): () => void {
    const lane = this.#lanes.get(kind)!;
    lane.taken += 1;
    const end = lane.turns.begin(accountId);
    return () => {
      lane.taken -= 1;
      end();
    };
  }
}
