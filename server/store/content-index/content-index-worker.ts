// A thread that writes the content index, or one that answers from it.
import { parentPort, workerData } from 'node:worker_threads';
import type { ContentStep } from '../../contract/engine/content-index.ts';
import { unpackPrints } from '../../vault/packed-prints.ts';
import { type Cancellation, failedReply, type ThreadReply } from '../sqlite/answering-thread.ts';
import type { ContentQuestion, FoundContents, IndexState, SentPrints } from './content-index.ts';
import { ContentLookup } from './content-lookup.ts';
import { IndexFolder } from './index-folder.ts';
import { DamagedSegment, type Segment } from './segment.ts';
import type { PrintedApk } from './segment-building.ts';

const { path, writes } = workerData as { path: string; writes: boolean };
const folder = new IndexFolder(path);

function add(sent: readonly SentPrints[]): number[] {
  const unreadable: number[] = [];
  const apks: PrintedApk[] = [];
  for (const { prints, ...apk } of sent) {
    const files = unpackPrints(prints);
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

/** The segments with their APKs of which no newer record is elsewhere. */
const newest = (): { segment: Segment; apks: number[] }[] =>
  folder.segments.map((segment) => ({
    segment,
    apks: [...segment.apks.ids.keys()].filter((apk) => folder.isNewest(segment, apk)),
  }));

const state = (): IndexState => ({
  count: newest().reduce((sum, { apks }) => sum + apks.length, 0),
  size: folder.segments.reduce((sum, segment) => sum + segment.size, 0),
});

function find(conditions: readonly (readonly ContentStep[])[]): FoundContents {
  const counts = conditions.map(() => 0);
  const [ids, tags, filesCounts, firstRanges, ranges] = [[], [], [], [0], []] as [
    number[],
    number[],
    number[],
    number[],
    number[],
  ];
  for (const { segment, apks } of newest()) {
    const { apks: table } = segment;
    const lookup = new ContentLookup(segment);
    const found = conditions.map((steps) => lookup.find(steps));
    const apksOf = found.map((groups) => groups && Map.groupBy(groups, (group) => table.apkOf(group)));
    for (const [index, some] of apksOf.entries()) {
      counts[index]! += some === null ? apks.length : apks.filter((apk) => some.has(apk)).length;
    }
    if (found.includes(null)) continue;
    for (const apk of apks) {
      const groups = new Set(apksOf.flatMap((some) => some!.get(apk) ?? []));
      for (const group of [...groups].sort((a, b) => a - b)) ranges.push(table.startOf(apk, group), table.ends[group]!);
      ids.push(table.ids[apk]!);
      tags.push(table.tags[apk]!);
      filesCounts.push(table.filesCounts[apk]!);
      firstRanges.push(ranges.length / 2);
    }
  }
  return {
    apks: {
      ids: Uint32Array.from(ids),
      tags: Float64Array.from(tags),
      filesCounts: Uint32Array.from(filesCounts),
      firstRanges: Uint32Array.from(firstRanges),
      ranges: Uint32Array.from(ranges),
    },
    counts,
  };
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
