// A forked process that opens ZIP files of APKs, encrypted ones too, and passes their files out on standard output.
// Knows nothing of what is in those files; runs under the permission model, since the bytes are hostile.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { configure, type FileEntry, Reader, ZipReader } from '@zip.js/zip.js';
import type { BundleEntry, BundleReply, BundleRequest } from './bundle-messages.ts';

configure({ useWebWorkers: false });

/** The password that collections of malware are conventionally locked with. */
const password = 'infected';
/** More files than this in one ZIP is an attack or a mistake. */
const maxEntries = 100_000;

/** zip.js's view of a file that is read as it is needed, not loaded. */
class DescriptorReader extends Reader<number> {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    super(descriptor);
    this.#descriptor = descriptor;
    this.size = fstatSync(descriptor).size;
  }

  override readUint8Array(index: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(Math.min(length, this.size - index));
    const count = readSync(this.#descriptor, bytes, 0, bytes.length, index);
    return Promise.resolve(bytes.subarray(0, count));
  }
}

let descriptor: number | undefined;
let files: FileEntry[] = [];

async function open(path: string): Promise<BundleEntry[]> {
  if (descriptor !== undefined) closeSync(descriptor);
  files = [];
  descriptor = openSync(path, 'r');
  const reader = new ZipReader(new DescriptorReader(descriptor), { password, checkSignature: true });
  for await (const entry of reader.getEntriesGenerator()) {
    if (files.length === maxEntries) throw new Error(`more than ${maxEntries} files`);
    if (!entry.directory) files.push(entry as FileEntry);
  }
  return files.map(({ filename, uncompressedSize }) => ({ name: filename, size: uncompressedSize }));
}

const write = (bytes: Uint8Array): Promise<void> =>
  new Promise((done, fail) => process.stdout.write(bytes, (error) => (error ? fail(error) : done())));

function frameLength(length: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(length);
  return bytes;
}

/** Writes the file's bytes to standard output in frames, in step with its reader; an empty frame ends it. */
async function send(index: number, maxBytes: number): Promise<void> {
  let sent = 0;
  const output = new WritableStream<Uint8Array>({
    async write(chunk) {
      sent += chunk.length;
      if (sent > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
      if (chunk.length === 0) return;
      await write(frameLength(chunk.length));
      await write(chunk);
    },
  });
  try {
    await files[index]!.getData(output);
  } finally {
    await write(frameLength(0));
  }
}

async function answer(request: BundleRequest): Promise<BundleReply> {
  try {
    if (request.type === 'open') return { type: 'opened', entries: await open(request.path) };
    await send(request.index, request.maxBytes);
    return { type: 'sent' };
  } catch (error) {
    return { type: 'failed', message: (error as Error).message };
  }
}

process.on('message', (request: BundleRequest) => void answer(request).then((reply) => process.send?.(reply)));
process.on('disconnect', () => process.exit());
