// The feed over HTTP, as clients of the older API know it: the zips themselves.
import { z } from 'zod';
import type { Operation, Operations } from '../operation.ts';

const zip = (summary: string) =>
  ({
    summary: `${summary}, as a zip (older API)`,
    access: 'token',
    policy: 'feed.read',
    policyRefusal: 'feed-not-allowed',
    query: z.object({
      package: z
        .string()
        .optional()
        .describe('`%Y%m%dT%H%M`, or `%Y%m%dT%H` for an hour; the last 5 minutes without it'),
    }),
    refusals: ['not-found'],
    answers: { 200: ['application/zip'] },
  }) as const satisfies Operation;

export const legacyFeedOperations = {
  'GET /legacy/feed/apks/': zip('Links to new APKs'),
  'GET /legacy/feed/analyses/': zip('Detections'),
  'GET /legacy/feed/detected/': zip('Detections of detected APKs'),
} satisfies Operations;
