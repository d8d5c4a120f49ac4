// Messages between an importer and the process that opens ZIP files of APKs. Types only.

export type BundleRequest = { type: 'open'; path: string } | { type: 'send'; index: number; maxBytes: number };

export interface BundleEntry {
  name: string;
  /** Bytes, as the ZIP's directory declares them. */
  size: number;
}

export type BundleReply =
  | { type: 'opened'; entries: BundleEntry[] }
  /** The file's bytes went to standard output: frames of a 32-bit little-endian length and as many bytes, the last one empty. */
  | { type: 'sent' }
  | { type: 'failed'; message: string };
