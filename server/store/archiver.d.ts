// What the store uses of archiver 8, which brings no types of its own.
declare module 'archiver' {
  import type { Transform } from 'node:stream';

  export class ZipArchive extends Transform {
    constructor(options?: { zlib?: { level?: number } });
    append(content: Buffer | string, entry: { name: string; date?: Date }): this;
    finalize(): Promise<void>;
    abort(): this;
  }
}
