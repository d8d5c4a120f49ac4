// The catalogue's tables as kysely sees them. Column names are SQL's; `table-record.ts` makes records of them.
import type { Generated } from 'kysely';
import type { CodeNameOrigin } from '../contract/catalogue/code-name.ts';
import type { Damage } from '../contract/catalogue/damage.ts';
import type { FamilyActionKind } from '../contract/catalogue/family.ts';
import type { Verdict } from '../contract/catalogue/verdict.ts';
import type { DismissalScope } from '../contract/findings/dismissed.ts';
import type { JobKind } from '../contract/jobs/job-kinds.ts';

/**
 * Conventions: times are integer microseconds since 1970 UTC; hashes are blobs; booleans are 0 and 1; JSON is text.
 * Every id counts up and is never given twice, since ids leave the workstation in links.
 */
export interface Database {
  migrations: MigrationsTable;
  installation: InstallationTable;
  settings: SettingsTable;
  accounts: AccountsTable;
  avatars: AvatarsTable;
  tokens: TokensTable;
  group_limits: GroupLimitsTable;
  limit_usage: LimitUsageTable;
  signers: SignersTable;
  apks: ApksTable;
  apk_tags: ApkTagsTable;
  reports: ReportsTable;
  children: ChildrenTable;
  jobs: JobsTable;
  job_requests: JobRequestsTable;
  follows: FollowsTable;
  notifications: NotificationsTable;
  emails: EmailsTable;
  votes: VotesTable;
  verdicts: VerdictsTable;
  comments: CommentsTable;
  rulesets: RulesetsTable;
  ruleset_votes: RulesetVotesTable;
  ruleset_versions: RulesetVersionsTable;
  retrohunts: RetrohuntsTable;
  retrohunt_rulesets: RetrohuntRulesetsTable;
  retrohunt_matches: RetrohuntMatchesTable;
  retrohunt_failures: RetrohuntFailuresTable;
  dry_runs: DryRunsTable;
  rule_proposals: DryRunsTable;
  matches: MatchesTable;
  match_rules: MatchRulesTable;
  dismissals: DismissalsTable;
  code_names: CodeNamesTable;
  code_sketches: CodeSketchesTable;
  fingerprints: FingerprintsTable;
  likeness_keys: LikenessKeysTable;
  known_libraries: KnownLibrariesTable;
  library_methods: LibraryMethodsTable;
  code_bands: CodeBandsTable;
  families: FamiliesTable;
  family_sums: FamilySumsTable;
  family_ties: FamilyTiesTable;
  family_waiting: FamilyWaitingTable;
  family_actions: FamilyActionsTable;
  family_moves: FamilyMovesTable;
  deobfuscated_apks: DeobfuscatedApksTable;
  detections: DetectionsTable;
  detection_changes: DetectionChangesTable;
  feed_packages: FeedPackagesTable;
  saved_searches: SavedSearchesTable;
  trash: TrashTable;
  trash_pieces: TrashPiecesTable;
  invitations: InvitationsTable;
  guesses: GuessesTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  audit: AuditTable;
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

export interface AccountsTable {
  id: Generated<number>;
  /** Compared without regard to case. */
  username: string;
  first_name: string;
  last_name: string;
  email: string;
  /** null: no password, only tokens. */
  password_hash: string | null;
  role: 'owner' | 'analyst';
  api_group: string;
  is_disabled: number;
  is_expert: number;
  /** What the analyst wrote in the place of a picture; empty where there is one. */
  avatar: string;
  /** Of the picture in `avatars`, in hex; null where there is none. */
  avatar_sha256: Generated<string | null>;
  occupation: string;
  biography: string;
  twitter: string;
  /** JSON object of the nine switches. */
  settings: string;
  last_login_at: number | null;
  created_at: number;
}

export interface AvatarsTable {
  account_id: number;
  media_type: string;
  content: Uint8Array;
  created_at: number;
}

export interface TokensTable {
  id: Generated<number>;
  account_id: number;
  /** A session ends by itself; an API token only when it is revoked or at a date its owner gave. */
  kind: 'api' | 'session';
  name: string;
  secret_sha256: Uint8Array;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
}

export interface GroupLimitsTable {
  api_group: string;
  name: string;
  amount: number;
  unit: 'day' | 'min';
}

/** How much of a limit an account used in one window. */
export interface LimitUsageTable {
  account_id: number;
  name: string;
  window_start: number;
  used: number;
}

export interface SignersTable {
  id: Generated<number>;
  sha256: Uint8Array;
  sha1: Uint8Array;
  is_trusted: number;
  is_bad: Generated<number>;
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
}

/** Who asked for a job; one job may answer several analysts. */
export interface JobRequestsTable {
  job_id: number;
  account_id: number;
  created_at: number;
  is_by_upload: Generated<number>;
}

export interface FollowsTable {
  id: Generated<number>;
  follower_id: number;
  followed_id: number;
  created_at: number;
}

export interface InvitationsTable {
  id: Generated<number>;
  account_id: number;
  code_sha256: Uint8Array;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

/** Wrong passwords and codes. */
export interface GuessesTable {
  /** What is guessed: the kind of secret and its owner. */
  name: string;
  /** The network; empty: all of them together. */
  origin: string;
  failures: number;
  last_at: number;
  /** When the last right one came from there. */
  known_at: number | null;
}

export interface SecondFactorsTable {
  account_id: number;
  /** Sealed with the master key. */
  secret: Uint8Array;
  created_at: number;
  /** null: set up but not confirmed, log-ins take no code yet. */
  confirmed_at: number | null;
  /** Of the last code that was taken. */
  last_step: number;
}

export interface RecoveryCodesTable {
  account_id: number;
  code_sha256: Uint8Array;
  used_at: number | null;
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

export interface NotificationsTable {
  id: Generated<number>;
  /** The account that receives it. */
  account_id: number;
  type: string;
  is_read: Generated<number>;
  apk_id: number | null;
  ruleset_id: number | null;
  match_id: number | null;
  comment_id: number | null;
  /** The analyst whose action it reports. */
  analyst_id: number | null;
  job_id: number | null;
  created_at: number;
}

/** E-mails that were not handed to the mail server yet. */
export interface EmailsTable {
  id: Generated<number>;
  account_id: number;
  /** The same at every attempt, so that a mail sent twice is seen once. */
  message_id: string;
  recipient: string;
  subject: string;
  body: string;
  /** Those that failed. */
  attempts: Generated<number>;
  last_error: string | null;
  next_attempt_at: number;
  created_at: number;
}

/** One vote per account and APK. */
export interface VotesTable {
  id: Generated<number>;
  apk_id: number;
  account_id: number;
  kind: 'positive' | 'negative';
  created_at: number;
}

/** Who said what of an APK, and when; nothing in it is ever changed. */
export interface VerdictsTable {
  id: Generated<number>;
  apk_id: number;
  /** null: the account is gone. */
  account_id: number | null;
  /** As it was then. */
  username: string;
  verdict: Verdict;
  family: string;
  note: string;
  created_at: number;
}

/** On an APK, a ruleset or the profile of an account: exactly one of the three. */
export interface CommentsTable {
  id: Generated<number>;
  author_id: number;
  apk_id: number | null;
  ruleset_id: number | null;
  profile_id: number | null;
  text: string;
  created_at: number;
  updated_at: number;
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

/** Rules tried before they are saved. */
/** Proposed rules stand in one like it. */
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

export interface SavedSearchesTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  search: string;
  ordering: string;
  created_at: number;
  updated_at: number;
}

/** Findings and rules' matches that analysts have dismissed; undone dismissals stay on record. */
export interface DismissalsTable {
  id: Generated<number>;
  /** Its code; null: it is about a rule. */
  finding: string | null;
  ruleset_id: number | null;
  rule: string | null;
  scope: DismissalScope;
  /** With the scope `apk` alone. */
  apk_id: number | null;
  /** With the scope `signer` alone. */
  signer_id: number | null;
  /** With the scope `library` alone. */
  library: string | null;
  /** Where the finding stands; null: anywhere. */
  place: string | null;
  reason: string;
  /** null: the account is gone. */
  account_id: number | null;
  /** As it was then. */
  username: string;
  created_at: number;
  /** Username; null: the dismissal is active. */
  undone_by: string | null;
  undone_at: number | null;
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

/** By what sketches of much the same code are found. */
export interface CodeBandsTable {
  band: number;
  apk_id: number;
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

/** Why an APK counts as detected: one per APK and source. */
export interface DetectionsTable {
  id: Generated<number>;
  apk_id: number;
  kind: 'community' | 'ruleset' | 'antivirus';
  /** With the kind `ruleset` alone. */
  ruleset_id: number | null;
  /** Its name with the kind `antivirus`, else empty. */
  antivirus: string;
  /** JSON object; what the other tables know is not repeated in it. */
  information: string;
  created_at: number;
  updated_at: number;
}

/** What a detection said from a time on, for the feeds. */
export interface DetectionChangesTable {
  id: Generated<number>;
  apk_id: number;
  kind: 'community' | 'ruleset' | 'antivirus';
  ruleset_id: number | null;
  antivirus: string;
  /** null: it was withdrawn. */
  information: string | null;
  /** When the detection was made. */
  created_at: number;
  changed_at: number;
}
