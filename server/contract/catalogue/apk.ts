// An APK of the catalogue over HTTP, its reports and its links. Imports zod only.
import { z } from 'zod';
import { androguardReportSchema, archiveEntrySchema, cuckooReportSchema } from '../engine/reports.ts';
import { splitSchema } from '../engine/split.ts';
import { severities } from '../findings/finding.ts';
import { riskSchema } from '../findings/risk.ts';
import {
  filterSchema,
  formBooleanSchema,
  pageQuerySchema,
  pageSchema,
  publicIdSchema,
  sha256Schema,
  timestampSchema,
  urlSchema,
} from '../list.ts';
import { childrenSummarySchema } from './child.ts';
import { damages } from './damage.ts';
import { maxFileNames } from './file-name.ts';
import { knownSchema } from './known.ts';
import { maxBeside } from './split-names.ts';
import { verdictSchema } from './verdict.ts';

/** What the workstation itself knows, beside what clients of the original service read. */
const workstationSchema = z.object({
  /** What its people said last. */
  verdict: verdictSchema,
  /** Empty: none was named. */
  family: z.string(),
  /** What was said to it. */
  note: z.string(),
  /** null before the first report. */
  risk: riskSchema.nullable(),
  /** Of the gravest finding that nobody has dismissed; null: there is none. */
  severity: z.enum(severities).nullable(),
  /** How many different ones its reports name: what `finding:`, `technique:`, `tracker:` and `library:` find; null before the first report. */
  findings_count: z.number().int().nullable(),
  techniques_count: z.number().int().nullable(),
  trackers_count: z.number().int().nullable(),
  libraries_count: z.number().int().nullable(),
  /** Methods of the platform that the functionalities are known by. */
  apis_count: z.number().int().nullable(),
  /** Domains and addresses in its code and of its traffic. */
  hosts_count: z.number().int().nullable(),
  /** What is wrong with what `is_corrupted`; null: nothing, or nobody has looked yet. */
  damage: z.enum(damages).nullable(),
  /** Under which the file came, the newest first. */
  file_names: z.array(z.string()).max(maxFileNames),
  /** Files of code that came out of it; null: none, or none was looked for yet. */
  children: childrenSummarySchema.nullable(),
  /** What lists of known files and signers say of it: a hint, no verdict. */
  known: z.array(knownSchema),
  /** The family of APKs whose code is much the same; null: none is. The APK's own answer says more of it. */
  code_family: z.object({ id: publicIdSchema, name: z.string() }).nullable(),
});

export const apkSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  sha256: sha256Schema,
  md5: z.string(),
  sha1: z.string(),
  app: z.string(),
  package_name: z.string(),
  company: z.string(),
  version: z.string(),
  /** Address of the app's icon, readable without a token; null where there is none. */
  image: urlSchema.nullable(),
  /** Bytes. */
  size: z.number().int(),
  tags: z.array(z.string()),
  is_trusted: z.boolean(),
  is_installed: z.boolean(),
  /** Positive minus negative votes. */
  rating: z.number().int(),
  is_detected: z.boolean(),
  is_corrupted: z.boolean(),
  is_static_analyzed: z.boolean(),
  is_dynamic_analyzed: z.boolean(),
  last_yara_analysis_at: timestampSchema.nullable(),
  created_at: timestampSchema,

  updated_at: timestampSchema,
  comments_count: z.number().int(),
  votes_count: z.number().int(),
  matches_count: z.number().int(),
  version_code: z.string(),
  /** What the last access to the stored file found. */
  file_state: z.enum(['ok', 'missing', 'altered']),
  /** SDK levels of the manifest; null until its static report is stored, or where it names none. */
  min_sdk: z.number().int().nullable(),
  target_sdk: z.number().int().nullable(),

  workstation: workstationSchema,
});
export type Apk = z.infer<typeof apkSchema>;

/** One reason for an APK to count as detected. */
export const detectionSchema = z.object({
  /** `ruleset-<id>`, `community` or the name of an antivirus. */
  source: z.string(),
  information: z.record(z.string(), z.unknown()),
});
export type Detection = z.infer<typeof detectionSchema>;

/** A split APK that is installed with an APK. */
const apkPartSchema = z.object({
  sha256: sha256Schema,
  sha1: z.string(),
  md5: z.string(),
  size: z.int(),
  /** As its file was called. */
  name: z.string(),
  adds: splitSchema,
});
export type ApkPart = z.infer<typeof apkPartSchema>;

