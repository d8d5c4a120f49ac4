// Columns of the tables about what people, rules and scanners say of an APK.
import type { Generated } from 'kysely';
import type { Verdict } from '../../contract/catalogue/verdict.ts';
import type { DismissalScope } from '../../contract/findings/dismissed.ts';

export interface TriageTables {
  votes: VotesTable;
  verdicts: VerdictsTable;
  dismissals: DismissalsTable;
  detections: DetectionsTable;
  detection_changes: DetectionChangesTable;
  told_sayings: ToldSayingsTable;
  told_cases: ToldCasesTable;
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

/** What people and rules of other workstations said of APKs. */
export interface ToldSayingsTable {
  id: Generated<number>;
  apk_id: number;
  /** SHA-256 of the content. */
  mark: Uint8Array;
  /** JSON: `Saying`. */
  content: string;
  /** Username of who read the collection in that has it. */
  brought_by: string;
  created_at: number;
}

/** Cases that came from other workstations. */
export interface ToldCasesTable {
  /** SHA-256 of the case's file. */
  mark: Uint8Array;
  case_id: number;
}
