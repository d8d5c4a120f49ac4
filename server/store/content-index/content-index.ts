// The content index: which APKs have texts that have certain fingerprints, in which of their files. Two threads keep it, one that
// writes and one that answers. It may be thrown away at any time. Knows neither APKs nor rules.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentStep } from '../../contract/engine/content-index.ts';
import { AnsweringThread } from '../sqlite/answering-thread.ts';
import type { IndexedApk } from './segment-apks.ts';

const program = new URL(`./content-index-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** An APK with the fingerprints of its files, as a worker packed them. */
export interface SentPrints extends IndexedApk {
  prints: Uint8Array;
}

/** What the index has of APKs; the same place in all lists. */
export interface FoundApks {
  ids: Uint32Array;
  tags: Float64Array;
  filesCounts: Uint32Array;
  /** Where the ranges of each begin among all; at the end how many there are. One without any has no file that meets a condition. */
  firstRanges: Uint32Array;
  /** Numbers of files: the first of each range, and the first behind it. */
  ranges: Uint32Array;
}

/** What rules need, those that look at files and those that ask reports alone. */
export interface ContentConditions {
  files: readonly (readonly ContentStep[])[];
  reports: readonly (readonly ContentStep[])[];
}

/** Of all APKs that are indexed; none where a condition on files may be met by any file. */
export interface FoundContents extends FoundApks {
  /** By APK, 1 where its reports may meet a condition. */
  ofReports: Uint8Array;
}

/** The files of one of the APKs, by its place in the lists. */
export function rangesOf({ firstRanges, ranges }: FoundApks, place: number): [number, number][] {
  const [first, end] = [firstRanges[place]!, firstRanges[place + 1]!];
  return Array.from({ length: end - first }, (_, index): [number, number] => {
    const at = 2 * (first + index);
    return [ranges[at]!, ranges[at + 1]!];
  });
}

/** Of one condition. */
export interface MatchingContents {
  /** The APKs of which some files may meet it; null: any may. */
  apks: FoundApks | null;
  /** Rows of all APKs that are indexed, in no order. */
  indexed: Uint32Array;
}

export interface IndexState {
  /** How many APKs are indexed. */
  count: number;
  /** Bytes on the disk. */
  size: number;
}

export type ContentQuestion =
  /** @returns those whose fingerprints cannot be read, by row */
  | { name: 'add'; apks: readonly SentPrints[] }
  | { name: 'merge' }
  | { name: 'tidy'; living: Uint32Array }
  | { name: 'state' }
  | { name: 'missing'; apks: readonly IndexedApk[] }
  | { name: 'find'; conditions: ContentConditions }
  | { name: 'matching'; condition: readonly ContentStep[] };

/** Of an installation. */
const contentIndexPath = (dataDir: string): string => join(dataDir, 'cache', 'content-index');

export class ContentIndex {
  readonly #path: string;
  readonly #writing: AnsweringThread;
  readonly #answering: AnsweringThread;

  constructor(dataDir: string) {
    this.#path = contentIndexPath(dataDir);
    this.#writing = new AnsweringThread(program, { path: this.#path, writes: true });
    this.#answering = new AnsweringThread(program, { path: this.#path, writes: false });
  }

  /** Takes APKs in, durably. @returns rows of those whose fingerprints cannot be read */
  add(apks: readonly SentPrints[]): Promise<number[]> {
    return this.#writing.ask({ name: 'add', apks } satisfies ContentQuestion);
  }

  /** Merges segments where there are many of one size. */
  merge(): Promise<void> {
    return this.#writing.ask({ name: 'merge' } satisfies ContentQuestion);
  }

  /** Drops all but these APKs where much is to be dropped, and merges segments. */
  tidy(living: Uint32Array): Promise<void> {
    return this.#writing.ask({ name: 'tidy', living } satisfies ContentQuestion);
  }

  /** Those of some APKs that are not indexed as they are now. */
  missing(apks: readonly IndexedApk[]): Promise<IndexedApk[]> {
    return this.#writing.ask({ name: 'missing', apks } satisfies ContentQuestion);
  }

  /** The same, for whoever is waited for: nothing that is written holds it up. */
  outdated(apks: readonly IndexedApk[]): Promise<IndexedApk[]> {
    return this.#answering.ask({ name: 'missing', apks } satisfies ContentQuestion);
  }

  /** How much is indexed. */
  state(): Promise<IndexState> {
    return this.#answering.ask({ name: 'state' } satisfies ContentQuestion);
  }

  /** Which files of indexed APKs may meet any of some conditions, and whether their reports do. */
  find(conditions: ContentConditions, signal?: AbortSignal): Promise<FoundContents> {
    return this.#answering.ask({ name: 'find', conditions } satisfies ContentQuestion, signal);
  }

  /** Which indexed APKs may meet a condition: costs what those cost, however many others there are. */
  matching(condition: readonly ContentStep[], signal?: AbortSignal): Promise<MatchingContents> {
    return this.#answering.ask({ name: 'matching', condition } satisfies ContentQuestion, signal);
  }

  /** Throws everything away. */
  async clear(): Promise<void> {
    await this.close();
    await rm(this.#path, { recursive: true, force: true });
  }

  /** Ends the threads; the next question starts them again. */
  async close(): Promise<void> {
    await Promise.all([this.#writing.close(), this.#answering.close()]);
  }
}
