// Packages of rulesets that were imported together, over HTTP. Imports zod only.
import { z } from 'zod';
import { comparedLinesSchema } from '../engine/comparison.ts';
import { jobSchema } from '../jobs/job.ts';
import { formBooleanSchema, timestampSchema, wholeListSchema } from '../list.ts';

const paths = z.array(z.string());

/** What an import did, by the paths of files in it. */
export const packageChangeSchema = z.object({
  added: paths,
  changed: paths,
  /** Their rulesets lie in the trash. */
  removed: paths,
  /** They cannot be used; what stood under their paths before stays. */
  refused: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Files that were too many, too large or damaged. */
  left_out: z.int(),
});
export type PackageChange = z.infer<typeof packageChangeSchema>;

const rulePackageSchema = z.object({
  name: z.string(),
  /** Empty: nothing said it. */
  version: z.string(),
  /** As SPDX calls it where it is known, else how its text begins; empty: there is none. */
  licence: z.string(),
  /** Name of the archive, or the address that it is from. */
  source: z.string(),
  /** Whether files that an update adds are enabled. */
  is_enabled: z.boolean(),
  is_public: z.boolean(),
  rulesets_count: z.int(),
  enabled_count: z.int(),
  rules_count: z.int(),
  matches_count: z.int(),
  /** Files whose text is that of another file of a package, too. */
  duplicates_count: z.int(),
  imported_at: timestampSchema,
  /** What the last import did. */
  last_change: z.object({
    added: z.int(),
    changed: z.int(),
    removed: z.int(),
    refused: z.int(),
    left_out: z.int(),
  }),
});
export type RulePackage = z.infer<typeof rulePackageSchema>;

export const rulePackageDetailSchema = rulePackageSchema.extend({ last_change: packageChangeSchema });

export const rulePackagesSchema = wholeListSchema(rulePackageSchema).extend({
  /** Imports since the server started that are under way or failed, and previews that wait for a decision, the newest first. */
  imports: z.array(z.object({ source: z.string(), is_preview: z.boolean(), job: jobSchema })),
});

/** What an import would do. */
export const packagePreviewSchema = z.object({
  name: z.string(),
  version: z.string(),
  is_new: z.boolean().describe('There is no package of its name yet'),
  change: packageChangeSchema,
  /** Of changed files, as long as there are not too many. */
  differences: z.array(z.object({ path: z.string(), lines: comparedLinesSchema })),
});
export type PackagePreview = z.infer<typeof packagePreviewSchema>;

const said = z.string().max(200).default('');
export const packageImportQuerySchema = z.object({
  name: said.describe('Of the package; empty: as its archive is called. A package of that name is updated'),
  version: said.describe('Empty: as its archive is called'),
  licence: said.describe('Empty: as a file of the archive says'),
  source: z.string().max(255).default('').describe('Where it is from; empty: the name of its file'),
  file_name: z.string().max(255).default('').describe('Of the archive, where no form says it'),
  is_enabled: formBooleanSchema.default(true).describe('Whether new rulesets are enabled'),
  is_public: formBooleanSchema.default(false).describe('Whether everybody sees them and what they match'),
  preview: formBooleanSchema.default(false).describe('Only say what would change, at the `result_url` of the job'),
});

export const packageSwitchSchema = z.object({ is_enabled: formBooleanSchema });
