// Columns of the tables about which code is like which, and the families that follow from it.
import type { Generated } from 'kysely';
import type { FamilyActionKind } from '../../contract/catalogue/family.ts';

export interface FamiliesTables {
  fingerprints: FingerprintsTable;
  code_sketches: CodeSketchesTable;
  code_bands: CodeBandsTable;
  own_strings: OwnStringsTable;
  likeness_keys: LikenessKeysTable;
  known_libraries: KnownLibrariesTable;
  library_methods: LibraryMethodsTable;
  families: FamiliesTable;
  family_sums: FamilySumsTable;
  family_waiting: FamilyWaitingTable;
  family_ties: FamilyTiesTable;
  family_actions: FamilyActionsTable;
  family_moves: FamilyMovesTable;
  repackagings: RepackagingsTable;
}

/** What else an APK consists of, as `Fingerprint` says. */
export interface FingerprintsTable {
  apk_id: number;
  icon: Buffer | null;
  /** JSON list of the fuzzy digests. */
  digests: string;
  files: number;
  file_hashes: Buffer;
  symbols: number;
  symbol_hashes: Buffer;
}

/** What an APK's own code does, as `CodeSketch` says. */
export interface CodeSketchesTable {
  apk_id: number;
  methods: number;
  hashes: Buffer;
  /** Null where no class stands where the manifest says that own code is. */
  core_methods: number | null;
  core_hashes: Buffer;
}

/** By what sketches of much the same code are found. */
export interface CodeBandsTable {
  band: number;
  apk_id: number;
}

/** Texts that an APK's own code loads, as `OwnStrings` says. */
export interface OwnStringsTable {
  apk_id: number;
  is_cut: number;
  keys: Buffer;
  /** Bytes of the texts before compression. */
  size: number;
  texts: Buffer;
}

/** What APKs that are alike have in common, see `fingerprint-keys.ts`. */
export interface LikenessKeysTable {
  key: number;
  apk_id: number;
}

/** A version of a library that people imported. */
export interface KnownLibrariesTable {
  id: Generated<number>;
  name: string;
  /** Empty where the file said none. */
  version: string;
  /** Name of the file. */
  source: string;
  /** How many. */
  methods: number;
  imported_at: number;
}

/** Hashes of its methods. */
export interface LibraryMethodsTable {
  hash: number;
  library_id: number;
}

/** APKs whose code is much the same. Never deleted, for its id leaves the workstation. */
export interface FamiliesTable {
  id: Generated<number>;
  /** By people; empty: what is proposed. */
  name: Generated<string>;
  /** Empty: nothing is. */
  proposed_name: Generated<string>;
  /** What it is called: one of the two, else a number. */
  title: Generated<string>;
  note: Generated<string>;
  /** People named, judged, split or edited it. */
  is_confirmed: Generated<number>;
  /** Members came or went, or what is known of them changed, since its name was proposed. */
  is_stale: Generated<number>;
  /** Its members are those of this one now. */
  merged_into: Generated<number | null>;
  created_at: number;
  updated_at: number;
}

/** Kept by triggers. */
export interface FamilySumsTable {
  family_id: number;
  members: Generated<number>;
  /** Members with a risk, and its sum. */
  rated: Generated<number>;
  risk: Generated<number>;
  newest_id: number | null;
}

/** APKs whose family is to be looked for. */
export interface FamilyWaitingTable {
  apk_id: number;
}

/** What people said of an APK and a family: that it belongs there, or that it does not. */
export interface FamilyTiesTable {
  apk_id: number;
  family_id: number;
  is_member: number;
}

/** What people did with a family. */
export interface FamilyActionsTable {
  id: Generated<number>;
  family_id: number;
  /** Of a split or a merge. */
  other_id: number | null;
  kind: FamilyActionKind;
  /** JSON. */
  detail: string;
  account_id: number | null;
  /** As it was then. */
  username: string;
  created_at: number;
  undone_by: Generated<string | null>;
  undone_at: Generated<number | null>;
  /** It is undone, and some APKs are not back yet. */
  is_restoring: Generated<number>;
}

/** Where an APK was before an action. */
export interface FamilyMovesTable {
  action_id: number;
  apk_id: number;
  from_id: number | null;
  /** JSON: what was said of it and families then. */
  ties: string;
}

/** Two APKs by different signers whose code is the same. */
export interface RepackagingsTable {
  /** The one that others were looked for. */
  apk_id: number;
  other_id: number;
  /** Methods of its own that the other has, of how many. */
  shared: number;
  methods: number;
}
