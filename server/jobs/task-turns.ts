// Tasks that wait for the same workers, and which of them is next: accounts take turns. Knows neither workers nor what is asked.
import { AccountTurns, type TurnOwner } from './account-turns.ts';

export interface WaitingTask {
  options: {
    account?: TurnOwner;
    /** Any other that waits is taken first, whoever asked for it. */
    isPatient?: boolean;
  };
}

/** Of each account the tasks that wait, the longest waiting first; accounts in the order in which they began to wait. */
type Lines<T> = Map<TurnOwner, T[]>;

export class TaskTurns<T extends WaitingTask> {
  readonly #mostEach: number;
  readonly #turns: AccountTurns;
  readonly #pressing: Lines<T> = new Map();
  readonly #patient: Lines<T> = new Map();
  readonly #underWay = new Map<T, () => void>();

  /** @param mostEach tasks of one account that are under way at a time, so that it never has all workers */
  constructor(mostEach: number, turns = new AccountTurns()) {
    this.#mostEach = mostEach;
    this.#turns = turns;
  }

  add(task: T): void {
    const lines = this.#linesOf(task);
    const account = task.options.account ?? null;
    const line = lines.get(account);
    if (line === undefined) lines.set(account, [task]);
    else line.push(task);
  }

  /** Takes back a task that has not begun. @returns whether it was waiting */
  remove(task: T): boolean {
    const lines = this.#linesOf(task);
    const account = task.options.account ?? null;
    const line = lines.get(account) ?? [];
    const place = line.indexOf(task);
    if (place < 0) return false;
    line.splice(place, 1);
    if (line.length === 0) lines.delete(account);
    return true;
  }

  /** Begins the next task; undefined where none waits that may begin. */
  next(): T | undefined {
    for (const lines of [this.#pressing, this.#patient]) {
      const account = this.#turns.next(this.#ready(lines));
      if (account === undefined) continue;
      const task = lines.get(account)![0]!;
      this.remove(task);
      this.#underWay.set(task, this.#turns.begin(account));
      return task;
    }
    return undefined;
  }

  /** Notes that a task is over; without effect on one that had not begun. */
  end(task: T): void {
    this.#underWay.get(task)?.();
    this.#underWay.delete(task);
  }

  /** Takes back all that wait. */
  clear(): T[] {
    const waiting = [...this.#pressing.values(), ...this.#patient.values()].flat();
    this.#pressing.clear();
    this.#patient.clear();
    return waiting;
  }

  *#ready(lines: Lines<T>): Generator<TurnOwner> {
    for (const account of lines.keys()) if (this.#turns.underWay(account) < this.#mostEach) yield account;
  }

  #linesOf({ options }: T): Lines<T> {
    return options.isPatient === true ? this.#patient : this.#pressing;
  }
}
