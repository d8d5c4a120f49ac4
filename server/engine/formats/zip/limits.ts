// The limits of the ZIP reader, each with its reason. Knows nothing of how archives are read.

export interface ZipLimits {
  /** Entries read from the central directory. Large apps hold some 100,000; each costs about 300 bytes of memory. */
  maxEntries: number;
  /**
   * Bytes of the central directory, which is read at once. 65,535 entries with names of 200 bytes need 16 MB; names
   * and extra fields of 64 KiB each would make it 12 GB.
   */
  maxDirectorySize: number;
  /** A longer name, in bytes, is reported: no file system Android runs on can hold it (PATH_MAX). */
  maxNameLength: number;
  /** Bytes that one entry may take in memory, packed or unpacked; `chunks` serves larger ones. */
  maxEntryMemory: number;
  /**
   * An entry that unpacks to more than `ratioThreshold` bytes may do so at this ratio. Deflate ends at 1032; code,
   * resources and text stay under 20, and padding that compresses better is small.
   */
  maxRatio: number;
  /** Bytes of output up to which any ratio is taken. */
  ratioThreshold: number;
  /**
   * Bytes unpacked from the whole archive, each entry counted once. Null: `totalRatio` times the archive's own size,
   * at least `minTotalOutput`. A real APK unpacks to two or three times its size.
   */
  maxTotalOutput: number | null;
}

export const defaultZipLimits: ZipLimits = {
  maxEntries: 400_000,
  maxDirectorySize: 128 * 1024 * 1024,
  maxNameLength: 4096,
  maxEntryMemory: 256 * 1024 * 1024,
  maxRatio: 200,
  ratioThreshold: 32 * 1024 * 1024,
  maxTotalOutput: null,
};

/** An archive may unpack to this many times its size. */
const totalRatio = 100;
/** What any archive may unpack to, however small it is: half a second of work. */
const minTotalOutput = 256 * 1024 * 1024;

/** The cap on unpacked bytes for an archive of `archiveSize` bytes. */
export function totalOutputLimit(limits: ZipLimits, archiveSize: number): number {
  return limits.maxTotalOutput ?? Math.max(minTotalOutput, archiveSize * totalRatio);
}
