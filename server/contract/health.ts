// The state of the server, readable without a token. Imports zod only.
import { z } from 'zod';
import { timestampSchema } from './list.ts';

export const healthSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  engine_version: z.number().int(),
  database: z.enum(['ok', 'failed']),
  /** Whether the data folder takes what is written; where it does not, everything can still be read. */
  storage: z.enum(['ok', 'full', 'unwritable']),
  jobs: z.object({ queued: z.number().int(), running: z.number().int() }),
  /** Analyses that can run at a time. */
  workers: z.number().int(),
  /**
   * The authority that signs for what is shared, null while nothing is with TLS. Until `former_expires_at` whoever
   * trusts the authority before it is served too, and is to fetch `/ca.crt` anew.
   */
  authority: z
    .object({ fingerprint: z.string(), expires_at: timestampSchema, former_expires_at: timestampSchema.nullable() })
    .nullable(),
  /** Kinds of analysis this workstation can perform. */
  analyses: z.array(z.string()),
  /** Whether the antivirus of the settings answers; `message` says why not. */
  antivirus: z.object({ status: z.enum(['off', 'ok', 'failed']), message: z.string().nullable() }),
});
export type Health = z.infer<typeof healthSchema>;
