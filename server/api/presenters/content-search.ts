// Searches in the files of APKs in their current shape.
import type { ContentSearch, ContentHit as ShownHit } from '../../contract/catalogue/content-search.ts';
import type { ContentRun } from '../../services/analyses/content-searches/content-run.ts';
import type { ContentHit } from '../../services/analyses/content-searches/content-searches.ts';
import { presentApkReference } from './apk.ts';
import type { Presenting } from './presenting.ts';

/** A search with its progress. */
export function presentContentSearch({ baseUrl, ids }: Presenting, run: ContentRun): ContentSearch {
  const { status, readCount, candidatesCount } = run;
  const id = ids.encode('content-search', run.id);
  const seconds = ((run.endedAt ?? performance.now()) - run.startedAt) / 1000;
  const left = Math.max(0, candidatesCount - readCount);
  return {
    id,
    url: `${baseUrl}/content_searches/${id}/`,
    search: run.search,
    status,
    error: run.error,
    contents: run.shownContents.map((content, index) => ({
      content,
      is_indexed: run.told?.[index] ?? null,
    })),
    apks_count: run.apksCount,
    candidates_count: candidatesCount,
    read_count: readCount,
    failed_count: run.failedCount,
    found_count: run.found.length,
    seconds,
    seconds_left: status === 'running' && readCount > 0 ? (left * seconds) / readCount : null,
  };
}

/** An APK that was found. */
export const presentContentHit = (presenting: Presenting, { apk, found }: ContentHit): ShownHit => ({
  apk: presentApkReference(presenting, apk),
  contents: found?.map(({ count, places }) => ({ count, places: [...places] })) ?? null,
});
