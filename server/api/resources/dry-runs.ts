// Dry runs of rules over HTTP: one's own.
import { z } from 'zod';
import { dryRunSchema, newDryRunSchema } from '../../contract/dry-run.ts';
import { ruleFaultsSchema } from '../../contract/ruleset.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import { created, ok, operation, type Resource } from '../operation.ts';
import { presentDryRun } from '../presenters/dry-run.ts';

const find = ({ ids, dryRuns }: Services, account: AccountRecord, { id }: Record<string, string>) =>
  dryRuns.get(account, ids.decode('dry-run', id!));

const begin = operation(
  {
    summary: 'Tries rules on chosen APKs and on trusted ones, as a job; nothing of it becomes a match',
    access: 'token',
    bodySchema: newDryRunSchema,
    refusals: ['rules-not-checked'],
    answers: { 201: dryRunSchema, 400: ruleFaultsSchema },
  },
  async ({ body: { rules, apks, search, known_good }, account, presenting, services }) => {
    const input = { rules, apks, search, isOnKnownGood: known_good === true };
    return created(presentDryRun(presenting, await services.dryRuns.begin(account, input)));
  },
);

const detail = operation(
  { summary: 'A dry run with what it showed so far', access: 'token', answers: { 200: dryRunSchema } },
  async ({ params, account, presenting, services }) =>
    ok(presentDryRun(presenting, await find(services, account, params))),
);

const cancel = operation(
  { summary: 'Ends a dry run', access: 'token', bodySchema: z.object({}), answers: { 200: dryRunSchema } },
  async ({ params, account, presenting, services }) => {
    const run = await find(services, account, params);
    return ok(presentDryRun(presenting, await services.dryRuns.cancel(account, run)));
  },
);

export const dryRunResources: Resource[] = [
  { path: '/rulesets/dry_run', operations: { post: begin } },
  { path: '/dry_runs/:id', operations: { get: detail } },
  { path: '/dry_runs/:id/cancel', operations: { post: cancel } },
];
