// Entries of small real APKs, as samples for fuzz targets.
import { Findings } from '../../server/engine/findings.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { fileSource, memorySource } from '../../server/vault/byte-source.ts';

/** Every entry's content by name, in the archive's order, as copies that may be changed. */
export function appEntries(apk: string | Uint8Array): Map<string, Buffer> {
  const source = typeof apk === 'string' ? fileSource(apk) : memorySource(apk);
  try {
    const zip = openZip(source, new Findings());
    return new Map(zip.entries.map((entry) => [entry.name, Buffer.from(zip.read(entry))]));
  } finally {
    source.close();
  }
}
