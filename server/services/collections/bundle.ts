// An archive of APKs as the importer sees it: its files, each as a stream, and those of archives in it. A walled process reads the
// archives; what it says is hostile.
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
  maxBundleDepth,
  outputDescriptor,
} from '../../contract/process-line/limits.ts';
import { exactSize } from '../../contract/quantity.ts';
import { machineWall } from '../../jobs/wall/wall.ts';
import { LaunchedWorker, workerProgram } from '../../jobs/worker-launch.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const engineEntry = new URL(`../../engine/bundle/bundle-worker.${extension}`, import.meta.url);

/** How long an answer may take; to come to a file in the midst of a large one, all before it is unpacked. */
const usualPatience = 15 * 60_000;

/** A process that has an archive open, and what it says. */
class BundleProcess {
  readonly #worker: LaunchedWorker;
  readonly #patience: number;
  readonly #replies: AsyncGenerator<BundleReply, void>;
  hasEnded = false;

  constructor(path: string, { entry = engineEntry, patience = usualPatience }: BundleOptions) {
    this.#patience = patience;
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
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.end();
    }, this.#patience);
    try {
      const { value } = await this.#replies.next();
      if (value !== undefined) return value;
      throw new Error(isLate ? 'it takes too long to unpack' : 'the process that reads the archive has ended');
    } catch (error) {
      this.end();
      throw error;
    } finally {
      clearTimeout(timer);
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

interface BundleOptions {
  /** Tried, in their order, where something is locked. */
  passwords?: readonly string[];
  /** The module that reads it, the engine's by default. */
  entry?: URL;
  /** Milliseconds that an answer may take. */
  patience?: number;
}

export class Bundle {
  readonly path: string;
  readonly #options: BundleOptions;
  /** Of the archive that is open, the innermost of those that were entered. */
  entries: BundleEntry[] = [];
  /** The entries of the archives around it. */
  readonly #around: { entries: BundleEntry[]; index: number }[] = [];
  #process: BundleProcess;

  private constructor(path: string, options: BundleOptions) {
    this.path = path;
    this.#options = options;
    this.#process = new BundleProcess(path, options);
  }

  /**
   * Opens an archive.
   * @throws Error with the reason where it is not one that can be read
   */
  static async open(path: string, options: BundleOptions = {}): Promise<Bundle> {
    const bundle = new Bundle(path, options);
    try {
      bundle.entries = await bundle.#list();
    } catch (error) {
      bundle.close();
      throw error;
    }
    return bundle;
  }

  async #list(): Promise<BundleEntry[]> {
    this.#process.ask({ type: 'open', path: this.path, passwords: this.#options.passwords ?? [] });
    const reply = await this.#process.reply();
    if (reply.type === 'opened') return reply.entries;
    throw new Error(reply.type === 'failed' ? reply.message : 'unexpected reply');
  }

  /** Comes to where the process was that has ended. @throws Error */
  async #restart(): Promise<void> {
    this.#process = new BundleProcess(this.path, this.#options);
    await this.#list();
    for (const { index } of this.#around) {
      this.#process.ask({ type: 'send', index, maxBytes: Number.MAX_SAFE_INTEGER });
      const { type } = await this.#process.reply();
      if (type !== 'opened') throw new Error('the archive is another one now');
    }
  }

  /**
   * The unpacked, decrypted bytes of one file that may be an app; none of any other. Files are read one at a time. Where the file is
   * an archive itself, its entries come in the place of those around it, until `leave`.
   * @returns whether it was an archive
   * @throws Error where the file is damaged, larger than `maxBytes`, or locked with a password that is not known
   */
  async *read(index: number, maxBytes: number): AsyncGenerator<Uint8Array, boolean> {
    if (this.#process.hasEnded) await this.#restart();
    let isComplete = false;
    let left = maxBytes;
    try {
      this.#process.ask({ type: 'send', index, maxBytes });
      for (;;) {
        const reply = await this.#process.reply();
        isComplete = reply.type !== 'bytes';
        if (reply.type === 'sent') return false;
        if (reply.type === 'failed') throw new Error(reply.message);
        if (reply.type === 'opened') {
          if (this.#around.length + 1 === maxBundleDepth) throw new LineFault('an archive in too many others');
          this.#around.push({ entries: this.entries, index });
          this.entries = reply.entries;
          return true;
        }
        left -= reply.bytes.length;
        if (left < 0) throw new Error(`larger than ${exactSize(maxBytes)}`);
        yield reply.bytes;
      }
    } finally {
      // Bytes that are left of this file would be read as the beginning of the next.
      if (!isComplete) this.close();
    }
  }

  /** Goes back to the archive around the one that was entered last. */
  async leave(): Promise<void> {
    const outer = this.#around.pop();
    if (outer === undefined) return;
    this.entries = outer.entries;
    if (this.#process.hasEnded) return;
    this.#process.ask({ type: 'leave' });
    await this.#process.reply();
  }

  /** Ends the process that reads it. */
  close(): void {
    this.#process.end();
  }
}
