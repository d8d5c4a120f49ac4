// The audit log, as the owner reads it. Imports zod only.
import { z } from 'zod';
import { filterSchema, pageQuerySchema, pageSchema, publicIdSchema, timestampSchema } from '../list.ts';

export const auditRecordSchema = z.object({
  id: publicIdSchema,
  at: timestampSchema,
  /** As it was then; empty for somebody without an account. */
  username: z.string(),
  /** Refusals tell the network of an IPv6 address; empty: the command line, or refusals from too many networks. */
  address: z.string(),
  /** Method and address pattern, as `DELETE /apks/:sha256`. */
  action: z.string(),
  /** What that is, for people. */
  words: z.string(),
  /** What it was done to: the segments of the address, or a name. */
  subject: z.string(),
  /** HTTP status of the answer. */
  status: z.number().int(),
  /** More than one: refusals of one kind within an hour, from `at` to `last_at`. */
  count: z.number().int(),
  last_at: timestampSchema,
});
export type AuditRecordBody = z.infer<typeof auditRecordSchema>;

export const auditPageSchema = pageSchema(auditRecordSchema);
const day = z.iso.date('A day is written 2026-01-31.');
const auditFilter = {
  username: z.string().optional(),
  action: filterSchema(z.string().max(200)).describe('Part of the action or of its words'),
  from: filterSchema(day).describe('The first day (UTC)'),
  to: filterSchema(day).describe('The last day (UTC)'),
};
export const auditQuerySchema = pageQuerySchema.extend(auditFilter);
export const auditExportQuerySchema = z.object({
  format: z.enum(['csv', 'jsonl']).default('jsonl'),
  ...auditFilter,
});
