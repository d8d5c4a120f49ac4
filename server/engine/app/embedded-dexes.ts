// Finds Dalvik code that an APK carries beside its own: in assets, under false names, in apps and archives inside it.
// Knows no classes.
import { memorySource } from '../../vault/byte-source.ts';
import type { Findings } from '../findings.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { type Dex, openDexContainer } from '../formats/dex/dex.ts';
import { isDexAt } from '../formats/dex/header.ts';
import { openZip, type ZipArchive, type ZipEntry } from '../formats/zip/archive.ts';

/** Levels of archives that are opened: a dropper's payload may carry another one, and deeper ones only cost time. */
const maxDepth = 2;
/** No honest app embeds more; a hostile one could name thousands. */
const maxDexes = 64;
/** Unpacked bytes of embedded code and of the archives that it is in. */
const maxBytes = 256 * 1024 * 1024;
const maxEntriesSeen = 50_000;
const zipMagic = 0x04034b50;

export interface EmbeddedDexes {
  dexes: Dex[];
  unreadable: { name: string; reason: string }[];
}

/**
 * Code outside the archive's own `classes.dex` files, by content rather than by name. Where it stands is told as
 * `assets/payload.apk!/classes.dex`, the way of `java.net.JarURLConnection`.
 * @param own the entries that Android itself loads
 */
export function embeddedDexes(archive: ZipArchive, own: readonly ZipEntry[], findings: Findings): EmbeddedDexes {
  const found: EmbeddedDexes = { dexes: [], unreadable: [] };
  let bytesLeft = maxBytes;
  let entriesLeft = maxEntriesSeen;

  const isFull = () => found.dexes.length >= maxDexes || bytesLeft <= 0 || entriesLeft <= 0;
  const attempt = (name: string, run: () => void) => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      found.unreadable.push({ name, reason: error.message });
    }
  };

  const look = (zip: ZipArchive, prefix: string, depth: number, isSkipped: (entry: ZipEntry) => boolean) => {
    for (const entry of zip.entries) {
      if (isFull()) return;
      entriesLeft--;
      if (isSkipped(entry) || entry.size < 8) continue;
      const start = startOf(zip, entry);
      const isDex = isDexAt(start);
      const isZip = start.length >= 4 && Buffer.from(start).readUInt32LE(0) === zipMagic;
      if (!isDex && (!isZip || depth === maxDepth)) continue;
      const name = `${prefix}${entry.name}`;
      attempt(name, () => {
        const bytes = zip.read(entry);
        bytesLeft -= bytes.length;
        if (isDex) found.dexes.push(...openDexContainer(bytes, findings, name));
        else look(openZip(memorySource(bytes), findings), `${name}!/`, depth + 1, () => false);
      });
    }
  };
  look(archive, '', 0, (entry) => own.includes(entry));
  return found;
}

/** The first bytes; none where the entry cannot be unpacked, which the report of the archive tells. */
function startOf(zip: ZipArchive, entry: ZipEntry): Uint8Array {
  try {
    return zip.readPrefix(entry, 8);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return new Uint8Array(0);
  }
}
