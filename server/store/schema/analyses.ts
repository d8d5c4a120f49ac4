// Columns of the tables about jobs, the reports that they make, and what analysts call the code.
import type { Generated } from 'kysely';
import type { CodeNameOrigin } from '../../contract/catalogue/code-name.ts';
import type { JobKind } from '../../contract/jobs/job-kinds.ts';

export interface AnalysesTables {
  jobs: JobsTable;
  job_requests: JobRequestsTable;
  reports: ReportsTable;
  children: ChildrenTable;
  code_names: CodeNamesTable;
  deobfuscated_apks: DeobfuscatedApksTable;
}

export interface JobsTable {
  id: Generated<number>;
  kind: JobKind;
  apk_id: number | null;
  /** JSON. */
  payload: string;
  /** Lower runs first. */
  priority: number;
  /** The workstation itself wants it, whether or not an analyst also asked. */
  is_automatic: number;
  status: 'queued' | 'running' | 'done' | 'partial' | 'failed' | 'cancelled';
  /** 0 to 1. */
  progress: number;
  stage: string;
  error_code: string | null;
  error: string | null;
  /** How often it ended by the death of its worker or of the workstation. */
  attempts: number;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  /** The account in whose turn it runs; 0: none. */
  account_id: Generated<number>;
  /** Name of the other machine that did it; null: this one. */
  machine: string | null;
}

/** Who asked for a job; one job may answer several analysts. */
export interface JobRequestsTable {
  job_id: number;
  account_id: number;
  created_at: number;
  is_by_upload: Generated<number>;
}

export interface ReportsTable {
  id: Generated<number>;
  apk_id: number;
  kind: string;
  status: 'done' | 'partial';
  engine_version: number;
  /** Length of the content before compression, in bytes. */
  size: number;
  /** Compressed by zstd. */
  content: Uint8Array;
  created_at: number;
}

/** A file of code that came out of an APK. */
export interface ChildrenTable {
  id: Generated<number>;
  apk_id: number;
  sha256: string;
  /** JSON, as a worker found it. */
  described: string;
  status: 'waiting' | 'running' | 'done' | 'failed';
  error: string | null;
  engine_version: number;
  findings: Generated<number>;
  /** Place in the list of severities. */
  severity: Generated<number | null>;
  risk: Generated<number | null>;
  /** Compressed by zstd. */
  report: Generated<Uint8Array | null>;
  report_size: Generated<number | null>;
  files: Generated<Uint8Array | null>;
  files_size: Generated<number | null>;
}

/** Names that analysts give to the code of an APK, and notes on it. */
export interface CodeNamesTable {
  id: Generated<number>;
  apk_id: number;
  kind: 'name' | 'note';
  /** In the form that `symbolParts` reads. */
  symbol: string;
  /** Of a note within a method, in code units. */
  address: number | null;
  text: string;
  origin: CodeNameOrigin;
  /** Hash of the class's code without names; empty for too little code. */
  class_hash: string;
  /** Identifies the member within its class without names; null where only names distinguish it. */
  place: string | null;
  /** null: the account is gone. */
  account_id: number | null;
  /** As it was then. */
  username: string;
  created_at: number;
}

/** APKs whose code is shown with readable names. */
export interface DeobfuscatedApksTable {
  apk_id: number;
}
