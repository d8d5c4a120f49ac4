// Dry runs in their current shape.
import type { DryRun } from '../../../contract/rules/dry-run.ts';
import { slowRules } from '../../../services/rules/dry-run-result.ts';
import type { DryRunView } from '../../../services/rules/dry-runs.ts';
import { presentApkReference } from '../apk.ts';
import { presentJob } from '../job.ts';
import { type Presenting, timestamp } from '../presenting.ts';

export function presentDryRun(presenting: Presenting, { run, job, apks, expiresAt }: DryRunView): DryRun {
  const { result } = run;
  const { id, url, status, progress, error, error_code, created_at, started_at, finished_at } = presentJob(
    presenting,
    job,
    null,
  );
  const ownId = presenting.ids.encode('dry-run', run.id);
  return {
    id: ownId,
    url: `${presenting.baseUrl}/dry_runs/${ownId}/`,
    job: { id, url },
    ...{ status, progress, error, error_code, created_at, started_at, finished_at },
    apks_count: result.apks,
    known_good_count: result.knownGood,
    scanned_count: result.scanned,
    failed_count: result.failed,
    warnings: result.warnings,
    slow: slowRules(result),
    timing: {
      unit: result.measured > 0 ? 'rule' : 'ruleset',
      measured_count: result.measured,
      compile_ms: result.compileMs,
      scan_ms: result.scanMs,
      slowest_ms: result.slowestMs,
    },
    rules: result.rules.map((rule) => ({
      name: rule.name,
      matches_count: rule.matches,
      known_good_matches_count: rule.knownGoodMatches,
      files_count: rule.files,
      milliseconds: rule.milliseconds,
      strings: Object.entries(rule.strings)
        .map(([identifier, hits]) => ({ identifier, hits }))
        .sort((one, other) => other.hits - one.hits),
    })),
    matches_count: result.matchesCount,
    known_good_matches_count: result.knownGoodMatchesCount,
    // Deleted APKs are left out.
    matches: result.matches
      .toSorted((one, other) => Number(other.isKnownGood) - Number(one.isKnownGood))
      .flatMap(({ apkId, isKnownGood, rulesCount, rules }) => {
        const apk = apks.get(apkId);
        if (apk === undefined) return [];
        const reference = presentApkReference(presenting, apk);
        return [{ apk: reference, is_known_good: isKnownGood, rules_count: rulesCount, rules_matched: rules }];
      }),
    is_capped: result.isCapped,
    failures: result.failures.flatMap(({ apkId, code, message }) => {
      const apk = apks.get(apkId);
      return apk === undefined ? [] : [{ apk: presentApkReference(presenting, apk), code, message }];
    }),
    expires_at: timestamp(expiresAt),
  };
}
