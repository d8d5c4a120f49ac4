// Analysis jobs over HTTP: one's own; the owner's list has all.
import { z } from 'zod';
import { jobListQuerySchema, jobListSchema, jobSchema } from '../jobs/job.ts';
import type { Operations } from './operation.ts';

export const jobOperations = {
  'GET /jobs/': {
    summary: 'Jobs, newest first',
    access: 'token',
    query: jobListQuerySchema.pick({ status: true, apk: true }),
    refusals: ['not-found'],
    paging: 'cursor',
    answers: { 200: jobListSchema },
  },
  'GET /jobs/<id>/': { summary: 'One job', access: 'token', answers: { 200: jobSchema } },
  'POST /jobs/<id>/cancel/': {
    summary: "Withdraws one's own request; the owner cancels the job",
    access: 'token',
    body: z.object({}),
    answers: { 200: jobSchema },
  },
} satisfies Operations;
