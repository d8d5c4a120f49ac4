// A page about an APK for people: which sections, and who may read it. Imports zod only.
import { z } from 'zod';

/** Traffic Light Protocol 2.0, https://www.first.org/tlp/ */
export const tlpMarks = ['clear', 'green', 'amber', 'amber+strict', 'red'] as const;
export type TlpMark = (typeof tlpMarks)[number];

/** In the page's order. */
export const pageSections = ['verdict', 'risk', 'techniques', 'signer', 'rules', 'indicators'] as const;
export type PageSection = (typeof pageSections)[number];

const sectionSchema = z.enum(pageSections);
/** Several hundred characters hold every section some times. */
const maxLength = 500;

export const apkPageQuerySchema = z.object({
  tlp: z.enum(tlpMarks).optional().describe('Who may read it, by the Traffic Light Protocol; no mark without it'),
  sections: z
    .string()
    .max(maxLength)
    .transform((text) => text.split(','))
    .pipe(z.array(sectionSchema).min(1))
    .optional()
    .describe(`Separated by commas; all without it: ${pageSections.join(', ')}`),
});
