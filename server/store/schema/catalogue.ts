// Columns of the tables about APKs and their signers, how they are searched and handed on, and what was deleted.
import type { Generated } from 'kysely';
import type { Damage } from '../../contract/catalogue/damage.ts';
import type { Verdict } from '../../contract/catalogue/verdict.ts';

export interface CatalogueTables {
  signers: SignersTable;
  signer_successions: SignerSuccessionsTable;
  apks: ApksTable;
  apk_tags: ApkTagsTable;
  apk_parts: ApkPartsTable;
  apk_containers: ApkContainersTable;
  saved_searches: SavedSearchesTable;
  feed_packages: FeedPackagesTable;
  trash: TrashTable;
  trash_pieces: TrashPiecesTable;
}

export interface SignersTable {
  id: Generated<number>;
  sha256: Uint8Array;
  sha1: Uint8Array;
  is_trusted: number;
  is_bad: Generated<number>;
}

/** A signer's certificate that signed the next one's, as proofs of rotation say. */
export interface SignerSuccessionsTable {
  former_id: number;
  signer_id: number;
}

export interface ApksTable {
  /** Counts up with `created_at`, so that newest-first is the descending id, which needs no index of its own. */
  id: Generated<number>;
  sha256: Uint8Array;
  sha1: Uint8Array;
  md5: Uint8Array;
  size: number;
  app: string;
  package_name: string;
  company: string;
  version: string;
  version_code: string;
  signer_id: number | null;
  min_sdk: Generated<number | null>;
  target_sdk: Generated<number | null>;
  /** 0 to 100; null: no report yet. */
  risk: Generated<number | null>;
  /** What is wrong with one that is corrupted; null there: not examined yet. */
  damage: Generated<Damage | null>;
  /** JSON list of names under which its file came, newest first. */
  file_names: Generated<string>;
  /** JSON summary of its payloads; null: none, or not examined yet. */
  children: Generated<string | null>;
  /** Place of the gravest finding's severity in the list of severities; null: no finding. */
  severity: Generated<number | null>;
  /** How many different ones its reports name; null: not indexed yet. */
  findings_count: Generated<number | null>;
  techniques_count: Generated<number | null>;
  trackers_count: Generated<number | null>;
  libraries_count: Generated<number | null>;
  apis_count: Generated<number | null>;
  hosts_count: Generated<number | null>;
  /** JSON list of what lists of known files and signers say; null: nothing. */
  known: Generated<string | null>;
  /** The family of APKs whose code is much the same; null: none is. */
  code_family_id: Generated<number | null>;
  has_icon: number;
  is_trusted: number;
  is_installed: number;
  is_detected: number;
  is_corrupted: number;
  is_static_analyzed: number;
  is_dynamic_analyzed: number;
  rating: number;
  votes_count: number;
  comments_count: number;
  matches_count: number;
  file_state: 'ok' | 'missing' | 'altered';
  uploader_id: number | null;
  last_yara_analysis_at: number | null;
  /** The newest word of `verdicts`. */
  verdict: Generated<Verdict>;
  family: Generated<string>;
  note: Generated<string>;
  created_at: number;
  updated_at: number;
}

export interface ApkTagsTable {
  apk_id: number;
  name: string;
  created_at: number;
}

/** Parts of apps that are installed as several files. */
export interface ApkPartsTable {
  id: Generated<number>;
  /** Of the app's base. */
  whole_sha256: Uint8Array;
  sha256: Uint8Array;
  sha1: Uint8Array;
  md5: Uint8Array;
  size: number;
  /** As its file was called. */
  name: string;
  /** JSON: `Split`. */
  adds: string;
  created_at: number;
}

/** Files that apps came in. */
export interface ApkContainersTable {
  /** Of the app's base. */
  whole_sha256: Uint8Array;
  sha256: Uint8Array;
  name: string;
  created_at: number;
}

export interface SavedSearchesTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  search: string;
  ordering: string;
  created_at: number;
  updated_at: number;
}

export interface FeedPackagesTable {
  /** Follows from what the package is. */
  id: number;
  feed_type: 'apks' | 'analyses' | 'detected';
  package_type: '5-minutes' | '1-hour';
  starts_at: number;
  /** How many APKs it is about. */
  members: number;
  created_at: number;
}

/** Deleted APKs and rulesets. */
export interface TrashTable {
  id: Generated<number>;
  kind: 'apk' | 'ruleset';
  /** The row id that it had, and gets back. */
  row_id: number;
  /** Of an APK alone. */
  sha256: Uint8Array | null;
  /** Of a ruleset alone. */
  author_id: number | null;
  /** Of the app or the ruleset. */
  name: string;
  /** Bytes of the APK's file, characters of the ruleset. */
  size: number;
  /** JSON: what restoring it does besides restoring its rows. */
  state: string;
  /** Who deleted it; empty: the workstation. */
  username: string;
  deleted_at: number;
}

/** Rows of the other tables that were taken out together. */
export interface TrashPiecesTable {
  id: Generated<number>;
  trash_id: number;
  /** Whether it has the record itself, which is restored first. */
  is_root: number;
  /** Rows by their tables, in the structured clone format. */
  content: Uint8Array;
}
