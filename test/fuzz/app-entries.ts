// Entries of small real APKs, as samples for fuzz targets.
import { Findings } from '../../server/engine/findings.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { fileSource } from '../../server/vault/byte-source.ts';

/** Every entry's content by name, in the archive's order, as copies that may be changed. */
export function appEntries(path: string): Map<string, Buffer> {
  const source = fileSource(path);
  try {
    const zip = openZip(source, new Findings());
    return new Map(zip.entries.map((entry) => [entry.name, Buffer.from(zip.read(entry))]));
  } finally {
    source.close();
  }
}
