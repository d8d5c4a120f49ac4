// Fingerprints of the files of an APK on their way from a worker to the content index. Knows nothing of what they are made of.

/** Files that follow each other in the order of a scan, with the fingerprints of all of them. */
export interface PrintGroup {
  /** Number of the first file behind them; the APK itself is file 0. */
  end: number;
  /** In rising order, each once. */
  prints: Uint32Array;
}

export interface FilePrints {
  /** Files that a scan looks at. */
  filesCount: number;
  /** The last one is of no file: it is what reports say of the APK. */
  groups: readonly PrintGroup[];
}

/** Stands among fingerprints of reports where there is no report yet. */
export const unknownReports = 1;

/** An APK's files, and groups of them, are no more. */
const maxNumber = 1 << 20;

/** 32-bit numbers, little-endian: how many files, how many groups, then for each its end, how many fingerprints, and those. */
export function packPrints({ filesCount, groups }: FilePrints): Uint8Array<ArrayBuffer> {
  const packed = new Uint32Array(groups.reduce((sum, { prints }) => sum + 2 + prints.length, 2));
  packed.set([filesCount, groups.length]);
  let at = 2;
  for (const { end, prints } of groups) {
    packed.set([end, prints.length], at);
    packed.set(prints, at + 2);
    at += 2 + prints.length;
  }
  return new Uint8Array(packed.buffer);
}

/** @param below what each fingerprint is less than @returns null where a worker sent anything else */
export function unpackPrints(bytes: Uint8Array, below: number): FilePrints | null {
  if (bytes.length % 4 !== 0) return null;
  const packed = new Uint32Array(new Uint8Array(bytes).buffer);
  const [filesCount = maxNumber, groupsCount = maxNumber] = packed;
  if (filesCount >= maxNumber || groupsCount >= maxNumber) return null;
  const groups: PrintGroup[] = [];
  let at = 2;
  for (let group = 0; group < groupsCount; group++) {
    const end = packed[at] ?? 0;
    const start = at + 2;
    at = start + (packed[at + 1] ?? 0);
    if (end <= (groups.at(-1)?.end ?? 0) || end >= maxNumber || at > packed.length) return null;
    const prints = packed.subarray(start, at);
    if (!isRising(prints) || (prints.at(-1) ?? 0) >= below) return null;
    groups.push({ end, prints });
  }
  return at === packed.length ? { filesCount, groups } : null;
}

function isRising(prints: Uint32Array): boolean {
  for (let index = 1; index < prints.length; index++) if (prints[index - 1]! >= prints[index]!) return false;
  return true;
}
