// Entry point of a process that opens ZIP files of APKs, encrypted ones too, and passes their files out over the line. Knows
// nothing of what is in those files.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { configure, type FileEntry, Reader, ZipReader } from '@zip.js/zip.js';
import type { BundleEntry, BundleReply, BundleRequest } from '../../contract/process-line/bundles.ts';
import {
  bundleReplyLimits,
  bundleRequestLimits,
  maxBundleEntries,
  maxFailureText,
} from '../../contract/process-line/limits.ts';
import { receivedMessages, sendMessage } from '../line.ts';

configure({ useWebWorkers: false });

/** The password that collections of malware are conventionally locked with. */
const password = 'infected';

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
    if (files.length === maxBundleEntries) throw new Error(`more than ${maxBundleEntries} files`);
    if (!entry.directory) files.push(entry as FileEntry);
  }
  return files.map(({ filename, uncompressedSize }) => ({ name: filename, size: uncompressedSize }));
}

const reply = (message: BundleReply): void => sendMessage(message, bundleReplyLimits);

/** Sends the file's bytes in step with its reader. */
async function send(index: number, maxBytes: number): Promise<void> {
  let sent = 0;
  const tooLarge = new Error(`larger than ${maxBytes} bytes`);
  const output = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(bytes) {
      sent += bytes.length;
      if (sent > maxBytes) throw tooLarge;
      for (let start = 0; start < bytes.length; start += bundleReplyLimits.attached) {
        reply({ type: 'bytes', bytes: bytes.subarray(start, start + bundleReplyLimits.attached) });
      }
    },
  });
  try {
    await files[index]!.getData(output);
  } catch (error) {
    // Of a file that comes in one piece zip.js tells that the stream was closed, not by what.
    throw sent > maxBytes ? tooLarge : error;
  }
}

async function answer(request: BundleRequest): Promise<void> {
  try {
    if (request.type === 'open') reply({ type: 'opened', entries: await open(request.path) });
    else {
      await send(request.index, request.maxBytes);
      reply({ type: 'sent' });
    }
  } catch (error) {
    reply({ type: 'failed', message: (error as Error).message.slice(0, maxFailureText) });
  }
}

for await (const request of receivedMessages(bundleRequestLimits)) await answer(request as BundleRequest);
process.exit(0);
