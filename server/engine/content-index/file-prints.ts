// Fingerprints of all files of an APK that a scan looks at, in groups: large files by themselves, small ones together. Knows no rule.
import type { LeftFiles } from '../../contract/engine/analysis-results.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import type { FilePrints, PrintGroup } from '../../vault/packed-prints.ts';
import { walkFiles } from '../app/scanned-files.ts';
import { Findings } from '../findings.ts';
import { addFingerprints, FingerprintSet } from '../similarity/text-fingerprints.ts';

/** Bytes from which a file is a group of its own. */
const largeFile = 256 * 1024;
/** Fingerprints with which a group of small files is full. */
const fullGroup = 4096;

/**
 * @param left by runs of the APK
 * @param ofReports fingerprints of what reports say of the APK
 */
export function filePrints(
  source: ByteSource,
  left: LeftFiles,
  ofReports: FingerprintSet,
  progress: (done: number) => void,
): FilePrints {
  const groups: PrintGroup[] = [];
  let prints = new FingerprintSet();
  let filesCount = 0;
  let end = 0;
  const close = () => {
    if (end > (groups.at(-1)?.end ?? 0)) groups.push({ end, prints: prints.sorted() });
    prints = new FingerprintSet();
  };
  walkFiles(source, {
    left,
    findings: new Findings(),
    progress,
    visit({ number, bytes, isChild }) {
      const isAlone = number === 0 || (!isChild && bytes.length >= largeFile);
      if (isAlone || (isChild && end <= number)) close();
      addFingerprints(bytes, prints);
      filesCount += 1;
      end = number + 1;
      // All that came out of the APK is one group.
      if (isAlone || (!isChild && prints.size >= fullGroup)) close();
    },
  });
  close();
  groups.push({ end: end + 1, prints: ofReports.sorted() });
  return { filesCount, groups };
}
