// An archive of one file in memory, not compressed, for what reads archives alone. Knows nothing of the file.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3
import { crc32 } from 'node:zlib';

const localHeaderLength = 30;
const directoryRecordLength = 46;
const endRecordLength = 22;

/** @param name ASCII */
export function storedArchive(name: string, content: Uint8Array): Uint8Array {
  const local = Buffer.alloc(localHeaderLength);
  const record = Buffer.alloc(directoryRecordLength);
  const end = Buffer.alloc(endRecordLength);
  local.write('PK\x03\x04', 'latin1');
  record.write('PK\x01\x02', 'latin1');
  end.write('PK\x05\x06', 'latin1');
  for (const [header, crcAt, nameLengthAt] of [
    [local, 14, 26],
    [record, 16, 28],
  ] as const) {
    header.writeUInt32LE(crc32(content), crcAt);
    header.writeUInt32LE(content.length, crcAt + 4);
    header.writeUInt32LE(content.length, crcAt + 8);
    header.writeUInt16LE(name.length, nameLengthAt);
  }
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directoryRecordLength + name.length, 12);
  end.writeUInt32LE(localHeaderLength + name.length + content.length, 16);
  return Buffer.concat([local, Buffer.from(name), content, record, Buffer.from(name), end]);
}
