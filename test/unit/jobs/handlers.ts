// Handlers of jobs for tests that run some kinds alone.
import type { JobHandlers } from '../../../server/jobs/job-runner.ts';

const unexpected = async (): Promise<never> => {
  throw new Error('no job of this kind was expected');
};
const none: JobHandlers = {
  static: unexpected,
  dynamic: unexpected,
  yara: unexpected,
  antivirus: unexpected,
  retrohunt: unexpected,
  dry_run: unexpected,
  bulk: unexpected,
  device_import: unexpected,
  device_run: unexpected,
};

/** These, and for all other kinds ones that fail. */
export const handlersWith = (some: Partial<JobHandlers>): JobHandlers => ({ ...none, ...some });
