// Fingerprints of all files of an APK that a scan looks at, in groups: large files by themselves, small ones together. Knows no rule.
import type { LeftFiles } from '../../contract/engine/analysis-results.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import type { FilePrints, PrintGroup } from '../../vault/packed-prints.ts';
import { type ScannedFile, walkFiles } from '../app/scanned-files.ts';
import { Findings } from '../findings.ts';
import { addFingerprints, FingerprintSet } from '../similarity/text-fingerprints.ts';

/** Bytes from which a file is a group of its own. */
const largeFile = 256 * 1024;
/** Fingerprints with which a group of small files is full. */
const fullGroup = 6 * 1024;

/** Collects the fingerprints of files in the order of a scan. */
export class FilePrintsCollector {
  readonly #groups: PrintGroup[] = [];
  #prints = new FingerprintSet();
  #filesCount = 0;
  #end = 0;

  /** Takes in the next file. */
  add({ number, bytes, isChild }: Pick<ScannedFile, 'number' | 'bytes' | 'isChild'>): void {
    const isAlone = number === 0 || (!isChild && bytes.length >= largeFile);
    if (isAlone || (isChild && this.#end <= number)) this.#close();
    addFingerprints(bytes, this.#prints);
    this.#filesCount += 1;
    this.#end = number + 1;
    // All that came out of the APK is one group.
    if (isAlone || (!isChild && this.#prints.held >= fullGroup)) this.#close();
  }

  /** What was collected. @param ofReports fingerprints of what reports say of the APK */
  finish(ofReports: FingerprintSet): FilePrints {
    this.#close();
    this.#groups.push({ end: this.#end + 1, prints: ofReports.sorted() });
    return { filesCount: this.#filesCount, groups: this.#groups };
  }

  #close(): void {
    if (this.#end <= (this.#groups.at(-1)?.end ?? 0)) return;
    this.#groups.push({ end: this.#end, prints: this.#prints.sorted() });
    this.#prints = new FingerprintSet();
  }
}

/** Of all files of an APK. @param left by runs of it */
export function filePrints(
  source: ByteSource,
  left: LeftFiles,
  ofReports: FingerprintSet,
  progress: (done: number) => void,
): FilePrints {
  const collector = new FilePrintsCollector();
  walkFiles(source, { left, findings: new Findings(), progress, visit: (file) => collector.add(file) });
  return collector.finish(ofReports);
}
