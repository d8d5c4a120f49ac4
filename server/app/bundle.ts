// A ZIP file of APKs as the importer sees it: its files, each as a stream. The ZIP is read in a forked process.
import { type ChildProcess, fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { BundleEntry, BundleReply, BundleRequest } from '../engine/bundle/bundle-messages.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const worker = fileURLToPath(new URL(`../engine/bundle/bundle-worker.${extension}`, import.meta.url));
// Built, the program stands in a folder beside its packages.
const packages = extension === 'ts' ? '../../node_modules' : '../../../node_modules';
const programFolders = ['../', packages, '../../package.json'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

export class Bundle {
  readonly path: string;
  entries: BundleEntry[] = [];
  #child: ChildProcess;

  private constructor(path: string) {
    this.path = path;
    this.#child = this.#fork();
  }

  /**
   * Opens a ZIP file.
   * @throws Error with the reason where it is not a readable ZIP file
   */
  static async open(path: string): Promise<Bundle> {
    const bundle = new Bundle(path);
    try {
      bundle.entries = await bundle.#list();
    } catch (error) {
      bundle.close();
      throw error;
    }
    return bundle;
  }

  #fork(): ChildProcess {
    return fork(worker, [], {
      execArgv: [
        '--permission',
        ...[...programFolders, this.path].map((path) => `--allow-fs-read=${path}`),
        '--max-old-space-size=512',
      ],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
  }

  #ask(request: BundleRequest): Promise<BundleReply> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('the process that reads the ZIP file has ended'));
      child.once('exit', onExit);
      child.once('message', (reply) => {
        child.off('exit', onExit);
        resolve(reply as BundleReply);
      });
      child.send(request);
    });
  }

  async #list(): Promise<BundleEntry[]> {
    const reply = await this.#ask({ type: 'open', path: this.path });
    if (reply.type === 'opened') return reply.entries;
    throw new Error(reply.type === 'failed' ? reply.message : 'unexpected reply');
  }

  /**
   * The uncompressed, decrypted bytes of one file. Files are read one at a time.
   * @throws Error where the file is damaged, larger than `maxBytes`, or locked with a password other than `infected`
   */
  async *read(index: number, maxBytes: number): AsyncGenerator<Uint8Array> {
    if (this.#child.killed || this.#child.exitCode !== null) {
      this.#child = this.#fork();
      await this.#list();
    }
    const reply = this.#ask({ type: 'send', index, maxBytes });
    // Where the reader stops early nobody waits for the reply.
    reply.catch(() => undefined);
    let isComplete = false;
    try {
      yield* framesOf(this.#child.stdout!);
      const answer = await reply;
      if (answer.type === 'failed') throw new Error(answer.message);
      isComplete = true;
    } finally {
      // What is left of a file that was not read to its end would stand before the next.
      if (!isComplete) this.close();
    }
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }
}

/** The chunks of one file, up to the empty frame that ends it; the output stays open for the next file. */
async function* framesOf(output: Readable): AsyncGenerator<Uint8Array> {
  let left = 0;
  let header = Buffer.alloc(0);
  for await (let bytes of output.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    while (bytes.length > 0) {
      if (left > 0) {
        const part = bytes.subarray(0, left);
        left -= part.length;
        bytes = bytes.subarray(part.length);
        yield part;
        continue;
      }
      const missing = 4 - header.length;
      header = Buffer.concat([header, bytes.subarray(0, missing)]);
      bytes = bytes.subarray(missing);
      if (header.length < 4) continue;
      left = header.readUInt32LE();
      header = Buffer.alloc(0);
      if (left === 0) return;
    }
  }
}
