// An analysis job over HTTP. Imports zod only.
import { z } from 'zod';
import { apkReferenceSchema } from '../catalogue/apk.ts';
import { pageQuerySchema, pageSchema, publicIdSchema, timestampSchema, urlSchema } from '../list.ts';

export const analysisKinds = ['static', 'dynamic', 'yara', 'antivirus'] as const;
export type AnalysisKind = (typeof analysisKinds)[number];

export const jobStates = ['queued', 'running', 'done', 'partial', 'failed'] as const;

export const jobSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  kind: z.string(),
  status: z.enum(jobStates),
  /** 0 to 1. */
  progress: z.number(),
  /** Why it failed, in words; null where it did not. */
  error: z.string().nullable(),
  created_at: timestampSchema,
  started_at: timestampSchema.nullable(),
  finished_at: timestampSchema.nullable(),

  /** What is being done at the moment; empty where nothing is. */
  stage: z.string(),
  /** A stable name of the reason: `timeout`, `memory`, `crashed`, `cancelled` … */
  error_code: z.string().nullable(),
  apk: apkReferenceSchema.nullable(),
  /** What it works for, where that has an address of its own: a retrohunt, a dry run, proposed rules. */
  result_url: urlSchema.nullable(),
  /** Name of the other machine that did it; null: this one. */
  machine: z.string().nullable(),
});
export type Job = z.infer<typeof jobSchema>;

export const jobListSchema = pageSchema(jobSchema);
export const jobListQuerySchema = pageQuerySchema.extend({
  status: z
    .enum([...jobStates, 'active'])
    .optional()
    .describe('`active`: queued or running'),
  apk: z.string().optional().describe('SHA-256 of an APK'),
});
