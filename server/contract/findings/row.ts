// The shape of a row of the finding catalogue. Knows no finding.
//
// CWE ids: https://cwe.mitre.org (4.16); MASVS controls: https://mas.owasp.org/MASVS (2.1.0); techniques of MITRE ATT&CK for
// Mobile: https://attack.mitre.org/matrices/mobile (18.1), whose names and tactics stand in resources/attack-techniques.json.
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
  /** Techniques of MITRE ATT&CK for Mobile that it shows, `T1417.001`; only where the technique is just this. */
  readonly attack: readonly string[];
}

/** Rows by code. A code begins with its area, and every area has its rows in one file. */
export type FindingsOf<Area extends string> = Readonly<Record<`${Area}-${string}`, FindingRow>>;

const rowOf =
  (severity: Severity) =>
  /** @param classes its CWE, MASVS and ATT&CK ids, separated by blanks */
  (title: string, description: string, classes = ''): FindingRow => {
    const ids = (beginning: string) => classes.split(' ').filter((id) => id.startsWith(beginning));
    return { severity, title, description, cwe: ids('CWE-'), masvs: ids('MASVS-'), attack: ids('T') };
  };

export const info = rowOf('info');
export const low = rowOf('low');
export const medium = rowOf('medium');
export const high = rowOf('high');
export const critical = rowOf('critical');
