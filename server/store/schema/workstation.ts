// Columns of the tables about what the workstation keeps of itself.
import type { Generated } from 'kysely';

export interface WorkstationTables {
  migrations: MigrationsTable;
  installation: InstallationTable;
  settings: SettingsTable;
  audit: AuditTable;
  lab_machines: LabMachinesTable;
}

export interface MigrationsTable {
  name: string;
  applied_at: number;
}

/** One row, written when the data folder is made. */
export interface InstallationTable {
  id: Generated<number>;
  /** Salts the public ids. */
  id_salt: string;
  /** Signs links. */
  signing_secret: Uint8Array;
  /** Of the master key that seals the files, in hex. */
  key_sha256: string | null;
  /** The trusted time, see `TrustedTime`. */
  lived_until: number | null;
  /** Microseconds for which the workstation has run with a clock far ahead of the trusted time. */
  ahead_for: Generated<number>;
  created_at: number;
}

export interface SettingsTable {
  key: string;
  value: string;
}

/** Who did what, when and from where. */
export interface AuditTable {
  id: Generated<number>;
  at: number;
  /** As it was then; empty without an account. */
  username: string;
  address: string;
  /** `POST /apks/:sha256/tags`, or the command's name. */
  action: string;
  /** What it was done to, as the address named it. */
  subject: string;
  /** HTTP status. */
  status: number;
  /** More than one: refusals of one kind. */
  count: Generated<number>;
  /** When the last of several was; null where there was one. */
  last_at: Generated<number | null>;
}

/** Other machines that analyse. */
export interface LabMachinesTable {
  id: Generated<number>;
  name: string;
  token_sha256: Uint8Array;
  /** `paused` machines take nothing; `draining` ones end what they have, then themselves. */
  state: Generated<'on' | 'paused' | 'draining'>;
  created_at: number;
}
