// The phone's files, in memory, with the taint of what was written into them. Knows no streams, no app and no host file
// system.
import type { Taint } from './heap.ts';
import type { Machine } from './model.ts';

/** Most files and directories, so that a loop of `createNewFile` ends. */
const maxEntries = 20_000;
/** Most bytes of one file: beyond, writing fails as on a full disk. */
export const maxFileBytes = 64 << 20;

/** Told of each use of a file. `data` are the bytes read or written, `taint` is theirs. */
export interface FileObserver {
  opened?(machine: Machine, path: string, mode: FileMode): void;
  read?(machine: Machine, path: string, data: Uint8Array, taint: Taint): void;
  written?(machine: Machine, path: string, data: Uint8Array, taint: Taint): void;
  /** Is about to be deleted, emptied or replaced. */
  gone?(machine: Machine, path: string, bytes: Uint8Array): void;
  deleted?(machine: Machine, path: string): void;
  renamed?(machine: Machine, from: string, to: string): void;
}

export type FileMode = 'r' | 'w' | 'a' | 'rw';

interface TaintedRange {
  readonly start: number;
  readonly end: number;
  readonly taint: Taint;
}

/** One file or directory. */
export class FileNode {
  readonly isDirectory: boolean;
  isReadOnly: boolean;
  isExecutable = false;
  modified: number;
  length = 0;
  #bytes: Uint8Array | (() => Uint8Array);
  #ranges: TaintedRange[] = [];

  constructor(isDirectory: boolean, bytes: Uint8Array | (() => Uint8Array), modified: number, isReadOnly: boolean) {
    this.isDirectory = isDirectory;
    this.#bytes = bytes;
    this.modified = modified;
    this.isReadOnly = isReadOnly;
    if (typeof bytes !== 'function') this.length = bytes.length;
  }

  /** The content, not copied. */
  get bytes(): Uint8Array {
    if (typeof this.#bytes === 'function') {
      this.#bytes = this.#bytes();
      this.length = this.#bytes.length;
    }
    return this.#bytes.length === this.length ? this.#bytes : this.#bytes.subarray(0, this.length);
  }

  get size(): number {
    return typeof this.#bytes === 'function' ? this.bytes.length : this.length;
  }

  /** Writes at a position. False where the file would grow too large. */
  write(position: number, data: Uint8Array, taint: Taint): boolean {
    const end = position + data.length;
    if (end > maxFileBytes) return false;
    let bytes = this.bytes;
    if (typeof this.#bytes !== 'function') bytes = this.#bytes;
    if (end > bytes.length) {
      const grown = new Uint8Array(Math.min(maxFileBytes, Math.max(end, bytes.length * 2, 256)));
      grown.set(bytes.subarray(0, this.length));
      bytes = grown;
      this.#bytes = grown;
    } else if (this.length === bytes.length && bytes === this.#bytes && !this.#isOwn) {
      bytes = bytes.slice();
      this.#bytes = bytes;
    }
    this.#isOwn = true;
    bytes.set(data, position);
    if (end > this.length) this.length = end;
    if (taint !== 0 || this.#ranges.length > 0) this.#noteTaint(position, end, taint);
    return true;
  }

  truncate(length: number): void {
    const bytes = this.bytes;
    if (length > bytes.length) {
      if (length > maxFileBytes) return;
      const grown = new Uint8Array(length);
      grown.set(bytes);
      this.#bytes = grown;
      this.#isOwn = true;
    } else if (!this.#isOwn) {
      this.#bytes = bytes.slice(0, length);
      this.#isOwn = true;
    }
    this.length = length;
    this.#ranges = this.#ranges.filter((range) => range.start < length);
  }

  /** The union of the taints of what was written into [start, end). */
  taintOf(machine: Machine, start: number, end: number): Taint {
    let taint: Taint = 0;
    for (const range of this.#ranges) {
      if (range.start < end && range.end > start) taint = machine.union(taint, range.taint);
    }
    return taint;
  }

  /** Marks the whole content, as for the browser's history or a photo. */
  markTaint(taint: Taint): void {
    this.#ranges = [{ start: 0, end: maxFileBytes, taint }];
  }

  #isOwn = false;

  #noteTaint(start: number, end: number, taint: Taint): void {
    const kept: TaintedRange[] = [];
    for (const range of this.#ranges) {
      if (range.end <= start || range.start >= end) kept.push(range);
      else {
        if (range.start < start) kept.push({ start: range.start, end: start, taint: range.taint });
        if (range.end > end) kept.push({ start: end, end: range.end, taint: range.taint });
      }
    }
    const last = kept.at(-1);
    if (taint !== 0) {
      if (last !== undefined && last.end === start && last.taint === taint) {
        kept[kept.length - 1] = { start: last.start, end, taint };
      } else kept.push({ start, end, taint });
    }
    this.#ranges = kept;
  }
}

export interface AddFileOptions {
  readonly isReadOnly?: boolean;
  readonly taint?: Taint;
  readonly modified?: number;
}

/** All files of the phone by absolute path. The world fills it; java.io and java.nio read and write it. */
export class VirtualFiles {
  observer: FileObserver = {};
  /** Whether the app may create, change or delete at a path; the world sets its own. */
  mayWrite: (path: string) => boolean = () => true;
  /** Whether the app may read at a path. */
  mayRead: (path: string) => boolean = () => true;
  #nodes = new Map<string, FileNode>([['/', new FileNode(true, new Uint8Array(0), 0, true)]]);
  #children = new Map<string, Set<string>>();
  #links = new Map<string, string>();

