// Reads a ZIP entry's local header and tells where it contradicts the directory. Knows nothing of packed contents.
import type { ByteSource } from '../../../vault/byte-source.ts';
import type { Findings } from '../../findings.ts';
import { FormatError } from '../byte-reader.ts';
import type { DirectoryRecord } from './directory.ts';
import { localSignature } from './end-record.ts';

const headerLength = 30;
/** Encrypted, strongly encrypted, or hidden in an encrypted directory. */
export const encryptedFlags = 0x0001 | 0x0040 | 0x2000;
const descriptorFlag = 0x0008;
/** What local extra fields take beyond the directory's: alignment padding. Read along, to spare a second read. */
const extraSlack = 64;

/**
 * Reads the local header, reports where it misleads, notes the content's place in `record.dataOffset`, and returns the
 * first `contentLength` bytes of the content, which are mostly there in the same read (else null).
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (4.3.7)
 * @throws FormatError `zip-entry-corrupt` where no local header stands
 */
export function locateContent(
  source: ByteSource,
  record: DirectoryRecord,
  contentLength: number,
  findings: Findings,
): Uint8Array | null {
  const offset = record.localHeaderOffset;
  const { nameLength } = record;
  const guess = headerLength + nameLength + record.extraLength + extraSlack + contentLength;
  const bytes = source.read(offset, guess);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < headerLength || view.getUint32(0, true) !== localSignature) {
    throw new FormatError('zip-entry-corrupt', offset, `${record.name} has no local header`);
  }
  const differences = compareHeaders(record, view, bytes);
  let skip = headerLength + view.getUint16(26, true) + view.getUint16(28, true);
  if (offset + skip > source.size) {
    // The lengths point out of the file: only what the directory says of the name is left to go by.
    differences.push('its lengths point out of the file');
    skip = headerLength + nameLength;
  }
  if (differences.length > 0) {
    findings.add('zip-local-header-mismatch', 'medium', record.name, `local header: ${differences.join('; ')}`);
  }
  record.dataOffset = offset + skip;
  const isAllThere = skip + contentLength <= bytes.length || bytes.length < guess;
  return isAllThere ? bytes.subarray(skip, skip + contentLength) : null;
}

/** The directory decides for Android; a local header that says otherwise is there to mislead. */
function compareHeaders(record: DirectoryRecord, view: DataView, bytes: Uint8Array): string[] {
  const differences: string[] = [];
  const compare = (what: string, local: number, central: number) => {
    if (local !== central) differences.push(`${what} ${local}, in the directory ${central}`);
  };
  const flags = view.getUint16(6, true);
  const nameLength = view.getUint16(26, true);
  compare('method', view.getUint16(8, true), record.method);
  compare('encryption flags', flags & encryptedFlags, record.flags & encryptedFlags);
  compare('name length', nameLength, record.nameLength);
  const nameEnd = headerLength + nameLength;
  if (nameLength === record.nameLength && !isSameName(record, bytes)) {
    differences.push(`name ${JSON.stringify(Buffer.from(bytes.subarray(headerLength, nameEnd)).toString('latin1'))}`);
  }
  if ((flags & descriptorFlag) === 0) {
    compare('CRC', view.getUint32(14, true), record.crc32);
    const compressedSize = view.getUint32(18, true);
    const size = view.getUint32(22, true);
    // ZIP64 keeps both numbers in the extra field.
    if (size !== 0xffffffff || compressedSize !== 0xffffffff) {
      compare('compressed size', compressedSize, record.compressedSize);
      compare('size', size, record.size);
    }
  }
  return differences;
}

function isSameName({ directory, nameStart, nameLength }: DirectoryRecord, header: Uint8Array): boolean {
  if (headerLength + nameLength > header.length) return false;
  for (let i = 0; i < nameLength; i++) if (header[headerLength + i] !== directory[nameStart + i]) return false;
  return true;
}
