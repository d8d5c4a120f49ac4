// Messages between the service side and a worker process. Imports zod only.
import { z } from 'zod';
import { type ExplorationReply, explorationSchema } from './exploration.ts';
import { type Finding, findingSchema } from './finding.ts';
import type { ReportTerms } from './report-terms.ts';
import { androguardReportSchema, archiveEntrySchema, cuckooReportSchema } from './reports.ts';
import { type CompiledRuleset, type PreparedRules, rulesetTextSchema, type YaraResult } from './yara.ts';

export { engineVersion } from './engine-version.ts';

/** Where a worker reads an APK from. `key` is the file's own key, in base64. */
export const fileReferenceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plain'), path: z.string() }),
  z.object({ kind: z.literal('sealed'), path: z.string(), key: z.string() }),
]);
export type FileReference = z.infer<typeof fileReferenceSchema>;

/** A report as it is stored: JSON text of `size` bytes, compressed with zstd. Only workers look into large ones. */
export const packedReportSchema = z.object({
  size: z.number(),
  compressed: z.custom<Uint8Array>((bytes) => bytes instanceof Uint8Array),
});
export type PackedReport = z.infer<typeof packedReportSchema>;

/** What a server of the simulated internet answers; the first that fits counts. */
const cannedResponseSchema = z.object({
  /** The host, or what it ends in where it begins with a dot; any where absent. */
  host: z.string().optional(),
  /** What the path begins with. */
  path: z.string().optional(),
  status: z.number().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.union([z.string(), z.object({ base64: z.string() })]).optional(),
});

export const engineTaskSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('identify'), file: fileReferenceSchema }),
  z.object({ kind: z.literal('static'), file: fileReferenceSchema, fileName: z.string() }),
  z.object({
    kind: z.literal('dynamic'),
    file: fileReferenceSchema,
    /** Answers of the simulated internet before its plausible defaults. */
    responses: z.array(cannedResponseSchema).optional(),
    /** Milliseconds of the processor that the app may run. */
    cpuMilliseconds: z.number().optional(),
  }),
  z.object({ kind: z.literal('explore'), file: fileReferenceSchema, question: explorationSchema }),
  z.object({ kind: z.literal('compile'), rules: z.string() }),
  z.object({
    kind: z.literal('yara'),
    file: fileReferenceSchema,
    rulesets: z.array(rulesetTextSchema),
    /** What rules' module functions see; null where an analysis has not been made. `droidbox` is the dynamic report. */
    reports: z.object({
      androguard: packedReportSchema.nullable(),
      cuckoo: packedReportSchema.nullable(),
      droidbox: packedReportSchema.nullable(),
    }),
    /** Where compiled rules lie, as `prepare` made them; what is not there is compiled for this task. */
    cacheFolder: z.string().optional(),
    /** A person waits: however busy the machine is, rulesets may take but some times as long on the clock. */
    isAwaited: z.boolean().optional(),
    /** Also tells how long each rule takes by itself; costs a scan for every rule. */
    measuresRules: z.boolean().optional(),
  }),
  /** Compiles what of these rulesets has no compiled form in the folder yet, for the service side to write there. */
  z.object({ kind: z.literal('prepare'), rulesets: z.array(rulesetTextSchema), cacheFolder: z.string() }),
  /**
   * Puts network and behaviour of `parts` into the cuckoo report, those of `added` beside what is there, and tells what the
   * reports can be found by.
   */
  z.object({
    kind: z.literal('join'),
    androguard: packedReportSchema.nullable(),
    cuckoo: packedReportSchema.nullable(),
    parts: packedReportSchema.nullable(),
    added: packedReportSchema.nullable(),
  }),
]);
export type EngineTask = z.infer<typeof engineTaskSchema>;

export const iconSchema = z.object({ mediaType: z.string(), bytes: z.instanceof(Uint8Array) });
export type Icon = z.infer<typeof iconSchema>;

/** Who an APK says it is, cheap enough to be read while its uploader waits. */
export const identitySchema = z.object({
  packageName: z.string(),
  appName: z.string(),
  versionName: z.string(),
  versionCode: z.string(),
  minSdkVersion: z.number().nullable(),
  targetSdkVersion: z.number().nullable(),
  permissions: z.array(z.string()),
  /** O, else CN, of the signer's certificate; empty where there is none. */
  company: z.string(),
  signer: z.object({ sha1: z.string(), sha256: z.string() }).nullable(),
  /** Why the APK counts as corrupted; empty where it does not. */
  corruptions: z.array(z.string()),
  icon: iconSchema.nullable(),
  findings: z.array(findingSchema),
});
export type Identity = z.infer<typeof identitySchema>;

export const staticResultSchema = z.object({
  identity: identitySchema,
  androguard: androguardReportSchema,
  cuckoo: cuckooReportSchema,
  /** The decoded AndroidManifest.xml as text, null where it does not parse. */
  manifest: z.string().nullable(),
  files: z.array(archiveEntrySchema),
  /** Milliseconds of wall clock by stage. */
  timings: z.record(z.string(), z.number()),
});
export type StaticResult = z.infer<typeof staticResultSchema>;

/** A static analysis as a worker answers it. */
export interface PackedStatic {
  identity: Identity;
  /** `manifest` is `{manifest}` and `files` is `{files}` of the result. */
  reports: Record<'androguard' | 'cuckoo' | 'manifest' | 'files', PackedReport>;
  index: ReportTerms;
  /** Those of the androguard report. */
  findings: Finding[];
  /** Milliseconds of wall clock by stage. */
  timings: Record<string, number>;
}

/** A dynamic analysis as a worker answers it. */
export interface PackedDynamic {
  dynamic: PackedReport;
  /** `CuckooParts` */
  cuckoo: PackedReport;
  /** Their bytes, not JSON: as `packArtefacts` puts them together; null where there are none. */
  artefacts: PackedReport | null;
  findings: Finding[];
  /** Milliseconds of wall clock by stage. */
  timings: Record<string, number>;
}

export interface JoinedReports {
  /** null where there was nothing to put into it. */
  cuckoo: PackedReport | null;
  index: ReportTerms;
}

/** Why a task has no result. `not-an-apk` is the file's fault; those after `internal` are told by the pool. */
export const engineFailureCodes = [
  'not-an-apk',
  'unreadable-file',
  'internal',
  'crashed',
  'timeout',
  'memory',
  /** The worker said what none may say: it was ended. */
  'invalid-reply',
  'cancelled',
] as const;

export interface EngineResults {
  identify: Identity;
  static: PackedStatic;
  dynamic: PackedDynamic;
  explore: ExplorationReply;
  compile: CompiledRuleset;
  yara: YaraResult;
  prepare: PreparedRules;
  join: JoinedReports;
}
export type EngineTaskKind = keyof EngineResults;

export type EngineReply<K extends EngineTaskKind = EngineTaskKind> =
  | { status: 'done' | 'partial'; result: EngineResults[K] }
  | { status: 'failed'; code: (typeof engineFailureCodes)[number]; message: string };
