// Columns of the tables about accounts, how they log in, and what people write to each other.
import type { Generated } from 'kysely';

export interface PeopleTables {
  accounts: AccountsTable;
  avatars: AvatarsTable;
  tokens: TokensTable;
  group_limits: GroupLimitsTable;
  limit_usage: LimitUsageTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  guesses: GuessesTable;
  invitations: InvitationsTable;
  follows: FollowsTable;
  comments: CommentsTable;
  notifications: NotificationsTable;
  emails: EmailsTable;
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

export interface InvitationsTable {
  id: Generated<number>;
  account_id: number;
  code_sha256: Uint8Array;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

export interface FollowsTable {
  id: Generated<number>;
  follower_id: number;
  followed_id: number;
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
