// Columns of the tables about what the workstation keeps of itself.
import type { Generated } from 'kysely';
import type { ImportState } from '../../contract/workstation/import.ts';
import type { FolderOutcome, FolderPriority } from '../../contract/workstation/watched-folder.ts';

export interface WorkstationTables {
  migrations: MigrationsTable;
  installation: InstallationTable;
  settings: SettingsTable;
  audit: AuditTable;
  lab_machines: LabMachinesTable;
  scheduled_backups: ScheduledBackupsTable;
  watched_folders: WatchedFoldersTable;
  watched_folder_rulesets: WatchedFolderRulesetsTable;
  watched_apks: WatchedApksTable;
  watched_files: WatchedFilesTable;
  imports: ImportsTable;
  import_refusals: ImportRefusalsTable;
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

/** Backups by schedule that ended. */
export interface ScheduledBackupsTable {
  id: Generated<number>;
  folder: string;
  started_at: number;
  ended_at: number;
  /** null: it ended well. */
  error: string | null;
  apks: number;
  /** Bytes that were written for it. */
  copied: number;
  /** Bytes of all backups of the folder. */
  size: number;
  /** Backups in the folder. */
  states: number;
  /** Pieces that were found altered and were taken away; `lost` of them are nowhere else. */
  damaged: number;
  lost: number;
}

/** Folders of this machine whose files are taken in. */
export interface WatchedFoldersTable {
  id: Generated<number>;
  /** Whose uploads its files are. */
  account_id: number;
  /** Absolute. */
  path: string;
  /** JSON: names of the tags that its APKs get. */
  tags: string;
  /** The names of the folders in it that a file lies in are tags too. */
  has_folder_tags: number;
  /** JSON: names of the tags that its APKs get when one of its own rulesets matches. */
  match_tags: string;
  priority: FolderPriority;
  outcome: FolderOutcome;
  /** How long a file must stay the same before it is taken in. */
  settle_seconds: number;
  /** It is looked through again and again, where its file system tells nobody of changes. */
  uses_polling: number;
  is_on: number;
  created_at: number;
}

/** Rulesets that scan the APKs of a folder, also while nothing else is scanned with them. */
export interface WatchedFolderRulesetsTable {
  folder_id: number;
  ruleset_id: number;
}

/** APKs that came by a folder. */
export interface WatchedApksTable {
  folder_id: number;
  apk_id: number;
}

/** Files of watched folders as they were when they were taken in. */
export interface WatchedFilesTable {
  id: Generated<number>;
  folder_id: number;
  /** From the folder, with `/`. */
  path: string;
  size: number;
  modified_at: number;
  sha256: string;
  /** JSON: `{sha256, isNew}` of the APKs that it is, or holds. */
  apks: string;
  /** JSON: `{name, reason}` of what was not taken in. */
  refusals: string;
  is_refused: number;
  /** Its outcome was noted beside it, or it was moved. */
  is_told: number;
  /** It is not there any more. */
  is_gone: Generated<number>;
  taken_at: number;
}

/** Imports of files of this machine. */
export interface ImportsTable {
  id: Generated<number>;
  /** Whose uploads its files are. */
  account_id: number;
  /** Absolute. */
  path: string;
  /** JSON: names of the tags that its APKs get. */
  tags: string;
  /** The names of the folders in it that a file lies in are tags too. */
  has_folder_tags: number;
  state: ImportState;
  /** Why it stopped by itself; empty: it did not. */
  problem: Generated<string>;
  /** Null: not counted yet. */
  file_count: number | null;
  byte_count: number | null;
  /** The last file that is done, and all before it; null: none. */
  place: string | null;
  done_files: Generated<number>;
  done_bytes: Generated<number>;
  added: Generated<number>;
  held: Generated<number>;
  created_at: number;
  /** When all files had been tried for the first time. */
  ended_at: number | null;
}

/** What imports refused. */
export interface ImportRefusalsTable {
  id: Generated<number>;
  import_id: number;
  /** Absolute; an archive where it is in one. */
  path: string;
  name: string;
  reason: string;
  /** It is to be tried again. */
  is_retried: Generated<number>;
}
