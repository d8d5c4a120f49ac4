// The shape of a row of the finding catalogue. Knows no finding.
import type { Severity } from './finding.ts';

export interface FindingRow {
  /** Where the case at hand does not differ. */
  readonly severity: Severity;
  /** One line: what was found. */
  readonly title: string;
  /** Why it matters, and what is ordinary about it. */
  readonly description: string;
  /** Ids of the weakness, `CWE-327`, and of the controls that it fails, `MASVS-CRYPTO-1`. */
  readonly cwe?: readonly string[];
  readonly masvs?: readonly string[];
}

/** Rows by code. A code begins with its area, and every area has its rows in one file. */
export type FindingsOf<Area extends string> = Readonly<Record<`${Area}-${string}`, FindingRow>>;

const rowOf =
  (severity: Severity) =>
  (title: string, description: string): FindingRow => ({ severity, title, description });

export const info = rowOf('info');
export const low = rowOf('low');
export const medium = rowOf('medium');
export const high = rowOf('high');
export const critical = rowOf('critical');
