// The APKs that nobody has judged yet, the riskiest first. Imports zod only.
import { z } from 'zod';
import { sha256Schema } from '../list.ts';
import { apkSchema } from './apk.ts';

export const queueQuerySchema = z.object({
  search: z.string().optional().describe('Only among what this search finds'),
  after: sha256Schema.optional().describe('The one that was looked at last: what comes behind it'),
});

export const queuePlaceSchema = z.object({
  /** How many the search finds that nobody has judged, passed ones among them. */
  left: z.number().int(),
  /** null: there is none behind the one that was looked at last. */
  apk: apkSchema.nullable(),
});
