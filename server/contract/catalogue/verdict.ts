// What the workstation's people say an APK is. Imports zod only.
import { z } from 'zod';
import { pageSchema, timestampSchema } from '../list.ts';

/** From the least grave on; `unknown`: nothing else was said, or it was taken back. */
export const verdicts = ['clean', 'unknown', 'suspicious', 'malicious'] as const;
export const verdictSchema = z.enum(verdicts);
export type Verdict = z.infer<typeof verdictSchema>;

/** What one analyst said, word for word. */
export const saidVerdictSchema = z.object({
  verdict: verdictSchema,
  /** Empty: none was named. */
  family: z.string(),
  note: z.string(),
  /** Username, as it was then. */
  analyst: z.string(),
  created_at: timestampSchema,
});
export type SaidVerdict = z.infer<typeof saidVerdictSchema>;

export const verdictHistorySchema = pageSchema(saidVerdictSchema);

/** The newest word; `unknown`, by nobody, before the first. */
export const standingVerdictSchema = saidVerdictSchema.extend({
  analyst: z.string().nullable(),
  created_at: timestampSchema.nullable(),
});
export type StandingVerdict = z.infer<typeof standingVerdictSchema>;

const line = z
  .string()
  .trim()
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'A family has no control characters.');

/** What is left out keeps its value; but a note is its word's, and so is the family of what is clean or unknown. */
export const newVerdictSchema = z.object({
  verdict: verdictSchema.optional(),
  family: line.optional(),
  note: z.string().trim().max(2000).optional(),
});
export type NewVerdict = z.infer<typeof newVerdictSchema>;
