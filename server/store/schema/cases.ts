// Columns of the tables of cases.
import type { Generated } from 'kysely';
import type { EntryKind } from '../../contract/catalogue/case.ts';

export interface CasesTables {
  cases: CasesTable;
  case_people: CasePeopleTable;
  case_entries: CaseEntriesTable;
  case_apks: CaseApksTable;
}

export interface CasesTable {
  id: Generated<number>;
  name: string;
  note: Generated<string>;
  is_closed: Generated<number>;
  /** Who made it; null: the account is gone. */
  account_id: number | null;
  /** As it was then. */
  username: string;
  created_at: number;
  updated_at: number;
}

/** Also people of other workstations, whose cases were taken in. */
export interface CasePeopleTable {
  case_id: number;
  username: string;
}

export interface CaseEntriesTable {
  id: Generated<number>;
  case_id: number;
  kind: EntryKind;
  text: string;
  /** To a question. */
  answer: Generated<string>;
  /** Who does a task; empty: nobody. */
  assignee: Generated<string>;
  /** A task is done, a question is answered. */
  is_done: Generated<number>;
  happened_at: number;
  username: string;
  created_at: number;
  updated_at: number;
}

export interface CaseApksTable {
  case_id: number;
  sha256: Buffer;
  /** Null while it is not in the catalogue; kept by triggers. */
  apk_id: number | null;
  /** As the app was called when it was added. */
  name: Generated<string>;
  note: Generated<string>;
  username: string;
  added_at: number;
}
