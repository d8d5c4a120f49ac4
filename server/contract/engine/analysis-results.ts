// What the engine reads and makes: files, identities, reports made ready to be stored. Imports zod only.
import { z } from 'zod';
import { codeSketchSchema } from './code-sketch.ts';
import { codeUsesSchema, decodedTextsSchema, findingsSchema } from './evidence.ts';
import { fingerprintSchema } from './fingerprint.ts';
import { ownStringsSchema } from './own-strings.ts';
import { maxNameLetters, maxTermLength, maxTermsOfApk, reportTermFields } from './report-terms.ts';
import { androguardReportSchema, archiveEntrySchema, cuckooReportSchema } from './reports.ts';
import { maxIdentityPermissions, maxIdentityText, maxReportSize } from './result-limits.ts';
import { maxParts, splitSchema } from './split.ts';

/** As many as a lineage is read of. */
const maxSignerHistory = 30;
/** Windows' longest. */
const maxPathLength = 32_767;

/** Where a worker reads an APK from. `key` is the file's own key, in base64. */
export const fileReferenceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('plain'), path: z.string().max(maxPathLength) }),
  z.strictObject({ kind: z.literal('sealed'), path: z.string().max(maxPathLength), key: z.string().max(100) }),
]);
export type FileReference = z.infer<typeof fileReferenceSchema>;

export const bytesSchema = z.custom<Uint8Array>((bytes) => bytes instanceof Uint8Array);

/** A report as it is stored: JSON text of `size` bytes, compressed with zstd. Only workers look into large ones. */
export const packedReportSchema = z.strictObject({
  size: z.int().nonnegative().max(maxReportSize),
  compressed: bytesSchema,
});
export type PackedReport = z.infer<typeof packedReportSchema>;

/** Files of code that runs left, as `packArtefacts` puts them together. */
const leftByRunSchema = z.strictObject({ origin: z.enum(['run', 'device']), files: packedReportSchema });
/** A part of the app, which is installed with it. */
export const partFileSchema = z.strictObject({
  origin: z.literal('part'),
  name: z.string(),
  file: fileReferenceSchema,
});
export type PartFile = z.infer<typeof partFileSchema>;

/** What belongs to an APK and is not in its file. */
export const leftFilesSchema = z.array(z.union([leftByRunSchema, partFileSchema])).max(maxParts + 2);
export type LeftFiles = z.infer<typeof leftFilesSchema>;

/** Milliseconds by stage: of the processor where rules run, else of the clock. */
export const timingsSchema = z
  .record(z.string().regex(/^[a-z]{1,40}$/), z.number().nonnegative())
  .refine((timings) => Object.keys(timings).every((stage) => !(stage in Object.prototype)));

const identityTextSchema = z.string().max(maxIdentityText);

export const iconSchema = z.strictObject({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml']),
  bytes: bytesSchema,
});
export type Icon = z.infer<typeof iconSchema>;

/** Hashes of a certificate, upper-case hex. */
const signerSchema = z.strictObject({
  sha1: z.string().regex(/^[0-9A-F]{40}$/),
  sha256: z.string().regex(/^[0-9A-F]{64}$/),
});

/** Who an APK says it is, cheap enough to be read while its uploader waits. */
export const identitySchema = z.strictObject({
  packageName: identityTextSchema,
  appName: identityTextSchema,
  versionName: identityTextSchema,
  versionCode: identityTextSchema,
  minSdkVersion: z.number().nullable(),
  targetSdkVersion: z.number().nullable(),
  permissions: z.array(identityTextSchema).max(maxIdentityPermissions),
  /** O, else CN, of the signer's certificate; empty where there is none. */
  company: identityTextSchema,
  signer: signerSchema.nullable(),
  /** Why the APK counts as corrupted; empty where it does not. */
  corruptions: z.array(z.string().max(1000)).max(100),
  icon: iconSchema.nullable(),
  /** null: it is an app, or its base. */
  split: splitSchema.nullable(),
  findings: findingsSchema,
});
export type Identity = z.infer<typeof identitySchema>;

