// The state of the server, readable without a token. Imports zod only.
import { z } from 'zod';

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
  /** Kinds of analysis this workstation can perform. */
  analyses: z.array(z.string()),
  /** Whether the antivirus of the settings answers; `message` says why not. */
  antivirus: z.object({ status: z.enum(['off', 'ok', 'failed']), message: z.string().nullable() }),
});
export type Health = z.infer<typeof healthSchema>;
