// Notifications over HTTP: reading them and marking them as read.
import type { notificationOperations } from '../../contract/operations/notifications.ts';
import { Failure } from '../../services/failure.ts';
import type { PublicIds } from '../../services/public-ids.ts';
import { queryOf } from '../addressing.ts';
import { type Handlers, noContent, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentNotification } from '../presenters/notification.ts';

function numberOf(ids: PublicIds, id: string): number {
  const number = ids.decode('notification', id);
  if (number === null) throw new Failure('not-found');
  return number;
}

export const notificationHandlers: Handlers<typeof notificationOperations> = {
  'GET /notifications/': async ({ request, query, account, presenting, services: { notifications, ids } }) => {
    const asked = pageRequestOf(queryOf(request), ids);
    const types = query.type === undefined ? undefined : [query.type];
    const filter = { accountId: account.id, types, isRead: query.is_read };
    const { items, hasOlder, hasNewer } = await notifications.page({ ...asked, ...filter });
    const page = {
      items: items.map((view) => ({ id: view.record.id, view })),
      hasOlder,
      hasNewer,
      count: await notifications.count(filter),
    };
    return ok(
      cursorPage(request, asked, ids, page, ({ view }) => presentNotification(presenting, view, account.username)),
    );
  },

  'POST /notifications/mark_all_as_read/': async ({ account, services: { notifications } }) => {
    await notifications.markAllRead(account);
    return noContent;
  },

  'GET /notifications/<id>/': async ({ params, account, presenting, services: { notifications, ids } }) => {
    const view = await notifications.get(account, numberOf(ids, params.id));
    return ok(presentNotification(presenting, view, account.username));
  },

  'PUT|PATCH /notifications/<id>/': async ({ params, body, account, presenting, services: { notifications, ids } }) => {
    const view = await notifications.setRead(account, numberOf(ids, params.id), body.is_read);
    return ok(presentNotification(presenting, view, account.username));
  },
};
