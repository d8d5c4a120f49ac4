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
  /** By row, 1 where an APK is indexed and holds none of the contents: a set of a million takes a hundred times as long. */
  readonly #without: Uint8Array;
  readonly #hasIndex: boolean;

  private constructor(contents: readonly (Candidates | null)[], indexed: Uint32Array) {
    this.#contents = contents;
    this.#hasIndex = indexed.length > 0;
    let most = 0;
    for (let at = 0; at < indexed.length; at++) if (indexed[at]! > most) most = indexed[at]!;
    this.#without = new Uint8Array(most + 1);
    if (contents.includes(null)) return;
    for (let at = 0; at < indexed.length; at++) this.#without[indexed[at]!] = 1;
    for (const content of contents) for (const id of content!.places.keys()) this.#without[id] = 0;
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
    return this.#contents.map((content) => content !== null && this.#hasIndex);
  }

  /** Whether an APK may hold any of the contents, as it was when it was indexed. */
  mayHoldAny(id: number): boolean {
    return this.#without[id] !== 1;
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
