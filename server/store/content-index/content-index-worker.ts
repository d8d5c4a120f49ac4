// A thread that writes the content index, or one that answers from it.
import { parentPort, workerData } from 'node:worker_threads';
import { type ContentStep, printBits } from '../../contract/engine/content-index.ts';
import { unpackPrints } from '../../vault/packed-prints.ts';
import { type Cancellation, failedReply, type ThreadReply } from '../sqlite/answering-thread.ts';
import type {
  ContentConditions,
  ContentQuestion,
  FoundApks,
  FoundContents,
  IndexState,
  MatchingContents,
  SentPrints,
} from './content-index.ts';
import { ContentLookup, type Groups } from './content-lookup.ts';
import { IndexFolder } from './index-folder.ts';
import { DamagedSegment, type Segment } from './segment.ts';
import type { PrintedApk } from './segment-building.ts';

const { path, writes } = workerData as { path: string; writes: boolean };
const folder = new IndexFolder(path);

function add(sent: readonly SentPrints[]): number[] {
  const unreadable: number[] = [];
  const apks: PrintedApk[] = [];
  for (const { prints, ...apk } of sent) {
    const files = unpackPrints(prints, 2 ** printBits);
    if (files === null) unreadable.push(apk.id);
    else apks.push({ ...apk, files });
  }
  folder.add(apks);
  return unreadable;
}

function tidy(living: Uint32Array): void {
  const all = new Set(living);
  folder.tidy((id) => all.has(id));
}

/** A segment with its APKs of which no newer record is elsewhere. */
interface NewestOf {
  segment: Segment;
  apks: readonly number[];
  /** Their rows. */
  ids: Uint32Array;
}
let known: { of: readonly Segment[]; newest: readonly NewestOf[] } = { of: [], newest: [] };

/** Worked out again where segments came or went. */
function newest(): readonly NewestOf[] {
  const { segments } = folder;
  const isKnown =
    segments.length === known.of.length && segments.every((segment, index) => segment === known.of[index]);
  if (!isKnown) {
    const all = segments.map((segment) => {
      const apks = [...segment.apks.ids.keys()].filter((apk) => folder.isNewest(segment, apk));
      return { segment, apks, ids: Uint32Array.from(apks, (apk) => segment.apks.ids[apk]!) };
    });
    known = { of: segments, newest: all };
  }
  return known.newest;
}

const state = (): IndexState => ({
  count: newest().reduce((sum, { apks }) => sum + apks.length, 0),
  size: folder.segments.reduce((sum, segment) => sum + segment.size, 0),
});

/** Puts together what is told of APKs. */
class FoundList {
  readonly #ids: number[] = [];
  readonly #tags: number[] = [];
  readonly #filesCounts: number[] = [];
  readonly #firstRanges = [0];
  readonly #ranges: number[] = [];

  /** @param groups with files that may meet the condition, in rising order */
  add({ apks: table }: Segment, apk: number, groups: readonly number[]): void {
    for (const group of groups) this.#ranges.push(table.startOf(apk, group), table.ends[group]!);
    this.#ids.push(table.ids[apk]!);
    this.#tags.push(table.tags[apk]!);
    this.#filesCounts.push(table.filesCounts[apk]!);
    this.#firstRanges.push(this.#ranges.length / 2);
  }

  told(): FoundApks {
    return {
      ids: Uint32Array.from(this.#ids),
      tags: Float64Array.from(this.#tags),
      filesCounts: Uint32Array.from(this.#filesCounts),
      firstRanges: Uint32Array.from(this.#firstRanges),
      ranges: Uint32Array.from(this.#ranges),
    };
  }
}

function find({ files, reports }: ContentConditions): FoundContents {
  const list = new FoundList();
  const ofReports: number[] = [];
  for (const { segment, apks } of newest()) {
    const lookup = new ContentLookup(segment);
    const byApk = (groups: Groups) => groups && Map.groupBy(groups, (group) => segment.apks.apkOf(group));
    const inFiles = files.map((steps) => byApk(lookup.find(steps)));
    if (inFiles.includes(null)) continue;
    const inReports = reports.map((steps) => byApk(lookup.find(steps)));
    for (const apk of apks) {
      const groups = new Set(inFiles.flatMap((some) => some!.get(apk) ?? []));
      list.add(
        segment,
        apk,
        [...groups].sort((a, b) => a - b),
      );
      ofReports.push(inReports.some((some) => some === null || some.has(apk)) ? 1 : 0);
    }
  }
  return { ...list.told(), ofReports: Uint8Array.from(ofReports) };
}

function matching(condition: readonly ContentStep[]): MatchingContents {
  const all = newest();
  const indexed = new Uint32Array(all.reduce((sum, { ids }) => sum + ids.length, 0));
  let at = 0;
  for (const { ids } of all) {
    indexed.set(ids, at);
    at += ids.length;
  }
  const list = new FoundList();
  let mayBeAny = false;
  for (const { segment } of all) {
    const groups = new ContentLookup(segment).find(condition);
    if (groups === null) mayBeAny = true;
    for (const [apk, some] of Map.groupBy(groups ?? [], (group) => segment.apks.apkOf(group)))
      if (folder.isNewest(segment, apk)) list.add(segment, apk, some);
  }
  return { apks: mayBeAny ? null : list.told(), indexed };
}

function answer(question: ContentQuestion): unknown {
  switch (question.name) {
    case 'add':
      return add(question.apks);
    case 'merge':
      return folder.merge();
    case 'tidy':
      return tidy(question.living);
    case 'state':
      return state();
    case 'missing':
      return question.apks.filter(({ id, tag }) => folder.tagOf(id) !== tag);
    case 'find':
      return find(question.conditions);
    case 'matching':
      return matching(question.condition);
  }
}

/** Segments may be merged and removed meanwhile, or be damaged: then it is asked again, without them. */
function answerUndamaged(question: ContentQuestion): unknown {
  for (;;) {
    try {
      folder.refresh(writes);
      return answer(question);
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error;
      folder.remove(error.path);
    }
  }
}

parentPort?.on('message', (message: (ContentQuestion & { id: number }) | Cancellation) => {
  if (message.name === 'cancel') return;
  let reply: ThreadReply;
  try {
    reply = { kind: 'answer', id: message.id, answer: answerUndamaged(message) };
  } catch (error) {
    reply = failedReply(message.id, error);
  }
  parentPort?.postMessage(reply);
});
