// What the analyst of the token was told of, over HTTP.
import { z } from 'zod';
import {
  notificationChangesSchema,
  notificationListQuerySchema,
  notificationListSchema,
  notificationSchema,
} from '../people/notification.ts';
import type { Operations } from './operation.ts';

export const notificationOperations = {
  'GET /notifications/': {
    summary: "The analyst's notifications, newest first",
    access: 'token',
    query: notificationListQuerySchema.pick({ type: true, is_read: true }),
    paging: 'cursor',
    answers: { 200: notificationListSchema },
  },
  'POST /notifications/mark_all_as_read/': {
    summary: 'Marks every notification as read',
    access: 'token',
    body: z.object({}),
    answers: { 204: null },
  },
  'GET /notifications/<id>/': { summary: 'One notification', access: 'token', answers: { 200: notificationSchema } },
  'PUT|PATCH /notifications/<id>/': {
    summary: 'Marks a notification as read or unread',
    access: 'token',
    body: notificationChangesSchema,
    answers: { 200: notificationSchema },
  },
} satisfies Operations;
