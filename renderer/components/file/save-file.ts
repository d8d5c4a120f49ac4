// Saves what is shown as a file of the reader's own. Knows nothing of the contents.

/**
 * Names a file after its APK and what it holds, `889ca0225e2d_IP_addresses`: of a name only harmless letters stay.
 * @param what may be of an APK's author
 */
export const fileNameOf = (sha256: string, what: string) =>
  `${sha256.slice(0, 12)}_${what.replace(/[^\w-]+/g, '_').slice(-60)}`;

/** Milliseconds after which a browser has taken over even a large file. */
const takenAfter = 10_000;

/** @param name of the file; made by the caller, never by an APK's author */
export function saveFile(parts: BlobPart[], name: string, type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), takenAfter);
}
