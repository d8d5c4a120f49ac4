// Names and places of the files in a tar archive. https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html
const blockSize = 512;
/** One more than any reader takes, so that each tells by itself of an archive that has too many. */
const maxEntries = 100_001;
const maxName = 4096;

export interface TarEntry {
  name: string;
  start: number;
  end: number;
}

/** Whether bytes begin with the header of a tar archive. */
export const isTar = (bytes: Uint8Array): boolean =>
  bytes.length >= blockSize && Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar';

/** Files up to the end, or to where a header is none. */
export function tarEntries(bytes: Uint8Array): { entries: TarEntry[]; faults: string[] } {
  const entries: TarEntry[] = [];
  const textAt = (start: number, length: number): string =>
    Buffer.from(bytes.subarray(start, start + length))
      .toString()
      .replace(/\0.*$/s, '');
  let longName: string | null = null;
  for (let at = 0; at + blockSize <= bytes.length && bytes[at] !== 0 && entries.length < maxEntries; ) {
    const place = `0x${at.toString(16)}`;
    if (!isTar(bytes.subarray(at))) return { entries, faults: [`no header of a file at ${place}`] };
    const digits = textAt(at + 124, 12).trim();
    const size = /^[0-7]{1,12}$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
    const start = at + blockSize;
    if (!(start + size <= bytes.length)) return { entries, faults: [`the file at ${place} ends behind the archive`] };
    const prefix = textAt(at + 345, 155);
    const name = textAt(at, 100);
    const kind = bytes[at + 156]!;
    // A NUL or `0`; other kinds are folders, links and records about the next one, which may hold its long name.
    if (kind === 0 || kind === 0x30)
      entries.push({ name: longName ?? (prefix === '' ? name : `${prefix}/${name}`), start, end: start + size });
    if (kind === 0x4c) longName = textAt(start, Math.min(size, maxName));
    else if (kind === 0x78) longName = /^\d+ path=(.*)$/m.exec(textAt(start, Math.min(size, maxName)))?.[1] ?? null;
    else if (kind !== 0x67) longName = null;
    at = start + Math.ceil(size / blockSize) * blockSize;
  }
  return { entries, faults: [] };
}
