// What of the reports can be searched for: its fields and terms, in the search syntax's names. Knows no syntax of searches.
import type { AndroguardReport } from './reports.ts';

export const androguardTermFields = {
  url: ['urls'],
  permission: ['permissions', 'new_permissions'],
  activity: ['activities'],
  service: ['services'],
  receiver: ['receivers'],
  provider: ['providers'],
  filter: ['filters'],
} as const satisfies Record<string, readonly (keyof AndroguardReport)[]>;

/**
 * Fields of some hundred values in all, each of which many APKs share: they are kept in memory, and facets count them.
 * `known` and `list` are what lists of known files and signers say.
 */
export const markFields = ['finding', 'technique', 'tracker', 'library', 'api', 'known', 'list'] as const;
export type MarkField = (typeof markFields)[number];
/** Those that reports bring; findings and techniques follow from its APK's evidence. */
export const reportMarkFields = ['tracker', 'library', 'api'] as const satisfies MarkField[];
/** Fields of the hosts that an app names or contacted. */
export const hostFields = ['domain', 'ip'] as const;
export type HostField = (typeof hostFields)[number];

/** Every field that a report brings terms for. */
export const reportTermFields: readonly string[] = [
  ...reportMarkFields,
  ...Object.keys(androguardTermFields),
  ...hostFields,
  'signer',
  'network.hosts',
  'network.http',
  'network.dns',
  'network.domains',
];

/** Longer terms are cut: nobody searches for what stands behind. */
export const maxTermLength = 500;
/** An app that declares more than this wants to fill the index. */
export const maxTermsOfApk = 5000;

/** Letters of the names in code: those of some 60,000 classes. */
export const maxNameLetters = 4_000_000;

export interface ReportTerms {
  terms: { field: string; text: string }[];
  /**
   * Classes that the app defines and methods that it calls and does not define, as `code-names.ts` writes them, with
   * blanks between; null: what is known of them stays.
   */
  names: string | null;
  /** As the manifest names them. */
  minSdk: number | null;
  targetSdk: number | null;
}
