// The expression of a search, as plain data that can be sent to the search thread. Knows no syntax and no table.

import type { MarkField } from '../../contract/engine/report-terms.ts';

export type TextColumn = 'app' | 'package_name' | 'company' | 'version';
/** `verdict`, `severity` and `damage`: the place of the word in its list. */
export type NumberColumn =
  | ('size' | 'rating' | 'min_sdk' | 'target_sdk' | 'signer_id' | 'created_at')
  | ('verdict' | 'risk' | 'severity' | 'damage');
export type FlagColumn =
  | 'is_trusted'
  | 'is_installed'
  | 'is_detected'
  | 'is_corrupted'
  | 'is_static_analyzed'
  | 'is_dynamic_analyzed'
  | 'is_yara_analyzed';
export type HashColumn = 'md5' | 'sha1' | 'sha256';

/** One condition on an APK. */
export type SearchCondition =
  | { kind: 'flag'; column: FlagColumn; value: boolean }
  /** One of these. @property ids rows, in any order */
  | { kind: 'ids'; ids: readonly number[] }
  /** Both ends belong to it; null: open. An APK without a value is in no range. */
  | { kind: 'range'; column: NumberColumn; from: number | null; to: number | null }
  /** The column is not empty. */
  | { kind: 'filled'; column: TextColumn }
  /** Any of the columns contains the text, in any case. */
  | { kind: 'text'; columns: readonly TextColumn[]; text: string }
  /** Any of the columns has a word with this prefix. */
  | { kind: 'prefix'; columns: readonly TextColumn[]; text: string }
  /** Any of the columns has a word within so many edits. */
  | { kind: 'similar'; columns: readonly TextColumn[]; text: string; distance: number }
  /** @property hash lower-case hex, the beginning of a hash where it is shorter than one of the column */
  | { kind: 'hash'; columns: readonly HashColumn[]; hash: string }
  /** @property hash SHA-1 or SHA-256 of the signer's certificate, lower-case hex, or the beginning of either */
  | { kind: 'certificate'; hash: string }
  /** There is a verdict, `unknown` included. */
  | { kind: 'judged' }
  | { kind: 'tag' | 'family' | 'case'; name: string; isPrefix: boolean }
  /** A ruleset or rule of this name matches, or one whose name begins so, of those that the account may see. */
  | { kind: 'ruleset'; name: string; isPrefix: boolean; viewerId: number | null }
  | { kind: 'rule'; name: string; isPrefix: boolean; viewerId: number | null }
  /** A report has a fitting term in the field. */
  | ({ kind: 'term'; field: string } & TermFit)
  /** The same for a field whose values are kept in memory. */
  | ({ kind: 'mark'; field: MarkField } & TermFit)
  /** The code has one of these names, or one that begins so. @property names as the engine's `code-names.ts` writes them */
  | { kind: 'name'; names: readonly string[]; isPrefix: boolean };

/**
 * - `part`: what contains the text, in any case; anything at all where it is empty
 * - `whole`, `start`: what is, or begins with, the text as it is written
 * - `below`: the text, and what goes on from it behind a dot, as `T1636.004` from `T1636`
 * - `domain`: the text, and what ends in it behind a dot
 */
export interface TermFit {
  text: string;
  fit: 'part' | 'whole' | 'start' | 'below' | 'domain';
}

export type SearchExpression =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; parts: readonly SearchExpression[] }
  | { kind: 'not'; part: SearchExpression }
  | SearchCondition;

export const nothing: SearchExpression = { kind: 'not', part: { kind: 'all' } };

/** What the catalogue can be ordered by. */
export const orderColumns = [
  'created_at',
  'updated_at',
  'app',
  'package_name',
  'company',
  'size',
  'rating',
  'matches_count',
  'comments_count',
  'votes_count',
  'min_sdk',
  'target_sdk',
  'is_detected',
  'is_trusted',
  'is_corrupted',
  'is_installed',
  'is_static_analyzed',
  'is_dynamic_analyzed',
  'risk',
  'severity',
  'findings_count',
  'techniques_count',
  'trackers_count',
  'libraries_count',
  'apis_count',
  'hosts_count',
  'verdict',
  'family',
] as const;
export type OrderColumn = (typeof orderColumns)[number];
export interface OrderKey {
  column: OrderColumn;
  isDescending: boolean;
}
/** By these columns, one after the other; among equals the newest first. */
export type Ordering = readonly OrderKey[];
