// Columns of the tables about rulesets, what they match, and where they are tried.
import type { Generated } from 'kysely';

export interface RulesTables {
  rulesets: RulesetsTable;
  ruleset_versions: RulesetVersionsTable;
  ruleset_votes: RulesetVotesTable;
  matches: MatchesTable;
  match_rules: MatchRulesTable;
  rule_counts: RuleCountsTable;
  retrohunts: RetrohuntsTable;
  retrohunt_rulesets: RetrohuntRulesetsTable;
  retrohunt_matches: RetrohuntMatchesTable;
  retrohunt_failures: RetrohuntFailuresTable;
  dry_runs: DryRunsTable;
  rule_proposals: DryRunsTable;
  rule_packages: RulePackagesTable;
  packaged_rulesets: PackagedRulesetsTable;
}

export interface RulesetsTable {
  id: Generated<number>;
  author_id: number;
  name: string;
  /** The name in lower case, for comparisons without regard to it. */
  folded_name: string;
  /** YARA. */
  rules: string;
  rules_count: number;
  is_enabled: number;
  is_public: number;
  is_notifier: number;
  social_status: 'none' | 'pending' | 'accepted' | 'rejected';
  /** From when on analyses use these rules; null while it is disabled. */
  active_since: number | null;
  /** Of the text, counted from 1. */
  version: Generated<number>;
  scan_state: Generated<'ok' | 'slow' | 'timed_out' | 'failed' | 'suspended'>;
  /** JSON: code, message and time of why the state is, or was, not `ok`. */
  scan_error: string | null;
  /** Rises with failures and slow scans in the last analyses; falls with each that went well. */
  trouble: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** Every saved text of a ruleset. */
export interface RulesetVersionsTable {
  id: Generated<number>;
  ruleset_id: number;
  /** Counts from 1 within a ruleset. */
  version: number;
  /** Who saved it. */
  author_id: number;
  /** Compressed by zstd. */
  rules: Uint8Array;
  /** Characters. */
  length: number;
  rules_count: number;
  /** Whether its rules look at what dynamic analysis reports. */
  uses_dynamic: number;
  /** Whether everybody could see the ruleset when it was saved. */
  was_public: number;
  /** From when on analyses use it, beside no other of the ruleset that is newer; null: they do not. */
  active_since: number | null;
  created_at: number;
}

/** One vote per account and ruleset. */
export interface RulesetVotesTable {
  id: Generated<number>;
  ruleset_id: number;
  account_id: number;
  kind: 'positive' | 'negative';
  created_at: number;
}

/** One per APK and ruleset. */
export interface MatchesTable {
  id: Generated<number>;
  apk_id: number;
  ruleset_id: number;
  /** JSON: the rules that matched, with their strings. */
  rules: string;
  /** How many there were; the JSON holds the first ones. */
  rules_count: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** The names in `matches.rules`, to be found by. Compared without regard to case. */
export interface MatchRulesTable {
  match_id: number;
  name: string;
}

/** How many APKs a rule matches; written by triggers on `match_rules`. Compared without regard to case. */
export interface RuleCountsTable {
  ruleset_id: number;
  name: string;
  apks: number;
}

/** Rulesets run over what the catalogue held when it began, from the newest APK to the oldest. */
export interface RetrohuntsTable {
  id: Generated<number>;
  /** null only until the transaction that makes it has made its job. */
  job_id: number | null;
  /** Who asked for it. */
  account_id: number;
  /** Empty: all APKs. */
  search: string;
  /** Chosen APKs with this id or a higher one are done, or were added after it began. */
  place: number;
  /** JSON: ids below the place that are done. */
  ahead: string;
  /** How many were chosen when it began. */
  apks_count: number;
  scanned_count: Generated<number>;
  /** At the place and above: not read, since nothing can match in them. */
  passed_count: Generated<number>;
  failed_count: Generated<number>;
  /** APKs on which not every ruleset was run to its end. */
  unfinished_count: Generated<number>;
  created_at: number;
}

export interface RetrohuntRulesetsTable {
  retrohunt_id: number;
  ruleset_id: number;
  /** The version of its text that hunts. */
  version: number;
  status: 'hunting' | 'done' | 'broken' | 'changed' | 'suspended';
  matches_count: Generated<number>;
  new_matches_count: Generated<number>;
  changed_matches_count: Generated<number>;
  /** APKs on which it did not run to its end. */
  unfinished_count: Generated<number>;
}

export interface RetrohuntMatchesTable {
  id: Generated<number>;
  retrohunt_id: number;
  match_id: number;
  /** Whether it was not there before the hunt. */
  is_new: number;
}

/** APKs that a hunt could not scan. */
export interface RetrohuntFailuresTable {
  id: Generated<number>;
  retrohunt_id: number;
  apk_id: number;
  code: string;
  message: string;
  created_at: number;
}

/** Rules tried before they are saved; rules that are proposed stand in a table with the same columns. */
export interface DryRunsTable {
  id: Generated<number>;
  /** null only until the transaction that makes it has made its job. */
  job_id: number | null;
  account_id: number;
  /** JSON. */
  task: string;
  /** JSON. */
  result: string;
  created_at: number;
}

/** Rulesets that were imported together. */
export interface RulePackagesTable {
  id: Generated<number>;
  author_id: number;
  name: string;
  /** Empty: nothing said it; likewise the licence. */
  version: string;
  licence: string;
  /** Name of the archive or its address. */
  source: string;
  /** Whether files that an update adds are enabled. */
  is_enabled: number;
  is_public: number;
  /** JSON: what the last import did. */
  change: string;
  imported_at: number;
}

export interface PackagedRulesetsTable {
  ruleset_id: number;
  package_id: number;
  /** Of the file in the archive. */
  path: string;
  /** Of the text as it came. */
  sha256: string;
  /** The ruleset's version that has this text: a later one was written by somebody. */
  version: number;
}
