// What keeps workers away from the rest of the machine, as it is measured at each start. Imports zod only.
import { z } from 'zod';

/** Walls of the operating system's own making, by what puts them up. */
export const wallKinds = ['bubblewrap', 'namespaces', 'sandbox-exec', 'app-container'] as const;
export type WallKind = (typeof wallKinds)[number];

/** The ways out of a worker that are tried. */
export const escapes = [
  'tcp',
  'fetch',
  'udp',
  'dns',
  'unix-socket',
  'abstract-socket',
  'listen',
  'read',
  'write',
  'sqlite-read',
  'sqlite-write',
  'signal',
  'group-signal',
  'priority',
  'environment',
  'spawn',
] as const;
export type Escape = (typeof escapes)[number];

/**
 * `enforced`: the system's wall let nothing through. `leaking`: it stands and something got through. `missing`: this machine
 * has none. `unmeasured`: the probe could not be run to its end. `pending`: it runs.
 */
export const isolationSchema = z.object({
  status: z.enum(['enforced', 'leaking', 'missing', 'unmeasured', 'pending']),
  kind: z.enum(wallKinds).nullable(),
});

/** Whether a way out was closed; null where it was not tried. */
const closed = z.boolean().nullable();

export const isolationReportSchema = isolationSchema.extend({
  /** By the wall of the operating system alone, and by Node's permission model and the confinement in JavaScript alone. */
  escapes: z.array(z.object({ name: z.enum(escapes), is_closed_by_system: closed, is_closed_by_runtime: closed })),
});
export type IsolationReport = z.infer<typeof isolationReportSchema>;

const bytes = z.int().nonnegative();

/** What scans may take of this machine's memory for the rules in use. */
export const scanMemorySchema = z.object({
  machine: bytes,
  /** Of any worker. */
  worker: bytes,
  rulesets_count: z.int(),
  /** Of all rules in use. */
  characters: z.int(),
  /** Of each worker, for as long as it has the rules. */
  held: bytes,
  /** Of one that compiles them, which happens when they change. */
  compiling: bytes,
  /** Whether it is as much as that needs. */
  is_enough: z.boolean(),
  /** Scans in the background at a time. */
  scans_at_once: z.int(),
});
export type ScanMemory = z.infer<typeof scanMemorySchema>;
