// Notifications for clients of the older generation.
import type { LegacyNotification } from '../../../contract/legacy.ts';
import type { legacyNotificationOperations } from '../../../contract/operations/legacy/notifications.ts';
import { Failure } from '../../../services/failure.ts';
import type { NotificationView } from '../../../services/people/notifications.ts';
import type { Services } from '../../../services/services.ts';
import { queryOf } from '../../addressing.ts';
import { type Handlers, ok } from '../../operation.ts';
import { cursorPage, pageRequestOf } from '../../paging.ts';
import { presentLegacyNotification, typesOfOlder } from '../../presenters/legacy/notification.ts';
import type { Presenting } from '../../presenters/presenting.ts';
import { integerId, legacyAnalysts, legacyRulesets } from './records.ts';

async function present(
  presenting: Presenting,
  services: Services,
  views: readonly NotificationView[],
): Promise<LegacyNotification[]> {
  const rulesets = new Map(
    (
      await legacyRulesets(
        services,
        views.flatMap(({ ruleset }) => ruleset ?? []),
      )
    ).map((ruleset) => [ruleset.id, ruleset]),
  );
  const analysts = await legacyAnalysts(
    services,
    views.flatMap(({ analyst }) => analyst?.id ?? []),
  );
  return views.map((view) =>
    presentLegacyNotification(presenting, view, {
      ruleset: rulesets.get(view.ruleset?.id ?? 0) ?? null,
      analyst: analysts.get(view.analyst?.id ?? 0) ?? null,
    }),
  );
}

const idOf = (text: string): number => {
  const id = integerId(text);
  if (id === null) throw new Failure('not-found');
  return id;
};

export const legacyNotificationHandlers: Handlers<typeof legacyNotificationOperations> = {
  'GET /legacy/notifications/': async ({ request, query: { type, read: isRead }, account, presenting, services }) => {
    const asked = pageRequestOf(queryOf(request), services.ids);
    const filter = { accountId: account.id, types: typesOfOlder(type), isRead };
    const { items: views, ...ends } = await services.notifications.page({ ...filter, ...asked });
    const items = await present(presenting, services, views);
    const page = { items, ...ends, count: await services.notifications.count(filter) };
    return ok(cursorPage(request, asked, services.ids, page, (notification) => notification));
  },

  'POST /legacy/notifications/mark_all_as_read/': async ({ account, services }) => {
    await services.notifications.markAllRead(account);
    return ok({});
  },

  'GET /legacy/notifications/<id>/': async ({ params, account, presenting, services }) => {
    const view = await services.notifications.get(account, idOf(params.id));
    return ok((await present(presenting, services, [view]))[0]!);
  },

  'PUT|PATCH /legacy/notifications/<id>/': async ({ params, body: { read }, account, presenting, services }) => {
    const view = await services.notifications.setRead(account, idOf(params.id), read);
    return ok((await present(presenting, services, [view]))[0]!);
  },
};
