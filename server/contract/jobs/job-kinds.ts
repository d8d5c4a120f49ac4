// Every kind of job: what it is called, how many run at a time, what its payload says. Imports zod only.
//
// A new kind touches three files: its entries here, the service that performs it, and `jobHandlers` in
// services/services.ts, which does not compile without its handler.
import { z } from 'zod';
import { knownKindSchema } from '../catalogue/known.ts';
import { newVerdictSchema } from '../catalogue/verdict.ts';
import { bulkActions } from './bulk.ts';

/** How many jobs of a kind run at a time, beside the other kinds. */
export interface JobPlaces {
  all: number;
  /** Of one account, so that it never has all. */
  each: number;
}

interface JobKindEntry {
  /** As people read it: on the jobs page, in notifications and e-mails. */
  label: string;
  /** What it works on; null: an APK. */
  subject: string | null;
  /** null: it shares those of the engine's workers, one for each. */
  places: JobPlaces | null;
}

/** As many as devices answer at a time. */
const devicePlaces = { all: 2, each: 2 };

export const jobKinds = {
  static: { label: 'Static analysis', subject: null, places: null },
  dynamic: { label: 'Dynamic analysis', subject: null, places: null },
  /** Files of code that came out of an APK. */
  children: { label: 'Payloads', subject: null, places: null },
  yara: { label: 'YARA scan', subject: null, places: null },
  /** The antivirus is a process beside ours, which hurries no more for being asked by many. */
  antivirus: { label: 'Antivirus scan', subject: null, places: { all: 2, each: 2 } },
  /**
   * Its scans give way to those of incoming APKs; several of each analyst, so that no short hunt waits for one of days, and those
   * that wait together read each APK once.
   */
  retrohunt: { label: 'Retrohunt', subject: 'Rulesets over the catalogue', places: { all: 16, each: 8 } },
  /** Authors wait for it. */
  dry_run: { label: 'Dry run', subject: 'Rules being tried', places: { all: 16, each: 2 } },
  /** Somebody waits for it. */
  rule_proposal: { label: 'Proposed rules', subject: 'Rules for chosen APKs', places: { all: 8, each: 2 } },
  /** Made of many small steps, which wait for the database. */
  bulk: { label: 'Bulk action', subject: 'Many APKs', places: { all: 4, each: 1 } },
  /** One list after the other. */
  known_lists: { label: 'Lists of known files', subject: 'Lists of known files', places: { all: 1, each: 1 } },
  libraries: { label: 'Import of a library', subject: 'Libraries', places: { all: 1, each: 1 } },
  rule_packages: { label: 'Import of rules', subject: 'Packages of rulesets', places: { all: 1, each: 1 } },
  /** One after the other: each APK is placed among those before it. */
  families: { label: 'Families', subject: 'Families of the catalogue', places: { all: 1, each: 1 } },
  /** Reads files of APKs for hunts, giving way to all analyses. */
  content_index: { label: 'Index of contents', subject: 'Files of the catalogue', places: { all: 1, each: 1 } },
  device_import: { label: 'Import from a device', subject: 'Apps of a device', places: devicePlaces },
  device_run: { label: 'Run on a device', subject: null, places: devicePlaces },
} as const satisfies Readonly<Record<string, JobKindEntry>>;

export type JobKind = keyof typeof jobKinds;
export const jobKindNames = Object.keys(jobKinds) as readonly JobKind[];

function payloadSchemas() {
  /** Row number of an account, a retrohunt … */
  const rowId = z.int().positive();
  const nothing = z.null();
  return {
    static: nothing,
    dynamic: nothing,
    children: nothing,
    yara: nothing,
    antivirus: nothing,
    retrohunt: z.object({ retrohuntId: rowId }),
    dry_run: z.object({ dryRunId: rowId }),
    rule_proposal: z.object({ proposalId: rowId }),
    bulk: z.object({
      action: z.enum(bulkActions),
      /** With `tag` and `untag`. */
      tag: z.string().nullable(),
      /** With `judge`. */
      verdict: newVerdictSchema.nullable().default(null),
      accountId: rowId,
      /** Row numbers of APKs; null: those that `search` finds. */
      ids: z.array(rowId).nullable(),
      search: z.string(),
    }),
    known_lists: z.object({
      /** The list that is read; null: the catalogue is looked up in those that are there. */
      list: z.object({ name: z.string(), kind: knownKindSchema, source: z.string(), file: z.uuid() }).nullable(),
      /** Row number of the signer whose APKs are looked up; null: all APKs are. */
      signerId: rowId.nullable(),
    }),
    /** `file`: as the store of files calls what was received; name and version: empty where the file says them. */
    libraries: z.object({ file: z.uuid(), source: z.string(), name: z.string(), version: z.string() }),
    /** As with libraries; an empty licence is what the archive says. */
    rule_packages: z.object({
      file: z.uuid(),
      fileName: z.string(),
      source: z.string(),
      name: z.string(),
      version: z.string(),
      licence: z.string(),
      accountId: rowId,
      isEnabled: z.boolean(),
      isPublic: z.boolean(),
      /** Only to say what it would change. */
      isPreview: z.boolean().default(false),
    }),
    /** What was said of all members of a family is taken back; null: APKs are placed. */
    families: z.object({ actionId: rowId, accountId: rowId }).nullable(),
    content_index: nothing,
    device_import: z.object({
      serial: z.string(),
      /** By name; null: all that did not come with the device. */
      packages: z.array(z.string()).nullable(),
      accountId: rowId,
    }),
    device_run: z.object({
      serial: z.string(),
      /** How long the app is driven. */
      seconds: z.number(),
    }),
  } as const satisfies Readonly<Record<JobKind, z.ZodType>>;
}

/**
 * What whoever asks for a job says besides the APK. Rows of older versions are read by it too: it may only become wider.
 * Marked as pure, so that the interface, which needs the labels alone, is built without these schemas and zod.
 */
export const jobPayloads = /* @__PURE__ */ payloadSchemas();

export type JobPayload<K extends JobKind> = z.infer<(typeof jobPayloads)[K]>;

/**
 * What a job of this kind was asked to do.
 * @returns null where the job is of another kind, or its row cannot be read as one of this kind
 */
export function payloadOf<K extends JobKind>(kind: K, job: { kind: string; payload: unknown }): JobPayload<K> | null {
  if (job.kind !== kind) return null;
  const { data = null } = jobPayloads[kind].safeParse(job.payload);
  return data as JobPayload<K> | null;
}
