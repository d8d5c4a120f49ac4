// Lets what concerns the same content happen one after the other. Knows nothing of what happens.

/** One queue for each SHA-256 that something is being decided about. */
export class ContentLocks {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work when everything asked for earlier about this content is over. */
  async exclusively<T>(sha256: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(sha256) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(sha256, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(sha256) === mine) this.#last.delete(sha256);
    }
  }
}
