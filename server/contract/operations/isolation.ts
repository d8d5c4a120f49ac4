// What workers can reach on this machine, as it was measured, over HTTP, for the owner alone.
import { isolationReportSchema, scanMemorySchema } from '../workstation/isolation.ts';
import type { Operations } from './operation.ts';

export const isolationOperations = {
  'GET /isolation/': {
    summary:
      'Results of the sandbox test at the start: the ways out that were tried, and which were blocked; what scans may take of the memory (owner)',
    access: 'token',
    policy: 'settings.manage',
    answers: { 200: isolationReportSchema.extend({ memory: scanMemorySchema }) },
  },
} satisfies Operations;
