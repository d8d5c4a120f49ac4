// Keeps whole what code the app wrote, decrypted, fetched, loaded or had installed, with the way it came. Knows no model.
import type { ChildWay } from '../../../contract/engine/child.ts';
import { type CodeType, codeType } from '../../app/code-type.ts';
import { sniffLength } from '../../app/content-type.ts';
import type { Machine } from '../machine/model.ts';
import type { VirtualFiles } from '../machine/virtual-files.ts';

/** In the order in which a file comes to run. */
const actions = ['downloaded', 'decrypted', 'written', 'loaded', 'installed'] as const;
type Action = (typeof actions)[number];
type Way = Pick<ChildWay, 'by'> & { action: Action };

export interface Artefact {
  kind: string;
  path: string;
  bytes: Uint8Array;
  ways: Way[];
}

const maxArtefacts = 100;
const maxArtefactBytes = 64 << 20;
const maxPath = 4_096;
/** Files whose writer is remembered. */
const maxWriters = 5_000;
/** What a file of code begins with is as good as its name. */
const startLength = 64;
/** Where a ZIP says how it ends, with the longest comment. */
const zipEnd = 65_557;

export class LeftCode {
  readonly artefacts: Artefact[] = [];
  readonly #machine: Pick<Machine, 'stackTrace'>;
  readonly #limits: Set<string>;
  readonly #writers = new Map<string, string | null>();
  /** How what begins so came, where it was not a file yet. */
  readonly #starts = new Map<string, Way>();
  #bytes = 0;

  /** @param limits names of the limits that cut something off */
  constructor(machine: Pick<Machine, 'stackTrace'>, limits: Set<string>) {
    this.#machine = machine;
    this.#limits = limits;
  }

  /** Keeps a file, whatever it is. @param kind as the report calls it */
  keep(action: Action, kind: string, path: string, bytes: Uint8Array, by = this.#caller()): void {
    const known = this.artefacts.find((each) => each.path === path && Buffer.compare(each.bytes, bytes) === 0);
    const ways = known?.ways ?? [];
    const origin = this.#starts.get(startOf(bytes));
    for (const way of [...(origin === undefined ? [] : [origin]), { action, by }]) {
      if (!ways.some((each) => each.action === way.action)) ways.push(way);
    }
    ways.sort((a, b) => actions.indexOf(a.action) - actions.indexOf(b.action));
    if (known !== undefined) return;
    if (this.artefacts.length >= maxArtefacts || this.#bytes + bytes.length > maxArtefactBytes) {
      this.#limits.add('artefacts');
      return;
    }
    this.#bytes += bytes.length;
    this.artefacts.push({ kind, path: path.slice(0, maxPath), bytes: bytes.slice(), ways });
  }

  decrypted(bytes: Uint8Array): void {
    this.#passed('decrypted', 'in memory', bytes);
  }

  /** @param data an answer with its head, or a piece of a stream */
  received(peer: string, data: Uint8Array): void {
    const head = Buffer.from(data.buffer, data.byteOffset, Math.min(data.length, zipEnd)).indexOf('\r\n\r\n');
    this.#passed('downloaded', peer, head < 0 ? data : data.subarray(head + 4));
  }

  /** A file is written to, for the first time or again. */
  wrote(path: string): void {
    if (!this.#writers.has(path) && this.#writers.size < maxWriters) this.#writers.set(path, this.#caller());
  }

  renamed(from: string, to: string): void {
    const writer = this.#writers.get(from);
    if (writer !== undefined) this.#writers.set(to, writer);
  }

  /** A file is about to be deleted, emptied or replaced; or the run is over. */
  gone(path: string, bytes: Uint8Array): void {
    const writer = this.#writers.get(path);
    const type = writer === undefined ? null : typeOf(bytes);
    if (type !== null) this.keep('written', kindOf(type), path, bytes, writer);
  }

  /** Keeps what was written and is still there. */
  end(files: VirtualFiles): void {
    for (const path of this.#writers.keys()) {
      const node = files.find(path);
      if (node !== null && !node.isDirectory) this.gone(path, node.bytes);
    }
  }

  /** Code that is no file yet: it is kept where it is whole, and known again where it becomes a file piece by piece. */
  #passed(action: Action, path: string, bytes: Uint8Array): void {
    const type = typeOf(bytes);
    if (type === null) return;
    if (this.#starts.size < maxArtefacts) this.#starts.set(startOf(bytes), { action, by: this.#caller() });
    if (isWhole(type, bytes)) this.keep(action, kindOf(type), path, bytes);
  }

  /** The app's method that runs. */
  #caller(): string | null {
    const caller = this.#machine.stackTrace().find(({ isApp }) => isApp);
    if (caller === undefined) return null;
    return `L${caller.className.replaceAll('.', '/')};->${caller.methodName}`;
  }
}

const typeOf = (bytes: Uint8Array): CodeType | null => codeType(bytes.subarray(0, sniffLength), bytes.length);
const kindOf = (type: CodeType): string => (type === 'zip' ? 'apk' : type);
const startOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, startLength)).toString('latin1');

function isWhole(type: CodeType, bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // https://source.android.com/docs/core/runtime/dex-format#header-item, `file_size`
  if (type === 'dex') return bytes.length >= 36 && buffer.readUInt32LE(32) <= bytes.length;
  if (type === 'zip') return buffer.subarray(-zipEnd).includes('PK\x05\x06', 0, 'latin1');
  return true;
}
