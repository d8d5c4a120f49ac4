// Tells code of other runtimes in an APK while its entries are walked, and what its strings say. Knows no format.
import { type BundleRecord, maxBundles } from '../../contract/engine/bundles.ts';
import type { Bundle } from '../app/bundles/bundle.ts';
import { mayBeBundle, recordOf, tellBundle } from '../app/bundles/bundles.ts';
import type { Findings } from '../findings.ts';
import type { ZipArchive } from '../formats/zip/archive.ts';
import type { IndicatorCollector } from './indicators.ts';

/** Strings of one app's bundles that are searched for addresses: all of a large app's, within a second. */
const maxRead = 1_000_000;
/** Strings that are handed on to be listed. */
const maxListed = 20_000;

export interface CollectedBundles {
  readonly records: BundleRecord[];
  /** The first strings of bundles that have string tables. */
  readonly strings: string[];
}

export class BundleCollector {
  readonly #collected: CollectedBundles = { records: [], strings: [] };
  readonly #archive: ZipArchive;
  readonly #indicators: IndicatorCollector;
  readonly #findings: Findings;
  #names: readonly string[] | null = null;
  #read = 0;
  #leftOut = '';

  constructor(archive: ZipArchive, indicators: IndicatorCollector, findings: Findings) {
    this.#archive = archive;
    this.#indicators = indicators;
    this.#findings = findings;
  }

  /**
   * @param type of its content
   * @returns whether its strings were looked through for addresses, so that its bytes need not be
   */
  add(path: string, type: string, bytes: Uint8Array): boolean {
    if (!mayBeBundle(type)) return false;
    this.#names ??= this.#archive.entries.map(({ name }) => name);
    const bundle = tellBundle(path, bytes, type, this.#names);
    if (bundle === null) return false;
    const { records } = this.#collected;
    if (records.length >= maxBundles) {
      this.#leftOut ||= path;
      return false;
    }
    records.push(recordOf(path, bytes.length, bundle));
    for (const fault of bundle.faults) this.#findings.add('content-damaged-bundle', path, fault);
    return this.#readTexts(path, bundle);
  }

  #readTexts(path: string, { holds, readTexts }: Bundle): boolean {
    if (holds === null) return false;
    const { strings } = this.#collected;
    const where = [path];
    for (const { text } of readTexts()) {
      if (this.#read++ >= maxRead) {
        this.#findings.add('report-cut', path, `of its strings ${maxRead} were looked through`);
        break;
      }
      if (strings.length < maxListed) strings.push(text);
      if (holds === 'constants') this.#indicators.addConstant(text, where);
      else this.#indicators.addDocument(text, where);
    }
    return true;
  }

  /** Reports that the list is cut, if it is. */
  end(): CollectedBundles {
    if (this.#leftOut !== '') {
      this.#findings.add('report-cut', 'bundles', `${maxBundles} are listed, none from ${this.#leftOut} on`);
    }
    return this.#collected;
  }
}
