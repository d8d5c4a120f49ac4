// Collects the findings of one analysis, bounded. Knows nothing of what is found.
import type { Finding, Severity } from '../contract/findings/finding.ts';
import { type FindingCode, findingOf } from '../contract/findings/finding-catalogue.ts';

/** A hostile file can trigger the same deviation millions of times; the first ones prove it. */
const maxPerCode = 50;
const maxEvidenceLength = 400;

/** Evidence of a finding without a place, which stands for those that are not listed. */
export const morePlaces = (count: number): string => `${count} more place${count === 1 ? '' : 's'}`;

export class Findings {
  readonly #list: Finding[] = [];
  readonly #counts = new Map<FindingCode, number>();

  /**
   * Records a finding; past 50 of one code they are only counted.
   * @param severity only where the case at hand differs from what the catalogue says of its code
   */
  add(code: FindingCode, where: string, evidence: string, severity?: Severity): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count > maxPerCode) return;
    this.#list.push(findingOf(code, where.slice(0, maxEvidenceLength), evidence.slice(0, maxEvidenceLength), severity));
  }

  has(code: FindingCode): boolean {
    return this.#counts.has(code);
  }

  /** Every kept finding in the order of discovery, with a closing entry for each code whose surplus was only counted. */
  list(): Finding[] {
    const surplus = [...this.#counts]
      .filter(([, count]) => count > maxPerCode)
      .map(([code, count]): Finding => {
        const severity = this.#list.find((finding) => finding.code === code)?.severity;
        return findingOf(code, '', morePlaces(count - maxPerCode), severity);
      });
    return [...this.#list, ...surplus];
  }
}
