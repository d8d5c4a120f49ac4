// Handlers of jobs for tests that run some kinds alone.
import { type JobKind, jobKindNames } from '../../../server/contract/jobs/job-kinds.ts';
import type { JobHandlers } from '../../../server/jobs/job-runner.ts';

const unexpected = async (): Promise<never> => {
  throw new Error('no job of this kind was expected');
};
const none = Object.fromEntries(jobKindNames.map((kind) => [kind, unexpected])) as Record<JobKind, typeof unexpected>;

/** These, and for all other kinds ones that fail. */
export const handlersWith = (some: Partial<JobHandlers>): JobHandlers => ({ ...none, ...some });
