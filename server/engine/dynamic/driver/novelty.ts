// Lets rest what has run nothing new for some times in a row. Knows no event.

export class Novelty {
  readonly #firstRuns: () => number;
  /** By name, how often in a row it ran nothing new in this pass. */
  readonly #idle = new Map<string, number>();

  /** @param firstRuns how much code of the app has run so far */
  constructor(firstRuns: () => number) {
    this.#firstRuns = firstRuns;
  }

  /** Nothing rests any more. */
  begin(): void {
    this.#idle.clear();
  }

  /** Whether it has run nothing new `most` times in a row. */
  isTired(name: string, most: number): boolean {
    return (this.#idle.get(name) ?? 0) >= most;
  }

  /** Runs `body`, and counts whether that ran anything new. */
  try(name: string, body: () => void): void {
    const before = this.#firstRuns();
    body();
    this.#idle.set(name, this.#firstRuns() > before ? 0 : (this.#idle.get(name) ?? 0) + 1);
  }
}
