// Dry runs of rules over HTTP: one's own.
import { z } from 'zod';
import { dryRunSchema, newDryRunSchema } from '../rules/dry-run.ts';
import { ruleFaultsSchema } from '../rules/ruleset.ts';
import type { Operations } from './operation.ts';

export const dryRunOperations = {
  'POST /rulesets/dry_run/': {
    summary: 'Tries rules on chosen APKs and on trusted ones, as a job; nothing of it becomes a match',
    access: 'token',
    body: newDryRunSchema,
    refusals: ['rules-not-checked'],
    answers: { 201: dryRunSchema, 400: ruleFaultsSchema },
  },
  'GET /dry_runs/<id>/': {
    summary: 'A dry run with what it showed so far',
    access: 'token',
    answers: { 200: dryRunSchema },
  },
  'POST /dry_runs/<id>/cancel/': {
    summary: 'Ends a dry run',
    access: 'token',
    body: z.object({}),
    answers: { 200: dryRunSchema },
  },
} satisfies Operations;
