// A file in a ZIP archive with the password by which samples travel, so that no antivirus on the way opens it. Made as it is
// sent. Knows no APK.
import { Readable } from 'node:stream';
import { configure, ZipWriter } from '@zip.js/zip.js';
import { usualPassword } from '../contract/catalogue/archive-signatures.ts';

configure({ useWebWorkers: false });

/**
 * The archive with one file. The traditional encryption (APPNOTE 6.1) is weak, but the password is public, and every
 * unpacker reads it. The file is stored without compression: APKs are compressed already.
 * @param modifiedAt microseconds since 1970 UTC
 */
export function lockedZip(file: Readable, name: string, modifiedAt: number): Readable {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = new ZipWriter(writable, { level: 0, password: usualPassword, zipCrypto: true });
  const write = async () => {
    const options = { lastModDate: new Date(modifiedAt / 1000), extendedTimestamp: false };
    await writer.add(name, Readable.toWeb(file) as ReadableStream<Uint8Array>, options);
    await writer.close();
  };
  // The reader gets the error.
  write().catch((error: unknown) => writable.abort(error).catch(() => file.destroy()));
  const sent = Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0]);
  sent.once('close', () => file.destroy());
  return sent;
}
