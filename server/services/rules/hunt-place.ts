// Where a retrohunt stands among the APKs that it goes through, several at a time. Knows no APK.

/** So much of what is settled is kept until it is dropped at once. */
const settledKept = 10_000;

/**
 * APKs are begun in falling order of their ids, and end in any order. A place and the few ids that ended ahead of it say
 * which are done, so that a hunt goes on where it was, and scans none twice.
 */
export class HuntPlace {
  /** APKs with this id and higher ones are done. */
  #place: number;
  /** Ids below the place that are done. */
  readonly #ahead: Set<number>;
  /** What was begun and lies below the place, in falling order, from `#first` on. */
  #begun: { id: number; isPassed: boolean }[] = [];
  #first = 0;
  #passed: number;

  /** @param passed how many at the place and above were not scanned, since nothing can match in them */
  constructor(place: number, ahead: readonly number[], passed = 0) {
    this.#place = place;
    this.#ahead = new Set(ahead);
    this.#passed = passed;
  }

  get passed(): number {
    return this.#passed;
  }

  get place(): number {
    return this.#place;
  }

  get ahead(): number[] {
    return [...this.#ahead];
  }

  /** Takes the next APK on. @returns whether it is still to be scanned */
  begin(id: number): boolean {
    this.#begun.push({ id, isPassed: false });
    if (!this.#ahead.has(id)) return true;
    this.#settle();
    return false;
  }

  /** Passes over the next APK. One that lies ahead is passed again when the hunt goes on from the place. */
  pass(id: number): void {
    this.#begun.push({ id, isPassed: true });
    this.#settle();
  }

  /** Notes that an APK is done with. */
  end(id: number): void {
    this.#ahead.add(id);
    this.#settle();
  }

  #settle(): void {
    for (let next = this.#begun[this.#first]; next !== undefined; next = this.#begun[this.#first]) {
      const { id, isPassed } = next;
      if (!isPassed && !this.#ahead.has(id)) break;
      if (isPassed) this.#passed += 1;
      this.#ahead.delete(id);
      this.#place = id;
      this.#first += 1;
    }
    if (this.#first < settledKept) return;
    this.#begun = this.#begun.slice(this.#first);
    this.#first = 0;
  }
}
