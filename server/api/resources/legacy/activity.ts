// What analysts did over HTTP, as clients of the older API know it: of one of them, and of everybody.
import type { LegacyActivity } from '../../../contract/legacy.ts';
import type { legacyActivityOperations } from '../../../contract/operations/legacy/activity.ts';
import type { Profiles } from '../../../services/people/profiles.ts';
import type { Services } from '../../../services/services.ts';
import { queryOf } from '../../addressing.ts';
import { type Call, type Handlers, ok } from '../../operation.ts';
import { numberedPage, numberedPageRequestOf } from '../../paging.ts';
import { presentLegacyActivity } from '../../presenters/legacy/activity.ts';
import { presentLegacyApk } from '../../presenters/legacy/apk.ts';
import type { Presenting } from '../../presenters/presenting.ts';
import { legacyAnalysts, legacyComments, legacyRulesets } from './records.ts';

type Found = Awaited<ReturnType<Profiles['activity']>>;
async function present(presenting: Presenting, services: Services, found: Found): Promise<LegacyActivity[]> {
  const { records } = found;
  const byId = <Item extends { id: number }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]));
  const apks = await services.catalogue.findByIds(records.flatMap(({ apkId }) => apkId ?? []));
  const known = await services.rulesets.findByIds(records.flatMap(({ rulesetId }) => rulesetId ?? []));
  const rulesets = byId(await legacyRulesets(services, [...known.values()]));
  const comments = byId(await legacyComments(services, [...found.comments.values()]));
  const analysts = await legacyAnalysts(services, [...new Set(records.map(({ accountId }) => accountId))]);
  return records.map((record) => {
    const apk = apks.get(record.apkId ?? 0);
    return presentLegacyActivity(record, {
      analyst: analysts.get(record.accountId)!,
      apk: apk === undefined ? null : presentLegacyApk(presenting, apk),
      ruleset: rulesets.get(record.rulesetId ?? 0) ?? null,
      comment: comments.get(record.commentId ?? 0) ?? null,
    });
  });
}

/** Of an analyst in the address. */
const ofAnalyst =
  (read: 'activity' | 'followedActivity') =>
  async ({ request, params, account, presenting, services }: Call<'username'>) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const analyst = await services.accounts.get(params.username);
    const found = await services.profiles[read](analyst, account, asked);
    return ok(numberedPage(request, asked, found.count, await present(presenting, services, found)));
  };

export const legacyActivityHandlers: Handlers<typeof legacyActivityOperations> = {
  'GET /legacy/analysts/<username>/activity/': ofAnalyst('activity'),
  'GET /legacy/analysts/<username>/following/activity/': ofAnalyst('followedActivity'),

  'GET /legacy/activity/': async ({ request, account, presenting, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const found = await services.profiles.everybodysActivity(account, asked);
    return ok(numberedPage(request, asked, found.count, await present(presenting, services, found)));
  },
};
