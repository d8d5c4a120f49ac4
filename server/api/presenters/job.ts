// Jobs in their current shape.
import type { Job } from '../../contract/jobs/job.ts';
import { payloadOf } from '../../contract/jobs/job-kinds.ts';
import type { JobRecord } from '../../services/analyses/analyses.ts';
import type { ApkRecord } from '../../services/catalogue/catalogue.ts';
import { presentApkReference } from './apk.ts';
import { type Presenting, timestamp, timestampOrNull } from './presenting.ts';

/** The address of what a job made besides a report: a retrohunt, a dry run, proposed rules, a preview. */
function resultUrl({ baseUrl, ids }: Presenting, job: JobRecord): string | null {
  const hunt = payloadOf('retrohunt', job);
  if (hunt !== null) return `${baseUrl}/retrohunts/${ids.encode('retrohunt', hunt.retrohuntId)}/`;
  const dryRun = payloadOf('dry_run', job);
  if (dryRun !== null) return `${baseUrl}/dry_runs/${ids.encode('dry-run', dryRun.dryRunId)}/`;
  const proposal = payloadOf('rule_proposal', job);
  if (proposal !== null) return `${baseUrl}/rule_proposals/${ids.encode('rule-proposal', proposal.proposalId)}/`;
  if (job.status === 'done' && payloadOf('rule_packages', job)?.isPreview === true)
    return `${baseUrl}/rule-packages/previews/${ids.encode('job', job.id)}/`;
  return null;
}

/** @param apk the APK it is about, null where it is about none or that was deleted */
export function presentJob(presenting: Presenting, job: JobRecord, apk: ApkRecord | null): Job {
  const id = presenting.ids.encode('job', job.id);
  const isCancelled = job.status === 'cancelled';
  return {
    id,
    url: `${presenting.baseUrl}/jobs/${id}/`,
    kind: job.kind,
    // The interface knows no state of its own for what was cancelled: it has failed, and the code says why.
    status: job.status === 'cancelled' ? 'failed' : job.status,
    progress: job.progress,
    error: isCancelled ? (job.error ?? 'Cancelled.') : job.error,
    created_at: timestamp(job.createdAt),
    started_at: timestampOrNull(job.startedAt),
    finished_at: timestampOrNull(job.finishedAt),
    stage: job.stage,
    error_code: isCancelled ? 'cancelled' : job.errorCode,
    apk: apk === null ? null : presentApkReference(presenting, apk),
    result_url: resultUrl(presenting, job),
    machine: job.machine,
  };
}
