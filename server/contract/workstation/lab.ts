// Other machines that analyse for this workstation: how they join, what they say of themselves. Imports zod only.
import { z } from 'zod';
import { publicIdSchema, timestampSchema, wholeListSchema } from '../list.ts';

const machineName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'One line without control characters.');
const ticketSchema = z.uuid();

const machineStates = ['on', 'paused', 'draining'] as const;

/** What both sides have to have in common. */
const versionsSchema = z.object({ version: z.string().max(100), engine_version: z.int() });
export type Versions = z.infer<typeof versionsSchema>;

export const labMachineSchema = z.object({
  id: publicIdSchema,
  name: z.string(),
  state: z.enum(machineStates),
  created_at: timestampSchema,
  /** null: not since the workstation was started. */
  last_seen_at: timestampSchema.nullable(),
  is_online: z.boolean(),
  /** It is there, reaches the queue and may take tasks. */
  is_taking: z.boolean(),
  version: z.string().nullable(),
  cores: z.int().nullable(),
  /** Processes that want the processor, on average of a minute. */
  load: z.number().nullable(),
  /** Tasks that it has now. */
  running: z.int(),
  /** Since the workstation was started. */
  done: z.int(),
  /** Answers that were refused, and tasks that it could not do for a reason of its own. */
  failed: z.int(),
  /** Tasks that it ended in the last ten minutes. */
  done_lately: z.int(),
});
export type LabMachine = z.infer<typeof labMachineSchema>;

export const labSchema = wholeListSchema(labMachineSchema).extend({
  is_on: z.boolean(),
  /** Whether Redis answers; null where none is set. */
  is_redis_up: z.boolean().nullable(),
  /** Tasks that are out. */
  out: z.int(),
  /** Answers that came when nobody waited for them any more. */
  late: z.int(),
});

export const machineChangesSchema = z.object({ state: z.enum(machineStates) });

/** The code is shown this once; it lets one machine join. */
export const joinCodeSchema = z.object({ code: z.string(), expires_at: timestampSchema });

/** What a code says, as JSON in base64url. */
export const joinCodeContentSchema = z.object({
  address: z.url({ protocol: /^https?$/ }),
  /** SHA-256 of the workstation's own authority; null: the system's authorities vouch for it. */
  fingerprint: z.string().nullable(),
  secret: z.string(),
});

export const joinSchema = versionsSchema.extend({ secret: z.string().max(200), name: machineName });
/** Of a queue: only this machine knows the password. */
export const joinedSchema = z.object({ id: publicIdSchema, token: z.string() });

export const labQueueSchema = z.object({
  url: z.string(),
  username: z.string(),
  password: z.string(),
  prefix: z.string(),
  name: z.string(),
});
export type LabQueueAccess = z.infer<typeof labQueueSchema>;

export const heartbeatSchema = versionsSchema.extend({
  cores: z.int().min(1).max(4096),
  load: z.number().nonnegative(),
  /** Whether it reaches the queue. */
  is_taking: z.boolean(),
  /** Its first word since it was started: it was told to end before, and is there again. */
  is_start: z.boolean().optional(),
  running: z.array(ticketSchema).max(10_000),
});
export type Heartbeat = z.infer<typeof heartbeatSchema>;
export const heardSchema = z.object({
  state: z.enum(machineStates),
  /** Of what it runs, that for which nobody waits any more. */
  unwanted: z.array(ticketSchema),
});
