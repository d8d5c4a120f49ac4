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
/** Longer extra fields than the alignment to pages of 16 KiB needs are there to confuse tools. */
const maxExtraLength = 32 * 1024;

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
  const extraLength = view.getUint16(28, true);
  let skip = headerLength + view.getUint16(26, true) + extraLength;
  if (offset + skip > source.size) {
    // The lengths point out of the file: only what the directory says of the name is left to go by.
    differences.refused.push('its lengths point out of the file');
    skip = headerLength + nameLength;
  } else if (extraLength > maxExtraLength) {
    findings.add('zip-extra-field', record.name, `${extraLength} bytes of extra field`);
  }
  const all = [...differences.misleading, ...differences.refused];
  if (all.length > 0) {
    const verdict = differences.refused.length > 0 ? '; Android does not open the file' : '';
    findings.add('zip-local-header-mismatch', record.name, `local header: ${all.join('; ')}${verdict}`);
  }
  record.dataOffset = offset + skip;
  const isAllThere = skip + contentLength <= bytes.length || bytes.length < guess;
  return isAllThere ? bytes.subarray(skip, skip + contentLength) : null;
}

/** What a local header says otherwise than the directory does. */
interface Differences {
  /** Android goes by the directory and reads on. */
  misleading: string[];
  /** Android compares these and gives the file up. */
  refused: string[];
}

/** @see https://android.googlesource.com/platform/system/libziparchive/+/refs/heads/main/zip_archive.cc */
function compareHeaders(record: DirectoryRecord, view: DataView, bytes: Uint8Array): Differences {
  const differences: Differences = { misleading: [], refused: [] };
  const compare = (kind: keyof Differences, what: string, local: number, central: number) => {
    if (local !== central) differences[kind].push(`${what} ${local}, in the directory ${central}`);
  };
  const flags = view.getUint16(6, true);
  const nameLength = view.getUint16(26, true);
  compare('misleading', 'method', view.getUint16(8, true), record.method);
  compare('misleading', 'encryption flags', flags & encryptedFlags, record.flags & encryptedFlags);
  compare('refused', 'name length', nameLength, record.nameLength);
  const nameEnd = headerLength + nameLength;
  if (nameLength === record.nameLength && !isSameName(record, bytes)) {
    const name = Buffer.from(bytes.subarray(headerLength, nameEnd)).toString('latin1');
    differences.refused.push(`name ${JSON.stringify(name)}`);
  }
  if ((flags & descriptorFlag) === 0) {
    compare('refused', 'CRC', view.getUint32(14, true), record.crc32);
    const compressedSize = view.getUint32(18, true);
    const size = view.getUint32(22, true);
    // ZIP64 keeps both numbers in the extra field.
    if (size !== 0xffffffff || compressedSize !== 0xffffffff) {
      compare('refused', 'compressed size', compressedSize, record.compressedSize);
      compare('refused', 'size', size, record.size);
    }
  }
  return differences;
}

function isSameName({ directory, nameStart, nameLength }: DirectoryRecord, header: Uint8Array): boolean {
  if (headerLength + nameLength > header.length) return false;
  for (let i = 0; i < nameLength; i++) if (header[headerLength + i] !== directory[nameStart + i]) return false;
  return true;
}
