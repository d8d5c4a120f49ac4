// The state of the server, readable without a token. Imports zod only.
import { z } from 'zod';

export const healthSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  engine_version: z.number().int(),
  database: z.enum(['ok', 'failed']),
  jobs: z.object({ queued: z.number().int(), running: z.number().int() }),
  /** Analyses that can run at a time. */
  workers: z.number().int(),
  /** Kinds of analysis this workstation can perform. */
  analyses: z.array(z.string()),
});
export type Health = z.infer<typeof healthSchema>;
