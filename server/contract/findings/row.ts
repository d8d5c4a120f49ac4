// The shape of a row of the finding catalogue. Knows no finding.
//
// CWE ids: https://cwe.mitre.org (4.16); MASVS controls: https://mas.owasp.org/MASVS (2.1.0).
import type { Severity } from './finding.ts';

export interface FindingRow {
  /** Where the case at hand does not differ. */
  readonly severity: Severity;
  /** One line: what was found. */
  readonly title: string;
  /** Why it matters, and what is ordinary about it. */
  readonly description: string;
  /** Of a weakness: what kind it is, `CWE-327`, and the controls that it fails, `MASVS-CRYPTO-1`; empty for other findings. */
  readonly cwe: readonly string[];
  readonly masvs: readonly string[];
}

/** Rows by code. A code begins with its area, and every area has its rows in one file. */
export type FindingsOf<Area extends string> = Readonly<Record<`${Area}-${string}`, FindingRow>>;

const rowOf =
  (severity: Severity) =>
  /** @param weakness its CWE and MASVS ids, separated by blanks */
  (title: string, description: string, weakness = ''): FindingRow => {
    const ids = (beginning: string) => weakness.split(' ').filter((id) => id.startsWith(beginning));
    return { severity, title, description, cwe: ids('CWE-'), masvs: ids('MASVS-') };
  };

export const info = rowOf('info');
export const low = rowOf('low');
export const medium = rowOf('medium');
export const high = rowOf('high');
export const critical = rowOf('critical');
