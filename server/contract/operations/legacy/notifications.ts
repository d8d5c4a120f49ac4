// Notifications over HTTP, as clients of the older API know them.
import { z } from 'zod';
import {
  legacyNotificationChangesSchema,
  legacyNotificationFiltersSchema,
  legacyNotificationSchema,
} from '../../legacy.ts';
import { pageSchema } from '../../list.ts';
import type { Operations } from '../operation.ts';

export const legacyNotificationOperations = {
  'GET /legacy/notifications/': {
    summary: 'Notifications, newest first (older API)',
    access: 'token',
    query: legacyNotificationFiltersSchema,
    paging: 'cursor',
    answers: { 200: pageSchema(legacyNotificationSchema) },
  },
  'POST /legacy/notifications/mark_all_as_read/': {
    summary: 'Marks all notifications as read (older API)',
    access: 'token',
    body: z.object({}),
    answers: { 200: z.object({}) },
  },
  'GET /legacy/notifications/<id>/': {
    summary: 'One notification (older API)',
    access: 'token',
    answers: { 200: legacyNotificationSchema },
  },
  'PUT|PATCH /legacy/notifications/<id>/': {
    summary: 'Marks a notification as read or not (older API)',
    access: 'token',
    body: legacyNotificationChangesSchema,
    answers: { 200: legacyNotificationSchema },
  },
} satisfies Operations;
