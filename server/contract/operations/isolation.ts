// What workers can reach on this machine, as it was measured, over HTTP, for the owner alone.
import { isolationReportSchema } from '../workstation/isolation.ts';
import type { Operations } from './operation.ts';

export const isolationOperations = {
  'GET /isolation/': {
    summary: 'What was tried to get out of a worker at the start, and what held it (owner)',
    access: 'token',
    policy: 'settings.manage',
    answers: { 200: isolationReportSchema },
  },
} satisfies Operations;