  /** Absolute, without `.`, `..`, doubled slashes and links. */
  normalize(path: string): string {
    const parts: string[] = [];
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue;
      if (part === '..') parts.pop();
      else parts.push(part);
      const target = this.#links.size > 0 ? this.#links.get(`/${parts.join('/')}`) : undefined;
      if (target !== undefined) parts.splice(0, parts.length, ...target.split('/').filter((name) => name !== ''));
    }
    return `/${parts.join('/')}`;
  }

  /** `/sdcard` -> `/storage/emulated/0` and the like. */
  addLink(path: string, target: string): void {
    this.#links.set(path, target);
  }

  addDirectory(path: string): FileNode {
    const place = this.normalize(path);
    const known = this.#nodes.get(place);
    if (known?.isDirectory) return known;
    return this.#put(place, new FileNode(true, new Uint8Array(0), 0, false));
  }

  /** Adds a file with its directories; lazy content is made when first read. Not reported. */
  addFile(path: string, content: Uint8Array | (() => Uint8Array), options: AddFileOptions = {}): FileNode {
    const node = new FileNode(false, content, options.modified ?? 0, options.isReadOnly ?? false);
    if (options.taint) node.markTaint(options.taint);
    return this.#put(this.normalize(path), node);
  }

  find(path: string): FileNode | null {
    return this.#nodes.get(this.normalize(path)) ?? null;
  }

