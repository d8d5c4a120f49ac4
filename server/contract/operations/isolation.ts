// What workers can reach on this machine, as it was measured, over HTTP, for the owner alone.
import { isolationReportSchema } from '../workstation/isolation.ts';
import type { Operations } from './operation.ts';

export const isolationOperations = {
  'GET /isolation/': {
    summary: 'Results of the sandbox test at the start: the ways out that were tried, and which were blocked (owner)',
    access: 'token',
    policy: 'settings.manage',
    answers: { 200: isolationReportSchema },
  },
} satisfies Operations;
