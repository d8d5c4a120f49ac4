// Pages about APKs for people: which sections, and who may read them. Imports zod and names of parts.
import { z } from 'zod';
import { comparedParts } from '../engine/comparison.ts';
import { publicIdSchema } from '../list.ts';

/** Traffic Light Protocol 2.0, https://www.first.org/tlp/ */
export const tlpMarks = ['clear', 'green', 'amber', 'amber+strict', 'red'] as const;
export type TlpMark = (typeof tlpMarks)[number];

/** In the page's order. */
export const pageSections = ['verdict', 'risk', 'techniques', 'signer', 'rules', 'indicators'] as const;
export type PageSection = (typeof pageSections)[number];

/** Of a page about several APKs, in its order; `entries` are those of a case. */
export const groupSections = ['entries', 'verdicts', 'apks', 'techniques', 'indicators'] as const;
export type GroupSection = (typeof groupSections)[number];

/** Of a page about two APKs. */
export const comparisonSections = ['manifest', ...comparedParts] as const;
export type ComparisonSection = (typeof comparisonSections)[number];

/** Several hundred characters hold every section some times. */
const maxLength = 500;

export const pageFormats = ['html', 'pdf'] as const;
export type PageFormat = (typeof pageFormats)[number];

const pageFields = <Section extends string>(sections: readonly Section[]) => ({
  tlp: z.enum(tlpMarks).optional().describe('Who may read it, by the Traffic Light Protocol; no mark without it'),
  format: z.enum(pageFormats).default('html').describe('One HTML file, or a PDF file'),
  sections: z
    .string()
    .max(maxLength)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(sections)).min(1))
    .optional()
    .describe(`Separated by commas; all without it: ${sections.join(', ')}`),
});

export const apkPageQuerySchema = z.object(pageFields(pageSections));
export const comparisonPageQuerySchema = z.object(pageFields(comparisonSections));

const subjects = ['search', 'family', 'case'] as const;
export const groupPageQuerySchema = z
  .object({
    ...pageFields(groupSections),
    search: z.string().max(10_000).optional().describe('About the APKs that this search finds'),
    family: publicIdSchema.optional().describe('About the members of this family'),
    case: publicIdSchema.optional().describe('About this case'),
  })
  .refine((query) => subjects.filter((name) => query[name] !== undefined).length === 1, {
    path: ['search'],
    message: `Name one of ${subjects.join(', ')}.`,
  });
