// What `/events/` tells, as server-sent events: `event: <name>`, `data: <JSON>`. Imports zod only.
import { z } from 'zod';
import { apkSchema } from '../catalogue/apk.ts';
import { contentSearchSchema } from '../catalogue/content-search.ts';
import { jobSchema } from '../jobs/job.ts';
import { publicIdSchema, sha256Schema, timestampSchema } from '../list.ts';
import { matchSchema } from '../rules/match.ts';
import { retrohuntSchema } from '../rules/retrohunt.ts';
import { notificationSchema } from './notification.ts';

export const eventSchemas = {
  /** The first event of every connection. What happened before is read over the other addresses. */
  hello: z.object({ version: z.string(), time: timestampSchema }),
  /** A job of one's own (the owner: any) was queued, made progress or ended. */
  job: jobSchema,
  apk_created: apkSchema,
  apk_updated: apkSchema,
  notification: notificationSchema,
  /** A ruleset that one may see matches an incoming APK, newly or otherwise than before. Retrohunts tell of numbers alone. */
  match: matchSchema,
  /** A retrohunt of one's own began, got on or ended: at most some times a second. */
  retrohunt: retrohuntSchema,
  /** A search in files of one's own got on or ended: at most some times a second. */
  content_search: contentSearchSchema,
  /** Something was dismissed, or a dismissal undone: what holds for an APK is asked for anew. */
  dismissals_changed: z.object({ id: publicIdSchema }),
  /** Code of an APK was named or noted otherwise: what shows it is asked for anew. */
  code_names_changed: z.object({ sha256: sha256Schema }),
  /** The name, the note or the members of a family changed: what shows it is asked for anew. */
  family_changed: z.object({ id: publicIdSchema }),
  apk_deleted: z.object({ sha256: sha256Schema }),
} as const;

export type EventName = keyof typeof eventSchemas;
export type WorkstationEvent = {
  [Name in EventName]: { name: Name; data: z.infer<(typeof eventSchemas)[Name]> };
}[EventName];
