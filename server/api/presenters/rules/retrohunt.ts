// Retrohunts in their current shape.
import type { z } from 'zod';
import type { Match } from '../../../contract/rules/match.ts';
import type {
  HuntEstimate,
  huntedMatchListSchema,
  huntFailureListSchema,
  Retrohunt,
} from '../../../contract/rules/retrohunt.ts';
import type { ApkRecord } from '../../../services/catalogue/catalogue.ts';
import type { Retrohunts, RetrohuntView } from '../../../services/rules/retrohunts.ts';
import { presentApkReference } from '../apk.ts';
import { presentJob } from '../job.ts';
import { type Presenting, timestamp } from '../presenting.ts';
import { rulesetUrl } from './ruleset.ts';

const retrohuntUrl = ({ baseUrl, ids }: Presenting, id: number): string =>
  `${baseUrl}/retrohunts/${ids.encode('retrohunt', id)}/`;

export function presentRetrohunt(presenting: Presenting, { hunt, job, rulesets, rate }: RetrohuntView): Retrohunt {
  const shown = presentJob(presenting, job, null);
  const isRunning = shown.status === 'running';
  const { apksCount, passedCount } = hunt;
  const scannedCount = hunt.scannedCount + passedCount;
  const left = Math.max(0, apksCount - scannedCount);
  const progress = apksCount === 0 ? 0 : Math.min(1, scannedCount / apksCount);
  const sum = (count: (one: RetrohuntView['rulesets'][number]['hunted']) => number) =>
    rulesets.reduce((total, { hunted }) => total + count(hunted), 0);
  return {
    id: presenting.ids.encode('retrohunt', hunt.id),
    url: retrohuntUrl(presenting, hunt.id),
    job: { id: shown.id, url: shown.url },
    status: shown.status,
    progress: shown.status === 'done' || shown.status === 'partial' ? 1 : progress,
    error: shown.error,
    error_code: shown.error_code,
    created_at: shown.created_at,
    started_at: shown.started_at,
    finished_at: shown.finished_at,
    search: hunt.search,
    rulesets: rulesets.map(({ hunted, ruleset }) => {
      const id = presenting.ids.encode('ruleset', ruleset.id);
      return {
        id,
        url: rulesetUrl(presenting, id),
        name: ruleset.name,
        status: hunted.status === 'hunting' && shown.finished_at !== null ? 'stopped' : hunted.status,
        matches_count: hunted.matchesCount,
        new_matches_count: hunted.newMatchesCount,
        unfinished_count: hunted.unfinishedCount,
      };
    }),
    apks_count: apksCount,
    scanned_count: scannedCount,
    passed_count: passedCount,
    failed_count: hunt.failedCount,
    matches_count: sum(({ matchesCount }) => matchesCount),
    new_matches_count: sum(({ newMatchesCount }) => newMatchesCount),
    rate: isRunning ? rate : null,
    seconds_left: isRunning && rate !== null && rate > 0 ? left / rate : null,
  };
}

/** What a hunt would take. */
export const presentHuntEstimate = (
  presenting: Presenting,
  { apksCount, readCount, seconds, rulesets }: Awaited<ReturnType<Retrohunts['estimate']>>,
): HuntEstimate => ({
  apks_count: apksCount,
  read_count: readCount,
  seconds,
  rulesets: rulesets.map(({ ruleset, slow }) => {
    const id = presenting.ids.encode('ruleset', ruleset.id);
    return { id, url: rulesetUrl(presenting, id), name: ruleset.name, slow: [...slow] };
  }),
});

/** @param isNew whether the APK did not match before */
export const presentHuntedMatch = (
  match: Match,
  isNew: boolean,
): z.infer<typeof huntedMatchListSchema>['results'][number] => ({ ...match, is_new: isNew });

export const presentHuntFailure = (
  presenting: Presenting,
  { code, message, createdAt }: Awaited<ReturnType<Retrohunts['failures']>>['items'][number],
  apk: ApkRecord,
): z.infer<typeof huntFailureListSchema>['results'][number] => ({
  apk: presentApkReference(presenting, apk),
  code,
  message,
  created_at: timestamp(createdAt),
});
