// Dry runs of rules over HTTP: one's own.
import type { dryRunOperations } from '../../contract/operations/dry-runs.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import { created, type Handlers, ok } from '../operation.ts';
import { presentDryRun } from '../presenters/rules/dry-run.ts';

const find = ({ ids, dryRuns }: Services, account: AccountRecord, { id }: { id: string }) =>
  dryRuns.get(account, ids.decode('dry-run', id));

export const dryRunHandlers: Handlers<typeof dryRunOperations> = {
  'POST /rulesets/dry_run/': async ({ body: { rules, apks, search, known_good }, account, presenting, services }) => {
    const input = { rules, apks, search, isOnKnownGood: known_good === true };
    return created(presentDryRun(presenting, await services.dryRuns.begin(account, input)));
  },

  'GET /dry_runs/<id>/': async ({ params, account, presenting, services }) =>
    ok(presentDryRun(presenting, await find(services, account, params))),

  'POST /dry_runs/<id>/cancel/': async ({ params, account, presenting, services }) => {
    const run = await find(services, account, params);
    return ok(presentDryRun(presenting, await services.dryRuns.cancel(account, run)));
  },
};