export const apkDetailSchema = apkSchema.extend({
  /** The app is installed with these; empty: it is one file. */
  parts: z.array(apkPartSchema),
  /** Files that it came in with its parts. */
  containers: z.array(z.object({ sha256: sha256Schema, name: z.string() })),
  detections: z.array(detectionSchema.extend({ created_at: timestampSchema, updated_at: timestampSchema })),
  /** APKs whose code is much the same, with it; null: none is. */
  code_family: z
    .object({ id: publicIdSchema, url: urlSchema, name: z.string(), is_confirmed: z.boolean(), apks_count: z.int() })
    .nullable(),
});
export type ApkDetail = z.infer<typeof apkDetailSchema>;

/** An APK as other records mention it. */
export const apkReferenceSchema = apkSchema.pick({
  sha256: true,
  url: true,
  app: true,
  package_name: true,
  version: true,
  image: true,
});
export type ApkReference = z.infer<typeof apkReferenceSchema>;

export const apkListSchema = pageSchema(apkSchema);
export const apkListQuerySchema = pageQuerySchema.extend({
  search: z
    .string()
    .optional()
    .describe(
      'Words (of app, package, company, or a whole hash), `"phrases"`, `word*`, `word~1`, `field:value` and `field:*` (any at all), with `AND`, `OR`, `NOT`, `-` and parentheses; numbers and dates also `>=1` and `[1 TO 9]`',
    ),
  ordering: z
    .string()
    .optional()
    .describe(
      'Columns with commas between them, `-` before what is to fall, newest first among equals: created_at, updated_at, app, package_name, company, size, rating, matches_count, comments_count, votes_count, min_sdk, target_sdk, is_detected, is_trusted, is_corrupted, is_installed, is_static_analyzed, is_dynamic_analyzed, risk, severity, findings_count, techniques_count, trackers_count, libraries_count, apis_count, hosts_count, verdict, family. `-created_at` by default',
    ),
  skip: z
    .string()
    .regex(/^\d{1,9}$/, 'A whole number from 0 is required.')
    .optional()
    .describe('Begins the list so many APKs from its beginning; without effect beside a cursor'),
});

/** What an owner or expert may change. */
export const apkChangesSchema = z.object({ is_trusted: formBooleanSchema.optional() });

/** The three reports, each null until that analysis was performed. */
export const analysisSchema = z.object({
  cuckoo: cuckooReportSchema.nullable(),
  androguard: androguardReportSchema.nullable(),
  dynamic: z.record(z.string(), z.unknown()).nullable(),
});

/** The decoded AndroidManifest.xml as text, null where it does not parse. */
export const manifestSchema = z.object({ manifest: z.string().nullable() });

/** Every entry of the archive, in its own order. */
export const filesSchema = z.object({ files: z.array(archiveEntrySchema) });

/** A link valid for 3 minutes. */
export const downloadLinkSchema = z.object({ download_url: urlSchema });
export const downloadQuerySchema = z.object({
  locked: filterSchema(formBooleanSchema).describe('In a ZIP archive with the password `infected`, as samples travel'),
});
/** A link valid for 1 hour. */
export const uploadLinkSchema = z.object({ upload_url: urlSchema });

/** `import`: the analysis waits until what people asked for is done. */
export const uploadQuerySchema = z.object({
  source: z.enum(['upload', 'import']).optional(),
  name: z.string().optional().describe('Of the file, where no form says it'),
  part_of: z
    .string()
    .regex(
      new RegExp(`^[0-9a-f]{64}(?:,[0-9a-f]{64}){0,${maxBeside - 1}}$`),
      'SHA-256 of APKs, with commas between them.',
    )
    .optional()
    .describe('APKs that came with it: a split APK becomes a part of the one that it fits, and that one is the answer'),
  container: sha256Schema.optional().describe('SHA-256 of the file that it came in with its parts'),
  container_name: z.string().max(255).optional(),
});

/** The answer to a request for the analysis of every APK whose report is outdated. */
export const outdatedAnalysesSchema = z.object({ queued: z.number().int() });

/** How many static reports an older engine made, which knew neither all findings nor all names; 10,000 where there are more. */
export const outdatedCountSchema = z.object({ outdated: z.number().int() });
