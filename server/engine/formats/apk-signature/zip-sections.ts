// Checks that an archive's end record and central directory are what Android's verifier takes, and finds the sections
// that signatures cover. Knows no signature.
import type { ZipArchive } from '../zip/archive.ts';
import type { Issues } from './issues.ts';
import { type ApkSections, findSections } from './signing-block.ts';

const endRecordLength = 22;
const headerLength = 46;
const headerSignature = 0x02014b50;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/**
 * Finds the sections of an APK by the offsets that its end record states, whatever the ZIP reader made of them.
 * @param issues gets an error `malformed-apk` for what the reader tolerates and Android does not
 */
export function locateSections(archive: ZipArchive, issues: Issues): ApkSections {
  const { source, endOfCentralDirectoryOffset: endOffset } = archive;
  const end = viewOf(source.read(endOffset, endRecordLength));
  const count = end.getUint16(10, true);
  const size = end.getUint32(12, true);
  const offset = end.getUint32(16, true);
  const problem =
    endOffset + endRecordLength + end.getUint16(20, true) !== source.size
      ? 'the end record is not where the file ends'
      : offset + size > endOffset
        ? 'the central directory is said to reach past the end record'
        : directoryProblem(archive, offset, size, count);
  if (problem !== null) issues.error('malformed-apk', `The archive is not one that Android takes: ${problem}`);
  const sections = findSections(source, offset, size, endOffset);
  if (sections.blockProblem !== null) {
    issues.warning('malformed-signing-block', `The signing block is not all that it says: ${sections.blockProblem}`);
  }
  return sections;
}

/** Android reads as many headers as the end record counts, and nothing after them. */
function directoryProblem({ source, entries }: ZipArchive, offset: number, size: number, count: number): string | null {
  if (count === 0 || entries.length < count) return `${count} entries are declared, ${entries.length} can be read`;
  const bytes = source.read(offset, size);
  const view = viewOf(bytes);
  for (let at = 0, number = 1; number <= count; number++) {
    if (at + headerLength > bytes.length || view.getUint32(at, true) !== headerSignature) {
      return `header ${number} of the central directory is missing`;
    }
    at += headerLength + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (at > bytes.length) return `header ${number} of the central directory is cut off`;
  }
  return null;
}
