// What the store uses of archiver 8, which brings no types of its own.
declare module 'archiver' {
  import type { Readable, Transform } from 'node:stream';

  export class ZipArchive extends Transform {
    constructor(options?: { zlib?: { level?: number }; forceZip64?: boolean });
    append(content: Buffer | string | Readable, entry: { name: string; date?: Date; store?: boolean }): this;
    finalize(): Promise<void>;
    abort(): this;
  }
}
