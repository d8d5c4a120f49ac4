// How the APKs that a search finds are spread. Imports zod only.
import { z } from 'zod';

const facetValueSchema = z.object({
  /** `true`, a tag, a signer's SHA-256, an SDK level, a month, the lower end of a size in bytes. */
  value: z.string(),
  /** For people: of a signer its company, of a finding its title, of a technique its name. */
  label: z.string(),
  count: z.number().int(),
  /** What narrows the search to these: put it behind the search with a blank between. */
  search: z.string(),
});
export type FacetValue = z.infer<typeof facetValueSchema>;

/** The most common values first; levels, sizes and months upwards. Values without an APK are left out. */
export const facetsSchema = z.object({
  /** Exact, as the counts of all facets but `domain` and `ip`. */
  count: z.number().int(),
  /** Those of `domain` and `ip` are estimated from so many APKs; null: they are exact, too. */
  sampled: z.number().int().nullable(),
  facets: z.object({
    /** The gravest first. */
    verdict: z.array(facetValueSchema),
    family: z.array(facetValueSchema),
    /** Levels, the gravest first. */
    risk: z.array(facetValueSchema),
    severity: z.array(facetValueSchema),
    /** Codes of findings. */
    finding: z.array(facetValueSchema),
    /** Ids of techniques of MITRE ATT&CK. */
    technique: z.array(facetValueSchema),
    tracker: z.array(facetValueSchema),
    /** Known libraries in the code. */
    library: z.array(facetValueSchema),
    /** Methods of the platform that the functionalities are known by. */
    api: z.array(facetValueSchema),
    /** In code or contacted; with those below it. */
    domain: z.array(facetValueSchema),
    ip: z.array(facetValueSchema),
    /** Names of matching rules, of those that one may see. */
    rule: z.array(facetValueSchema),
    /** `good`, `bad`: what lists of known files and signers say, and their names. */
    known: z.array(facetValueSchema),
    list: z.array(facetValueSchema),
    detected: z.array(facetValueSchema),
    /** `static`, `dynamic`, `yara`: an APK counts at each analysis that it had. */
    analyzed: z.array(facetValueSchema),
    trusted: z.array(facetValueSchema),
    corrupted: z.array(facetValueSchema),
    /** What is wrong with those: `unsigned`, `signature`, `damaged`. */
    damage: z.array(facetValueSchema),
    tag: z.array(facetValueSchema),
    signer: z.array(facetValueSchema),
    target_sdk: z.array(facetValueSchema),
    min_sdk: z.array(facetValueSchema),
    size: z.array(facetValueSchema),
    /** Months of arrival, `2022-01`. */
    date: z.array(facetValueSchema),
  }),
});
export type Facets = z.infer<typeof facetsSchema>;

export const facetsQuerySchema = z.object({
  search: z.string().optional(),
  values: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('How many values are listed of facets that may have any number of them; 20 by default'),
});
