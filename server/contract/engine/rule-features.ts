// What of an APK a rule could look for, as a worker read it. Imports zod only.
import { z } from 'zod';
import { androguardTermFields } from './report-terms.ts';

/** Bytes of one text. */
export const maxTextBytes = 120;
/** Bytes of one piece of code. */
export const maxPieceBytes = 48;
/** Of one APK, the most telling ones. */
export const maxFeatures = { report: 400, text: 1500, file: 800, code: 1500 } as const;
/** UTF-16 units of a value that a report names, and of a place. */
export const maxReportValue = 300;
export const maxFeaturePlace = 500;

/** Members of the modules by which rules ask reports; `domain`: hosts in `androguard.url`. */
export const reportMembers = [
  'package_name',
  'app_name',
  'certificate.sha1',
  'domain',
  'dns_lookup',
  ...(Object.keys(androguardTermFields) as (keyof typeof androguardTermFields)[]).filter((field) => field !== 'url'),
] as const;
export type ReportMember = (typeof reportMembers)[number];

/** How much it tells, whatever else has it. */
const scoreSchema = z.number().min(0).max(1000);
const placeSchema = z.string().max(maxFeaturePlace);
const bytesInHexSchema = z
  .string()
  .regex(/^(?:[0-9a-f]{2})+$/)
  .max(maxTextBytes * 2);

/** A text that own code loads (`where`: its class), or that a file holds (`where`: its name). */
const textFeatureSchema = z.strictObject({ hex: bytesInHexSchema, score: scoreSchema, where: placeSchema });
export type TextFeature = z.infer<typeof textFeatureSchema>;

export const ruleFeaturesSchema = z.strictObject({
  report: z
    .array(
      z.strictObject({
        member: z.enum(reportMembers as readonly [ReportMember, ...ReportMember[]]),
        value: z.string().min(1).max(maxReportValue),
      }),
    )
    .max(maxFeatures.report),
  text: z.array(textFeatureSchema).max(maxFeatures.text),
  file: z.array(textFeatureSchema).max(maxFeatures.file),
  code: z
    .array(
      z.strictObject({
        /** Pairs of hexadecimal digits and `??`, with blanks between. */
        pattern: z
          .string()
          .regex(/^(?:[0-9a-f]{2}|\?\?)(?: (?:[0-9a-f]{2}|\?\?))*$/)
          .max(maxPieceBytes * 3),
        score: scoreSchema,
        /** The method, `Lcom/a/B;->m(I)V`. */
        where: placeSchema,
        /** Of the method, as sketches of code have it. */
        hash: z.int().nonnegative(),
      }),
    )
    .max(maxFeatures.code),
});
export type RuleFeatures = z.infer<typeof ruleFeaturesSchema>;
