// A ZIP file of APKs as the importer sees it: its files, each as a stream. A walled process reads the ZIP; what it says is
// hostile.
import type { Readable, Writable } from 'node:stream';
import {
  type BundleEntry,
  type BundleReply,
  type BundleRequest,
  bundleReplySchema,
} from '../../contract/process-line/bundles.ts';
import { encodeFrame, FrameReader, LineFault } from '../../contract/process-line/frames.ts';
import {
  bundleReplyLimits,
  bundleRequestLimits,
  inputDescriptor,
  outputDescriptor,
} from '../../contract/process-line/limits.ts';
import { exactSize } from '../../contract/quantity.ts';
import { machineWall } from '../../jobs/wall/wall.ts';
import { LaunchedWorker, workerProgram } from '../../jobs/worker-launch.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const engineEntry = new URL(`../../engine/bundle/bundle-worker.${extension}`, import.meta.url);

/** A process that has a ZIP file open, and what it says. */
class BundleProcess {
  readonly #worker: LaunchedWorker;
  readonly #replies: AsyncGenerator<BundleReply, void>;
  hasEnded = false;

  constructor(path: string, entry: URL) {
    const program = workerProgram({ entry, readableFolders: [path], wall: machineWall() });
    this.#worker = new LaunchedWorker(program, false);
    const { child } = this.#worker;
    // The end of the process shows as the end of its output.
    child.on('error', () => undefined);
    child.stderr!.resume();
    const output = child.stdio[outputDescriptor] as Readable;
    for (const stream of [this.#input, output]) stream.on('error', () => undefined);
    this.#replies = repliesFrom(output);
  }

  get #input(): Writable {
    return this.#worker.child.stdio[inputDescriptor] as Writable;
  }

  ask(request: BundleRequest): void {
    for (const piece of encodeFrame(request, bundleRequestLimits)) this.#input.write(piece);
  }

  /** @throws Error where the process has ended, or said what none may say */
  async reply(): Promise<BundleReply> {
    try {
      const { value } = await this.#replies.next();
      if (value === undefined) throw new Error('the process that reads the ZIP file has ended');
      return value;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  end(): void {
    this.hasEnded = true;
    this.#worker.kill();
  }
}

/** In step with whoever asks for them: what is not asked for stays in the pipe. */
async function* repliesFrom(output: Readable): AsyncGenerator<BundleReply, void> {
  const reader = new FrameReader();
  for await (const chunk of output as AsyncIterable<Buffer>) {
    for (const { message } of reader.read(chunk, () => bundleReplyLimits)) {
      const parsed = bundleReplySchema.safeParse(message);
      if (!parsed.success) throw new LineFault('a message that is none');
      yield parsed.data;
    }
  }
}

export class Bundle {
  readonly path: string;
  readonly #entry: URL;
  entries: BundleEntry[] = [];
  #process: BundleProcess;

  private constructor(path: string, entry: URL) {
    this.path = path;
    this.#entry = entry;
    this.#process = new BundleProcess(path, entry);
  }

  /**
   * Opens a ZIP file.
   * @param entry the module that reads it, the engine's by default
   * @throws Error with the reason where it is not a readable ZIP file
   */
  static async open(path: string, entry = engineEntry): Promise<Bundle> {
    const bundle = new Bundle(path, entry);
    try {
      bundle.entries = await bundle.#list();
    } catch (error) {
      bundle.close();
      throw error;
    }
    return bundle;
  }

  async #list(): Promise<BundleEntry[]> {
    this.#process.ask({ type: 'open', path: this.path });
    const reply = await this.#process.reply();
    if (reply.type === 'opened') return reply.entries;
    throw new Error(reply.type === 'failed' ? reply.message : 'unexpected reply');
  }

  /**
   * The uncompressed, decrypted bytes of one file. Files are read one at a time.
   * @throws Error where the file is damaged, larger than `maxBytes`, or locked with a password other than `infected`
   */
  async *read(index: number, maxBytes: number): AsyncGenerator<Uint8Array> {
    if (this.#process.hasEnded) {
      this.#process = new BundleProcess(this.path, this.#entry);
      await this.#list();
    }
    let isComplete = false;
    let left = maxBytes;
    try {
      this.#process.ask({ type: 'send', index, maxBytes });
      for (;;) {
        const reply = await this.#process.reply();
        isComplete = reply.type === 'sent' || reply.type === 'failed';
        if (reply.type === 'sent') return;
        if (reply.type !== 'bytes') throw new Error(reply.type === 'failed' ? reply.message : 'unexpected reply');
        left -= reply.bytes.length;
        if (left < 0) throw new Error(`larger than ${exactSize(maxBytes)}`);
        yield reply.bytes;
      }
    } finally {
      // Bytes that are left of this file would be read as the beginning of the next.
      if (!isComplete) this.close();
    }
  }

  /** Ends the process that reads it. */
  close(): void {
    this.#process.end();
  }
}
