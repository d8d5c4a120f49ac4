// What one action did with many APKs, in its current shape.
import type { BulkAnswer } from '../../contract/jobs/bulk.ts';
import type { BulkResult } from '../../services/analyses/bulk-actions.ts';
import { presentJob } from './job.ts';
import type { Presenting } from './presenting.ts';

export const presentBulkResult = (presenting: Presenting, { count, job, done, refused }: BulkResult): BulkAnswer => ({
  count,
  job: job === null ? null : presentJob(presenting, job, null),
  done,
  refused: refused.map(({ sha256, reason }) => ({ sha256, detail: reason })),
});
