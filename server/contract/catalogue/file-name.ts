// The name of an uploaded file, which its sender gave it. Imports nothing.

/** Names under which the file of an APK came that are kept, the newest ones. */
export const maxFileNames = 20;
const maxFileNameLength = 255;

/** The name of a file without the folders before it, cut where it is long; empty: it has none. */
export const fileNameOf = (path: string): string =>
  path
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    .slice(0, maxFileNameLength);
