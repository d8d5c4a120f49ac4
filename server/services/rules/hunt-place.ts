// Where a retrohunt stands among the APKs that it goes through, several at a time. Knows no APK.

/**
 * APKs are begun in falling order of their ids, and end in any order. A place and the few ids that ended ahead of it say
 * which are done, so that a hunt goes on where it was, and scans none twice.
 */
export class HuntPlace {
  /** APKs with this id and higher ones are done. */
  #place: number;
  /** Ids below the place that are done. */
  readonly #ahead: Set<number>;
  /** What was begun and lies below the place, in falling order. */
  readonly #begun: number[] = [];

  constructor(place: number, ahead: readonly number[]) {
    this.#place = place;
    this.#ahead = new Set(ahead);
  }

  get place(): number {
    return this.#place;
  }

  get ahead(): number[] {
    return [...this.#ahead];
  }

  /** Takes the next APK on. @returns whether it is still to be scanned */
  begin(id: number): boolean {
    this.#begun.push(id);
    if (!this.#ahead.has(id)) return true;
    this.#settle();
    return false;
  }

  /** Notes that an APK is done with. */
  end(id: number): void {
    this.#ahead.add(id);
    this.#settle();
  }

  #settle(): void {
    for (let first = this.#begun[0]; first !== undefined && this.#ahead.has(first); first = this.#begun[0]) {
      this.#begun.shift();
      this.#ahead.delete(first);
      this.#place = first;
    }
  }
}
