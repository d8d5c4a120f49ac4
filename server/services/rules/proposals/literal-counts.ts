// Which literals stand in an APK, by a scan with each of them as a rule. The scan is the truth, whatever was read before.
import type { ApkRecord } from '../../../store/repositories/apk-repository.ts';
import type { ApkScanner, ScanOptions } from '../apk-scanner.ts';
import type { ApkScan, ScanText } from '../ruleset-isolation.ts';
import type { Literal } from './literal-choice.ts';
import { countingRules } from './proposed-rules.ts';

export type FoundLiterals =
  | { status: 'found'; found: string[][] }
  | { status: 'failed'; code: string; message: string };

export class LiteralCounts {
  readonly #scanner: ApkScanner;
  readonly #texts: ScanText[];

  /** @param name stands for these literals, and for no others */
  constructor(scanner: ApkScanner, name: string, literals: readonly Literal[]) {
    this.#scanner = scanner;
    const { reports, strings } = countingRules(literals);
    this.#texts = [
      ...(literals.some(({ group }) => group === 'report') ? [{ id: `${name} reports`, rules: reports }] : []),
      ...(strings === '' ? [] : [{ id: `${name} strings`, rules: strings }]),
    ];
  }

  /** What of them stands together in the APK: what is said of all of it, then what each file has. */
  async in(apk: ApkRecord, options: ScanOptions): Promise<FoundLiterals> {
    if (this.#texts.length === 0) return { status: 'found', found: [] };
    return foundIn(await this.#scanner.scan(apk, this.#texts, options));
  }
}

function foundIn(scan: ApkScan): FoundLiterals {
  if (scan.status === 'failed') return scan;
  const unfinished = scan.outcomes.find(({ status }) => status !== 'done');
  if (unfinished !== undefined) return { status: 'failed', code: unfinished.code, message: unfinished.message };
  const ofApk = new Set<string>();
  const byFile = new Map<string, string[]>();
  for (const { name, file, is_of_apk } of scan.outcomes.flatMap(({ rules_matched }) => rules_matched)) {
    if (is_of_apk === true) ofApk.add(name);
    else byFile.set(file, [...(byFile.get(file) ?? []), name]);
  }
  return { status: 'found', found: [[...ofApk], ...byFile.values()] };
}
