// What of an analysis its APK's risk is weighed by and its code shows: small, where reports are megabytes. Imports zod only.
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

/** Texts that one run tells of. */
export const maxDecodedTexts = 2000;

/** A text that the code made of data in a run, decrypted or decoded, where it uses it. */
export const decodedTextSchema = z.strictObject({
  /** `La/B;->m(I)V` */
  method: z.string().max(4000),
  /** Code units from the method's start. */
  address: z.int().nonnegative(),
  text: z.string().max(1000),
});
export type DecodedText = z.infer<typeof decodedTextSchema>;
export const decodedTextsSchema = z.array(decodedTextSchema).max(maxDecodedTexts);

export const reportEvidenceSchema = z.strictObject({
  findings: findingsSchema,
  uses: codeUsesSchema,
  /** Of a run; absent where none says so. */
  decoded: decodedTextsSchema.optional(),
});
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