export const staticResultSchema = z.object({
  identity: identitySchema,
  androguard: androguardReportSchema,
  cuckoo: cuckooReportSchema,
  /** The decoded AndroidManifest.xml as text, null where it does not parse. */
  manifest: z.string().nullable(),
  files: z.array(archiveEntrySchema),
  /** It holds code that Android does not load by itself, or an archive that may. */
  carriesCode: z.boolean(),
  /** How many entries its archive has; null where not all of them were read, or one is not as long as it says. */
  entriesRead: z.int().nonnegative().nullable(),
  /** What searches find of the code, see `ReportTerms`. */
  names: z.string(),
  /** What other APKs are compared with; null where its code was not read to the end. */
  sketch: codeSketchSchema.nullable(),
  /** What else they are compared with. */
  fingerprint: fingerprintSchema.nullable(),
  /** Texts of its own code. */
  ownStrings: ownStringsSchema,
  /** Milliseconds of wall clock by stage. */
  timings: z.record(z.string(), z.number()),
});
export type StaticResult = z.infer<typeof staticResultSchema>;

/** What of the reports can be searched for. */
const reportTermsSchema = z.strictObject({
  terms: z
    .array(z.strictObject({ field: z.enum(reportTermFields), text: z.string().min(1).max(maxTermLength) }))
    .max(maxTermsOfApk),
  names: z.string().max(maxNameLetters).nullable(),
  minSdk: z.number().nullable(),
  targetSdk: z.number().nullable(),
});

/** A static analysis as a worker answers it. */
export const packedStaticSchema = z.strictObject({
  identity: identitySchema,
  /** `manifest` is `{manifest}` and `files` is `{files}` of the result. */
  reports: z.strictObject({
    androguard: packedReportSchema,
    cuckoo: packedReportSchema,
    manifest: packedReportSchema,
    files: packedReportSchema,
  }),
  index: reportTermsSchema,
  /** Certificates of the proof of rotation, oldest first, the signer's own last: each signed the next. */
  signerHistory: z.array(signerSchema).max(maxSignerHistory),
  carriesCode: z.boolean(),
  sketch: codeSketchSchema.nullable(),
  fingerprint: fingerprintSchema.nullable(),
  ownStrings: ownStringsSchema,
  /** Those of the androguard report. */
  findings: findingsSchema,
  uses: codeUsesSchema,
  /** Fingerprints of its files where they were asked for and all could be read, as `packPrints` puts them together. */
  prints: bytesSchema.optional(),
  timings: timingsSchema,
});
export type PackedStatic = z.infer<typeof packedStaticSchema>;

/** The analysis of a file that came out of an APK as a worker answers it. */
export const packedChildSchema = z.strictObject({
  /** `files` is `{files}`, of an app those of its archive. */
  reports: z.strictObject({ androguard: packedReportSchema, files: packedReportSchema }),
  findings: findingsSchema,
  uses: codeUsesSchema,
});
export type PackedChild = z.infer<typeof packedChildSchema>;

/** A dynamic analysis as a worker answers it. */
export const packedDynamicSchema = z.strictObject({
  dynamic: packedReportSchema,
  /** `CuckooParts` */
  cuckoo: packedReportSchema,
  /** Their bytes, not JSON: as `packArtefacts` puts them together; null where there are none. */
  artefacts: packedReportSchema.nullable(),
  findings: findingsSchema,
  decoded: decodedTextsSchema,
  timings: timingsSchema,
});
export type PackedDynamic = z.infer<typeof packedDynamicSchema>;

export const joinedReportsSchema = z.strictObject({
  /** null where there was nothing to put into it. */
  cuckoo: packedReportSchema.nullable(),
  index: reportTermsSchema,
});
export type JoinedReports = z.infer<typeof joinedReportsSchema>;
