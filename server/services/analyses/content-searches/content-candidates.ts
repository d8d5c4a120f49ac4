// Which APKs may hold some contents, and in which of their files, by the index. What it does not know may hold all of them.
import type { ContentStep, OnlyFiles } from '../../../contract/engine/content-index.ts';
import { type ContentIndex, type FoundApks, rangesOf } from '../../../store/content-index/content-index.ts';

interface Candidates {
  found: FoundApks;
  /** By row, the place in the lists. */
  places: ReadonlyMap<number, number>;
}

export class ContentCandidates {
  /** By content; null: any APK may hold it. */
  readonly #contents: readonly (Candidates | null)[];
  /** By row, whether it is indexed: a set of a million takes a hundred times as long. */
  readonly #indexed: Uint8Array;

  private constructor(contents: readonly (Candidates | null)[], indexed: Uint32Array) {
    this.#contents = contents;
    this.#indexed = new Uint8Array(1 + indexed.reduce((most, id) => (id > most ? id : most), 0));
    for (const id of indexed) this.#indexed[id] = 1;
  }

  /** @param needs what files have to meet for each content */
  static async ask(
    index: ContentIndex,
    needs: readonly (readonly ContentStep[])[],
    signal: AbortSignal,
  ): Promise<ContentCandidates> {
    const answers = await Promise.all(needs.map((need) => index.matching(need, signal)));
    const contents = answers.map(({ apks: found }) =>
      found === null ? null : { found, places: new Map([...found.ids].map((id, place) => [id, place])) },
    );
    return new ContentCandidates(contents, answers[0]!.indexed);
  }

  /** By content, whether the index can tell where it may be. */
  get told(): boolean[] {
    return this.#contents.map((content) => content !== null && this.#indexed.length > 1);
  }

  /** Whether an APK may hold a content, as it was when it was indexed. */
  mayHold(id: number, content: number): boolean {
    const candidates = this.#contents[content]!;
    return candidates === null || candidates.places.has(id) || this.#indexed[id] !== 1;
  }

  /** Whether an APK may hold any of the contents. */
  mayHoldAny(id: number): boolean {
    return this.#contents.some((_, content) => this.mayHold(id, content));
  }

  /** The files of an APK in which any of the contents may be. @param tag of the APK as it is now */
  filesOf(id: number, tag: number): OnlyFiles | undefined {
    let filesCount: number | undefined;
    const ranges: [number, number][] = [];
    for (const candidates of this.#contents) {
      if (candidates === null) return undefined;
      const place = candidates.places.get(id);
      if (place === undefined) continue;
      if (candidates.found.tags[place] !== tag) return undefined;
      filesCount = candidates.found.filesCounts[place]!;
      ranges.push(...rangesOf(candidates.found, place));
    }
    return filesCount === undefined ? undefined : { files_count: filesCount, ranges };
  }
}
