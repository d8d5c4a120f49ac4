// Checks that an archive's end record and central directory are what Android's verifier takes, and finds the sections
// that signatures cover. Knows no signature.
import type { ZipArchive } from '../zip/archive.ts';
import { type ApkSections, findSections } from './signing-block.ts';

const endRecordLength = 22;
const headerLength = 46;
const headerSignature = 0x02014b50;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

interface EndFields {
  count: number;
  size: number;
  offset: number;
  commentLength: number;
}

function readEnd({ source, endOfCentralDirectoryOffset }: ZipArchive): EndFields {
  const view = viewOf(source.read(endOfCentralDirectoryOffset, endRecordLength));
  return {
    count: view.getUint16(10, true),
    size: view.getUint32(12, true),
    offset: view.getUint32(16, true),
    commentLength: view.getUint16(20, true),
  };
}

/** Finds the sections of an APK by the offsets that its end record states, whatever the ZIP reader made of them. */
export function locateSections(archive: ZipArchive): ApkSections {
  const { size, offset } = readEnd(archive);
  return findSections(archive.source, offset, size, archive.endOfCentralDirectoryOffset);
}

/** What the ZIP reader tolerates in end record and central directory and Android does not; null where all is well. */
export function archiveProblem(archive: ZipArchive): string | null {
  const { source, endOfCentralDirectoryOffset: endOffset } = archive;
  const { count, size, offset, commentLength } = readEnd(archive);
  if (endOffset + endRecordLength + commentLength !== source.size) return 'the end record is not where the file ends';
  if (offset + size > endOffset) return 'the central directory is said to reach past the end record';
  return directoryProblem(archive, offset, size, count);
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
