// What workers can reach on this machine, as it was measured, over HTTP, for the owner alone.
import { isolationReportSchema } from '../../contract/isolation.ts';
import { Failure } from '../../services/failure.ts';
import { isAllowed } from '../../services/policies.ts';
import { ok, operation, type Resource } from '../operation.ts';

const show = operation(
  {
    summary: 'What was tried to get out of a worker at the start, and what held it (owner)',
    access: 'token',
    answers: { 200: isolationReportSchema },
  },
  ({ account, services: { isolation } }) => {
    if (!isAllowed(account, 'settings.manage')) throw new Failure('not-allowed');
    return ok(isolation.report);
  },
);

export const isolationResources: Resource[] = [{ path: '/isolation', operations: { get: show } }];
