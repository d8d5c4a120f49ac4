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

/** Every field that a report brings terms for. */
export const reportTermFields: readonly string[] = [
  ...Object.keys(androguardTermFields),
  'network.hosts',
  'network.http',
  'network.dns',
  'network.domains',
];

/** Longer terms are cut: nobody searches for what stands behind. */
export const maxTermLength = 500;
/** An app that declares more than this wants to fill the index. */
export const maxTermsOfApk = 5000;

export interface ReportTerms {
  terms: { field: string; text: string }[];
  /** As the manifest names them. */
  minSdk: number | null;
  targetSdk: number | null;
}
