// Collects the findings of one analysis, bounded. Knows nothing of what is found.
import type { Finding, Severity } from '../contract/finding.ts';

/** A hostile file can trigger the same deviation millions of times; the first ones prove it. */
const maxPerCode = 50;
const maxEvidenceLength = 400;

export class Findings {
  readonly #list: Finding[] = [];
  readonly #counts = new Map<string, number>();

  /** Records a finding; past 50 of one code only the count goes on. */
  add(code: string, severity: Severity, where: string, evidence: string): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count > maxPerCode) return;
    this.#list.push({
      code,
      severity,
      where: where.slice(0, maxEvidenceLength),
      evidence: evidence.slice(0, maxEvidenceLength),
    });
  }

  has(code: string): boolean {
    return this.#counts.has(code);
  }

  /** Every kept finding in the order of discovery, with a closing entry for each code whose surplus was only counted. */
  list(): Finding[] {
    const surplus = [...this.#counts]
      .filter(([, count]) => count > maxPerCode)
      .map(([code, count]): Finding => {
        const severity = this.#list.find((finding) => finding.code === code)?.severity ?? 'info';
        return { code, severity, where: '', evidence: `${count - maxPerCode} more of the same` };
      });
    return [...this.#list, ...surplus];
  }
}
