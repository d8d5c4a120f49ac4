// The state of the server, readable without a token. Imports zod only.
import { z } from 'zod';
import { timestampSchema } from '../list.ts';
import { isolationSchema } from './isolation.ts';

export const healthSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  engine_version: z.number().int(),
  database: z.enum(['ok', 'failed']),
  /** Whether the data folder takes what is written; where it does not, everything can still be read. */
  storage: z.enum(['ok', 'full', 'unwritable']),
  /** Whether the pages of the database could be read, all of which are looked through once a day; `unchecked` until then. */
  pages: z.enum(['unchecked', 'ok', 'damaged']),
  /** Whether the master key is there, and is the one that the stored APKs are sealed with. */
  keys: z.enum(['ok', 'unreadable', 'foreign']),
  /** Why the status is `degraded`: the part by the name of its field, and what to do about it. */
  faults: z.array(z.object({ part: z.enum(['database', 'storage', 'pages', 'keys']), advice: z.string() })),
  /** Absent for callers without a token where the workstation is not open to guests. */
  jobs: z.object({ queued: z.number().int(), running: z.number().int() }).optional(),
  /** Analyses that can run at a time. */
  workers: z.number().int(),
  /**
   * The authority that signs for what is shared, null while nothing is with TLS. Until `former_expires_at` whoever
   * trusts the authority before it is served too, and is to fetch `/ca.crt` anew.
   */
  authority: z
    .object({ fingerprint: z.string(), expires_at: timestampSchema, former_expires_at: timestampSchema.nullable() })
    .nullable(),
  /** The system's wall around workers, as it was measured at the start. */
  isolation: isolationSchema,
  /** Kinds of analysis this workstation can perform. */
  analyses: z.array(z.string()),
  /** Whether the antivirus of the settings answers; `message` says why not. */
  antivirus: z.object({ status: z.enum(['off', 'ok', 'failed']), message: z.string().nullable() }),
});
export type Health = z.infer<typeof healthSchema>;
