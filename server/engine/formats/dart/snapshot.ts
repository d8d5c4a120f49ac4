// The header of a snapshot of the Dart virtual machine, as Flutter compiles apps to. Knows no library around it.
// https://github.com/dart-lang/sdk/blob/main/runtime/vm/snapshot.h
import { ByteReader, FormatError } from '../byte-reader.ts';

export const snapshotMagic = 0xdcdcf5f5;
const headerSize = 20;
const hashLength = 32;
const maxFeatures = 2048;
const kinds = ['full', 'full, of the core libraries', 'full, with code compiled as it ran', 'full, with compiled code'];

export interface DartSnapshot {
  /** Bytes from its start on. */
  length: number;
  kind: string;
  /** Tells exactly one version of the virtual machine, 32 hexadecimal digits; empty where there is none. */
  versionHash: string;
  /** What it was compiled for: `product arm64 android compressed-pointers …`. */
  features: string;
  faults: string[];
}

/** @throws FormatError `not-a-snapshot`, `truncated` */
export function readSnapshot(bytes: Uint8Array, start: number): DartSnapshot {
  const reader = new ByteReader(bytes, start);
  if (reader.u32() !== snapshotMagic) throw new FormatError('not-a-snapshot', start, 'no Dart snapshot');
  // The length does not count the magic number.
  const length = reader.u64() + 4;
  const kind = reader.u64();
  const faults: string[] = [];
  const place = `0x${start.toString(16)}`;
  if (length < headerSize || start + length > bytes.length) {
    faults.push(`a snapshot of ${length} bytes at ${place} does not fit the file of ${bytes.length} bytes`);
  }
  const versionHash = Buffer.from(reader.take(hashLength)).toString('latin1');
  const isHash = /^[0-9a-f]{32}$/.test(versionHash);
  if (!isHash) faults.push(`no version's hash at 0x${(start + headerSize).toString(16)}`);
  const rest = bytes.subarray(reader.offset, reader.offset + maxFeatures);
  const end = rest.indexOf(0);
  return {
    length: Math.max(0, Math.min(length, bytes.length - start)),
    kind: kinds[kind] ?? `kind ${kind}`,
    versionHash: isHash ? versionHash : '',
    features: isHash && end >= 0 ? Buffer.from(rest.subarray(0, end)).toString('latin1') : '',
    faults,
  };
}