  /** Names in a directory, in their order of creation; null where there is none. */
  list(path: string): string[] | null {
    const place = this.normalize(path);
    if (!this.#nodes.get(place)?.isDirectory) return null;
    return [...(this.#children.get(place) ?? [])];
  }

  makeDirectory(path: string, modified: number): boolean {
    const place = this.normalize(path);
    if (this.#nodes.has(place) || !this.mayWrite(place)) return false;
    if (!this.#nodes.get(parentOf(place))?.isDirectory || this.#nodes.size >= maxEntries) return false;
    this.#put(place, new FileNode(true, new Uint8Array(0), modified, false));
    return true;
  }

  delete(machine: Machine, path: string): boolean {
    const place = this.normalize(path);
    const node = this.#nodes.get(place);
    if (node === undefined || place === '/' || !this.mayWrite(place)) return false;
    if (node.isDirectory && (this.#children.get(place)?.size ?? 0) > 0) return false;
    if (!node.isDirectory) this.observer.gone?.(machine, place, node.bytes);
    this.#remove(place);
    if (!node.isDirectory) this.observer.deleted?.(machine, place);
    return true;
  }

  rename(machine: Machine, from: string, to: string): boolean {
    const source = this.normalize(from);
    const target = this.normalize(to);
    const node = this.#nodes.get(source);
    if (node === undefined || !this.mayWrite(source) || !this.mayWrite(target)) return false;
    if (!this.#nodes.get(parentOf(target))?.isDirectory || target.startsWith(`${source}/`)) return false;
    const replaced = this.#nodes.get(target);
    if (replaced?.isDirectory === false) this.observer.gone?.(machine, target, replaced.bytes);
    const moved = [...this.#nodes].filter(([path]) => path === source || path.startsWith(`${source}/`));
    for (const [path] of moved) this.#remove(path);
    for (const [path, entry] of moved) this.#put(target + path.slice(source.length), entry);
    this.observer.renamed?.(machine, source, target);
    return true;
  }

  /**
   * Opens a file: 'r' an existing one, 'w' a new or emptied one, 'a' at its end, 'rw' as it is or new.
   * @returns a handle, or the message of the FileNotFoundException
   */
  open(machine: Machine, path: string, mode: FileMode): FileHandle | string {
    const place = this.normalize(path);
    let node = this.#nodes.get(place);
    if (node?.isDirectory) return `${path}: open failed: EISDIR (Is a directory)`;
    if (mode === 'r') {
      if (node === undefined) return `${path}: open failed: ENOENT (No such file or directory)`;
      if (!this.mayRead(place)) return `${path}: open failed: EACCES (Permission denied)`;
    } else {
      if (!this.mayWrite(place) || node?.isReadOnly) return `${path}: open failed: EACCES (Permission denied)`;
      if (!this.#nodes.get(parentOf(place))?.isDirectory) {
        return `${path}: open failed: ENOENT (No such file or directory)`;
      }
      if (node === undefined) {
        if (this.#nodes.size >= maxEntries) return `${path}: open failed: ENOSPC (No space left on device)`;
        node = this.#put(place, new FileNode(false, new Uint8Array(0), machine.clock.wall, false));
      } else if (mode === 'w') {
        this.observer.gone?.(machine, place, node.bytes);
        node.truncate(0);
      }
    }
    this.observer.opened?.(machine, place, mode);
    return new FileHandle(this, place, node, mode === 'a' ? node.size : 0);
  }

  #put(path: string, node: FileNode): FileNode {
    this.#nodes.set(path, node);
    for (let child = path; child !== '/'; ) {
      const parent = parentOf(child);
      let names = this.#children.get(parent);
      if (names === undefined) {
        names = new Set();
        this.#children.set(parent, names);
      }
      names.add(child.slice(child.lastIndexOf('/') + 1));
      if (this.#nodes.has(parent)) break;
      this.#nodes.set(parent, new FileNode(true, new Uint8Array(0), node.modified, false));
      child = parent;
    }
    return node;
  }

  #remove(path: string): void {
    this.#nodes.delete(path);
    this.#children.delete(path);
    this.#children.get(parentOf(path))?.delete(path.slice(path.lastIndexOf('/') + 1));
  }
}

/** An open file with its position. */
export class FileHandle {
  readonly path: string;
  readonly node: FileNode;
  position: number;
  isClosed = false;
  readonly #files: VirtualFiles;

  constructor(files: VirtualFiles, path: string, node: FileNode, position: number) {
    this.#files = files;
    this.path = path;
    this.node = node;
    this.position = position;
  }

  /** At most `length` bytes from the position on, none at the end; tells the observer. */
  read(machine: Machine, length: number): { data: Uint8Array; taint: Taint } {
    const bytes = this.node.bytes;
    const start = Math.min(this.position, bytes.length);
    const end = Math.min(bytes.length, start + length);
    const data = bytes.subarray(start, end);
    this.position = end;
    if (data.length === 0) return { data, taint: 0 };
    const taint = this.node.taintOf(machine, start, end);
    this.#files.observer.read?.(machine, this.path, data, taint);
    return { data, taint };
  }

  /** False where the disk is full. */
  write(machine: Machine, data: Uint8Array, taint: Taint): boolean {
    // The gap between the file's end and a position beyond it is filled with zeros.
    machine.charge(Math.max(data.length, Math.min(this.position, maxFileBytes) + data.length - this.node.size));
    if (!this.node.write(this.position, data, taint)) return false;
    this.node.modified = machine.clock.wall;
    this.position += data.length;
    this.#files.observer.written?.(machine, this.path, data, taint);
    return true;
  }
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

/** The run's files. */
export function virtualFiles(machine: Machine): VirtualFiles {
  return machine.state('java.virtual-files', () => new VirtualFiles());
}
