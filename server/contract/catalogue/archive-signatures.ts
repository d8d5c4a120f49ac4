// Archives by how their bytes begin, and what they are locked with. Imports nothing.

/** `packed`: a tar archive, or a file that was compressed as a whole, as `.tar.gz` is. */
export type ArchiveKind = 'zip' | '7z' | 'rar' | 'packed';

/** Bytes that tell the kind: a tar archive says so behind the fields of its first file. */
export const signatureBytes = 262;

const signatures: readonly (readonly [ArchiveKind, number, string])[] = [
  ['zip', 0, 'PK'],
  ['7z', 0, '7z\xbc\xaf\x27\x1c'],
  ['rar', 0, 'Rar!\x1a\x07'],
  ['packed', 0, '\x1f\x8b'],
  ['packed', 0, 'BZh'],
  ['packed', 0, '\xfd7zXZ\0'],
  ['packed', 257, 'ustar'],
];

/** @param start the first `signatureBytes`, or all of a smaller file */
export const archiveKind = (start: Uint8Array): ArchiveKind | null =>
  signatures.find(([, offset, text]) =>
    [...text].every((letter, index) => start[offset + index] === letter.charCodeAt(0)),
  )?.[0] ?? null;

/** The password that samples of malware are conventionally locked with. */
export const usualPassword = 'infected';

/** What is tried, each once. @param own those of the owner, which come first */
export const passwordsToTry = (own: readonly string[]): readonly string[] => [...new Set([...own, usualPassword])];
