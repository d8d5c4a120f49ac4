// Indicators of APKs for other programs: which APKs, in which format. Imports zod only.
import { z } from 'zod';
import { publicIdSchema, sha256Schema } from '../list.ts';

export const indicatorFormats = ['csv', 'json', 'stix', 'misp'] as const;
export type IndicatorFormat = (typeof indicatorFormats)[number];

export const indicatorKinds = ['sha256', 'sha1', 'md5', 'package', 'certificate', 'url', 'domain', 'ip'] as const;
export type IndicatorKind = (typeof indicatorKinds)[number];

/** More are refused: whoever takes them in would get a list that nobody reads. */
export const maxExportedApks = 2000;

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

const selections = ['apk', 'search', 'family', 'ruleset', 'retrohunt', 'case'] as const;

export const indicatorQuerySchema = z
  .object({
    format: z.enum(indicatorFormats),
    defanged: flag
      .optional()
      .describe('Hosts and addresses in a form that no program opens by chance; with `csv` and `json` alone'),
    apk: sha256Schema.optional().describe('Of this APK'),
    search: z.string().max(10_000).optional().describe('Of the APKs that this search finds'),
    family: publicIdSchema.optional().describe('Of the members of this family'),
    ruleset: publicIdSchema.optional().describe('Of the APKs that this ruleset matches'),
    case: publicIdSchema.optional().describe('Of the APKs of this case'),
    retrohunt: publicIdSchema.optional().describe('Of the APKs that a retrohunt found'),
  })
  .refine((query) => selections.filter((name) => query[name] !== undefined).length === 1, {
    path: ['apk'],
    message: `Name one of ${selections.join(', ')}.`,
  })
  .refine(({ format, defanged }) => defanged !== true || format === 'csv' || format === 'json', {
    path: ['defanged'],
    message: 'Programs that read STIX and MISP need hosts as they are: ask for csv or json.',
  });
export type IndicatorQuery = z.output<typeof indicatorQuerySchema>;
