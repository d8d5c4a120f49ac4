// What of an analysis its APK's risk is weighed by: small, where reports are megabytes. Imports zod only.
import { z } from 'zod';
import { findingSchema } from '../findings/finding.ts';

/** Some dozens of each code. */
const maxFindings = 20_000;
const maxUses = 500;

export const findingsSchema = z
  .array(
    z.strictObject({
      ...findingSchema.shape,
      code: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/),
      where: z.string().max(1000),
      evidence: z.string().max(1000),
    }),
  )
  .max(maxFindings);

/** A permission that is asked for and used, or a functionality, with a place in the code. */
export const codeUseSchema = z.strictObject({
  kind: z.enum(['permission', 'functionality']),
  name: z.string().max(300),
  count: z.int().nonnegative(),
  /** `Lcom/a/B;->m()V` */
  where: z.string().max(1000),
  /** The instruction as androguard 3 prints it. */
  code: z.string().max(1000),
});
export type CodeUse = z.infer<typeof codeUseSchema>;

export const codeUsesSchema = z.array(codeUseSchema).max(maxUses);

export const reportEvidenceSchema = z.strictObject({ findings: findingsSchema, uses: codeUsesSchema });
export type ReportEvidence = z.infer<typeof reportEvidenceSchema>;

/** Of the reports that there are. */
export const reportsEvidenceSchema = z.strictObject({
  androguard: reportEvidenceSchema.nullable(),
  dynamic: reportEvidenceSchema.nullable(),
  device: reportEvidenceSchema.nullable(),
});
export type ReportsEvidence = z.infer<typeof reportsEvidenceSchema>;

/** Raised where evidence is read out of reports otherwise, or weighed otherwise: what is stored is then made anew. */
export const evidenceVersion = 2;
