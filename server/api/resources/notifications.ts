// What the analyst of the token was told of, over HTTP.
import { z } from 'zod';
import {
  notificationChangesSchema,
  notificationListQuerySchema,
  notificationListSchema,
  notificationSchema,
} from '../../contract/notification.ts';
import { Failure } from '../../services/failure.ts';
import type { PublicIds } from '../../services/public-ids.ts';
import { queryOf } from '../addressing.ts';
import { noContent, ok, operation, type Resource } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentNotification } from '../presenters/notification.ts';

function numberOf(ids: PublicIds, id: string): number {
  const number = ids.decode('notification', id);
  if (number === null) throw new Failure('not-found');
  return number;
}

const list = operation(
  {
    summary: "The analyst's notifications, newest first",
    access: 'token',
    querySchema: notificationListQuerySchema.pick({ type: true, is_read: true }),
    answers: { 200: notificationListSchema },
  },
  async ({ request, query, account, presenting, services: { notifications, ids } }) => {
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
);

const detail = operation(
  { summary: 'One notification', access: 'token', answers: { 200: notificationSchema } },
  async ({ params, account, presenting, services: { notifications, ids } }) => {
    const view = await notifications.get(account, numberOf(ids, params.id!));
    return ok(presentNotification(presenting, view, account.username));
  },
);

const change = operation(
  {
    summary: 'Marks a notification as read or unread',
    access: 'token',
    bodySchema: notificationChangesSchema,
    answers: { 200: notificationSchema },
  },
  async ({ params, body, account, presenting, services: { notifications, ids } }) => {
    const view = await notifications.setRead(account, numberOf(ids, params.id!), body.is_read);
    return ok(presentNotification(presenting, view, account.username));
  },
);

const markAllRead = operation(
  {
    summary: 'Marks every notification as read',
    access: 'token',
    bodySchema: z.object({}),
    answers: { 204: null },
  },
  async ({ account, services: { notifications } }) => {
    await notifications.markAllRead(account);
    return noContent;
  },
);

export const notificationResources: Resource[] = [
  { path: '/notifications', operations: { get: list } },
  { path: '/notifications/mark_all_as_read', operations: { post: markAllRead } },
  { path: '/notifications/:id', operations: { get: detail, put: change, patch: change } },
];
