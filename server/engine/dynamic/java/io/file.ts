// java.io.File and RandomAccessFile. Knows files by the virtual file system alone.
import type { HeapObject, JavaArray, JavaString, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { type FileHandle, type FileNode, maxFileBytes, virtualFiles } from '../../machine/virtual-files.ts';
import { stringHash } from '../lang/number-text.ts';
import { compareText } from '../lang/string.ts';
import { channelOn } from '../nio/channels.ts';
import {
  arrayTaint,
  bytesOf,
  checkRange,
  flag,
  illegalArgument,
  instance,
  ioException,
  objectTaint,
  optionalText,
  type Reference,
  required,
  stringArray,
  textOf,
} from '../values.ts';
import { store } from './byte-input.ts';
import { dataInputMethods, pathOf } from './input-streams.ts';
import { dataOutputMethods } from './output-streams.ts';

const FILE = 'Ljava/io/File;';

/** Normalises as the constructor of File does: doubled slashes and a trailing one are removed. */
function tidy(path: string): string {
  const single = path.replaceAll(/\/+/g, '/');
  return single.length > 1 && single.endsWith('/') ? single.slice(0, -1) : single;
}

function join(parent: string | null, child: string): string {
  if (parent === null) return tidy(child);
  if (parent === '') return tidy(`/${child}`);
  return tidy(child === '' ? parent : `${parent}/${child}`);
}

/** The path's text; `native` is a plain string. */
export function filePath(self: HeapObject): string {
  return (self.native as string | undefined) ?? '';
}

function newFile(machine: Machine, path: string, taint: Taint = 0): HeapObject {
  return instance(machine, FILE, tidy(path), taint);
}

function absolute(path: string): string {
  return path.startsWith('/') ? path : path === '' ? '/' : `/${path}`;
}

function node(machine: Machine, self: HeapObject): FileNode | null {
  return virtualFiles(machine).find(filePath(self));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function parentOf(path: string): string | null {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return null;
  if (slash === 0) return path.length > 1 ? '/' : null;
  return path.slice(0, slash);
}

function begin(machine: Machine, self: HeapObject, path: string, ...sources: Reference[]): undefined {
  self.native = path;
  for (const source of sources) self.taint = machine.union(self.taint, objectTaint(machine, source));
}

function names(machine: Machine, self: HeapObject): string[] | null {
  return virtualFiles(machine).list(filePath(self));
}

function listFiles(
  machine: Machine,
  self: HeapObject,
  accepts: (file: HeapObject, name: string) => boolean,
): JavaArray | null {
  const list = names(machine, self);
  if (list === null) return null;
  const files: HeapObject[] = [];
  for (const name of list) {
    const file = newFile(machine, join(filePath(self), name), self.taint);
    if (accepts(file, name)) files.push(file);
  }
  return machine.objectArray(FILE, files);
}

function acceptsName(machine: Machine, self: HeapObject, filter: Reference) {
  return (_file: HeapObject | null, name: string): boolean =>
    filter === null || machine.call(filter, `accept(${FILE}Ljava/lang/String;)Z`, self, machine.string(name)) !== 0;
}

function makeDirectories(machine: Machine, path: string): boolean {
  const files = virtualFiles(machine);
  if (files.find(path) !== null) return false;
  const parts = files.normalize(path).split('/').slice(1);
  let place = '';
  for (const part of parts) {
    place += `/${part}`;
    if (files.find(place) === null && !files.makeDirectory(place, machine.clock.wall)) return false;
  }
  return true;
}

function createNew(machine: Machine, path: string): number {
  const files = virtualFiles(machine);
  if (files.find(path) !== null) return 0;
  const handle = files.open(machine, path, 'rw');
  if (typeof handle === 'string')
    throw ioException(machine, handle.replace(/^.*open failed: \w+ /, '').replaceAll(/[()]/g, ''));
  return 1;
}

const text = (machine: Machine, value: string, taint: Taint): JavaString => machine.string(value, taint);

const fileMethods: NativeMethods = {
  '<init>(Ljava/lang/String;)V': (machine, self, path: Reference) =>
    begin(machine, self, tidy(textOf(machine, path)), path),
  '<init>(Ljava/lang/String;Ljava/lang/String;)V': (machine, self, parent: Reference, child: Reference) =>
    begin(machine, self, join(optionalText(parent), textOf(machine, child)), parent, child),
  '<init>(Ljava/io/File;Ljava/lang/String;)V': (machine, self, parent: Reference, child: Reference) =>
    begin(machine, self, join(parent === null ? null : filePath(parent), textOf(machine, child)), parent, child),
  '<init>(Ljava/net/URI;)V': (machine, self, uri: Reference) => {
    const whole = machine.toText(required(machine, uri)).text;
    begin(machine, self, tidy(decodeURIComponent(whole.replace(/^file:\/*/, '/'))), uri);
  },
  'getPath()Ljava/lang/String;': (machine, self) => text(machine, filePath(self), self.taint),
  'toString()Ljava/lang/String;': (machine, self) => text(machine, filePath(self), self.taint),
  'getName()Ljava/lang/String;': (machine, self) => text(machine, nameOf(filePath(self)), self.taint),
  'getParent()Ljava/lang/String;': (machine, self) => {
    const parent = parentOf(filePath(self));
    return parent === null ? null : text(machine, parent, self.taint);
  },
  'getParentFile()Ljava/io/File;': (machine, self) => {
    const parent = parentOf(filePath(self));
    return parent === null ? null : newFile(machine, parent, self.taint);
  },
  'getAbsolutePath()Ljava/lang/String;': (machine, self) => text(machine, absolute(filePath(self)), self.taint),
  'getAbsoluteFile()Ljava/io/File;': (machine, self) => newFile(machine, absolute(filePath(self)), self.taint),
  'getCanonicalPath()Ljava/lang/String;': (machine, self) =>
    text(machine, virtualFiles(machine).normalize(absolute(filePath(self))), self.taint),
  'getCanonicalFile()Ljava/io/File;': (machine, self) =>
    newFile(machine, virtualFiles(machine).normalize(absolute(filePath(self))), self.taint),
  'isAbsolute()Z': (_machine, self) => filePath(self).startsWith('/'),
  'isHidden()Z': (_machine, self) => nameOf(filePath(self)).startsWith('.'),
  'exists()Z': (machine, self) => node(machine, self) !== null,
  'isFile()Z': (machine, self) => node(machine, self)?.isDirectory === false,
  'isDirectory()Z': (machine, self) => node(machine, self)?.isDirectory === true,
  'canRead()Z': (machine, self) => node(machine, self) !== null && virtualFiles(machine).mayRead(filePath(self)),
  'canWrite()Z': (machine, self) => {
    const found = node(machine, self);
    return flag(found !== null && !found.isReadOnly && virtualFiles(machine).mayWrite(filePath(self)));
  },
  'canExecute()Z': (machine, self) => node(machine, self)?.isExecutable === true,
  'length()J': (machine, self) => {
    const found = node(machine, self);
    return BigInt(found === null ? 0 : found.isDirectory ? 4096 : found.size);
  },
  'lastModified()J': (machine, self) => BigInt(Math.floor(node(machine, self)?.modified ?? 0)),
  'setLastModified(J)Z': (machine, self, time: bigint) => {
    const found = node(machine, self);
    if (found !== null) found.modified = Number(time);
    return flag(found !== null);
  },
  'setReadOnly()Z': (machine, self) => {
    const found = node(machine, self);
    if (found !== null) found.isReadOnly = true;
    return flag(found !== null);
  },
  'setWritable(Z)Z': (machine, self) => node(machine, self) !== null,
  'setWritable(ZZ)Z': (machine, self) => node(machine, self) !== null,
  'setReadable(Z)Z': (machine, self) => node(machine, self) !== null,
  'setReadable(ZZ)Z': (machine, self) => node(machine, self) !== null,
  'setExecutable(Z)Z': executable,
  'setExecutable(ZZ)Z': executable,
  'createNewFile()Z': (machine, self) => createNew(machine, filePath(self)),
  'delete()Z': (machine, self) => virtualFiles(machine).delete(machine, filePath(self)),
  'deleteOnExit()V': () => undefined,
  'mkdir()Z': (machine, self) => virtualFiles(machine).makeDirectory(filePath(self), machine.clock.wall),
  'mkdirs()Z': (machine, self) => makeDirectories(machine, filePath(self)),
  'renameTo(Ljava/io/File;)Z': (machine, self, to: HeapObject) =>
    virtualFiles(machine).rename(machine, filePath(self), filePath(required(machine, to))),
  'list()[Ljava/lang/String;': (machine, self) => {
    const list = names(machine, self);
    return list === null ? null : stringArray(machine, list);
  },
  'list(Ljava/io/FilenameFilter;)[Ljava/lang/String;': (machine, self, filter: Reference) => {
    const list = names(machine, self);
    const accepts = acceptsName(machine, self, filter);
    return list === null
      ? null
      : stringArray(
          machine,
          list.filter((name) => accepts(null, name)),
        );
  },
  'listFiles()[Ljava/io/File;': (machine, self) => listFiles(machine, self, () => true),
  'listFiles(Ljava/io/FilenameFilter;)[Ljava/io/File;': (machine, self, filter: Reference) =>
    listFiles(machine, self, acceptsName(machine, self, filter)),
  'listFiles(Ljava/io/FileFilter;)[Ljava/io/File;': (machine, self, filter: Reference) =>
    listFiles(machine, self, (file) => filter === null || machine.call(filter, `accept(${FILE})Z`, file) !== 0),
  'getTotalSpace()J': () => 53_687_091_200n,
  'getFreeSpace()J': () => 21_474_836_480n,
  'getUsableSpace()J': () => 21_474_836_480n,
  'toURI()Ljava/net/URI;': (machine, self) =>
    machine.callStatic(
      'Ljava/net/URI;',
      'create(Ljava/lang/String;)Ljava/net/URI;',
      machine.string(`file:${encodeURI(absolute(filePath(self)))}`, self.taint),
    ),
  'toURL()Ljava/net/URL;': (machine, self) =>
    machine.construct(
      'Ljava/net/URL;',
      '<init>(Ljava/lang/String;)V',
      machine.string(`file:${encodeURI(absolute(filePath(self)))}`, self.taint),
    ),
  'toPath()Ljava/nio/file/Path;': (machine, self) =>
    instance(machine, 'Ljava/nio/file/UnixPath;', filePath(self), self.taint),
  'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) =>
    other?.cls === self.cls && filePath(other) === filePath(self),
  'hashCode()I': (_machine, self) => stringHash(filePath(self)) ^ 1_234_321,
  'compareTo(!Ljava/io/File;)I': (_machine, self, other: HeapObject) => compareText(filePath(self), filePath(other)),
  'compareTo(!Ljava/lang/Object;)I': (_machine, self, other: HeapObject) =>
    compareText(filePath(self), filePath(other)),
};

function executable(machine: Machine, self: HeapObject, isExecutable: number): number {
  const found = node(machine, self);
  if (found !== null) found.isExecutable = isExecutable !== 0;
  return flag(found !== null);
}

function createTemporary(machine: Machine, prefix: Reference, suffix: Reference, directory: Reference): HeapObject {
  const start = textOf(machine, prefix);
  if (start.length < 3) throw illegalArgument(machine, 'Prefix string too short');
  const place = directory === null ? '/data/local/tmp' : filePath(directory);
  const counter = machine.state('java.temporary-files', () => ({ next: 7_318_349_394_477_056n }));
  counter.next += 65_537n;
  const path = `${place}/${start}${counter.next}${optionalText(suffix) ?? '.tmp'}`;
  createNew(machine, path);
  return newFile(machine, path);
}

interface Random {
  handle: FileHandle;
  isWritable: boolean;
}

function random(machine: Machine, self: HeapObject): Random {
  const state = self.native as Random | undefined;
  if (state === undefined || state.handle.isClosed) throw ioException(machine, 'Stream Closed');
  return state;
}

function openRandom(machine: Machine, self: HeapObject, path: string, mode: Reference): undefined {
  const isWritable = textOf(machine, mode).startsWith('rw');
  const handle = virtualFiles(machine).open(machine, path, isWritable ? 'rw' : 'r');
  if (typeof handle === 'string') throw machine.exception('Ljava/io/FileNotFoundException;', handle);
  self.native = { handle, isWritable } satisfies Random;
}

const randomMethods: NativeMethods = {
  '<init>(Ljava/io/File;Ljava/lang/String;)V': (machine, self, file: Reference, mode: Reference) =>
    openRandom(machine, self, pathOf(machine, file), mode),
  '<init>(Ljava/lang/String;Ljava/lang/String;)V': (machine, self, path: Reference, mode: Reference) =>
    openRandom(machine, self, textOf(machine, path), mode),
  'read()I': (machine, self) => {
    const { data, taint } = random(machine, self).handle.read(machine, 1);
    machine.setResultTaint(taint);
    return data.length === 0 ? -1 : data[0]!;
  },
  'read(![B)I': (machine, self, array: JavaArray) =>
    machine.call(self, 'read([BII)I', array, 0, required(machine, array).elements.length),
  'read(![BII)I': (machine, self, array: JavaArray, offset: number, length: number) => {
    checkRange(machine, offset, length, required(machine, array).elements.length);
    const piece = random(machine, self).handle.read(machine, length);
    return piece.data.length === 0 && length > 0 ? -1 : store(array, offset, piece);
  },
  'write(I)V': (machine, self, byte: number) =>
    random(machine, self).handle.write(machine, Uint8Array.of(byte), machine.argumentTaint(1)),
  'write(![B)V': (machine, self, array: JavaArray) =>
    machine.call(self, 'write([BII)V', array, 0, required(machine, array).elements.length),
  'write(![BII)V': (machine, self, array: JavaArray, offset: number, length: number) => {
    checkRange(machine, offset, length, required(machine, array).elements.length);
    const state = random(machine, self);
    if (!state.isWritable) throw ioException(machine, 'write failed: EBADF (Bad file descriptor)');
    const taint = arrayTaint(machine, array, offset, offset + length);
    state.handle.write(machine, bytesOf(array).slice(offset, offset + length), taint);
  },
  'seek(J)V': (machine, self, position: bigint) => {
    if (position < 0n) throw ioException(machine, 'offset < 0');
    random(machine, self).handle.position = Number(position);
  },
  'getFilePointer()J': (machine, self) => BigInt(random(machine, self).handle.position),
  'length()J': (machine, self) => BigInt(random(machine, self).handle.node.size),
  'setLength(J)V': (machine, self, length: bigint) => {
    const { node } = random(machine, self).handle;
    machine.charge(Math.max(0, Math.min(Number(length), maxFileBytes) - node.size));
    node.truncate(Number(length));
  },
  'getChannel()Ljava/nio/channels/FileChannel;': (machine, self) => channelOn(machine, random(machine, self).handle),
  'close()V': (_machine, self) => {
    const state = self.native as Random | undefined;
    if (state !== undefined) state.handle.isClosed = true;
  },
};

export const fileModels: Record<string, ModelClass> = {
  [FILE]: {
    implements: ['Ljava/io/Serializable;', 'Ljava/lang/Comparable;'],
    methods: fileMethods,
    staticMethods: {
      'createTempFile(Ljava/lang/String;Ljava/lang/String;)Ljava/io/File;': (machine, prefix, suffix) =>
        createTemporary(machine, prefix, suffix, null),
      'createTempFile(Ljava/lang/String;Ljava/lang/String;Ljava/io/File;)Ljava/io/File;': createTemporary,
      'listRoots()[Ljava/io/File;': (machine) => machine.objectArray(FILE, [newFile(machine, '/')]),
    },
    constants: {
      'separator:Ljava/lang/String;': '/',
      'separatorChar:C': 47,
      'pathSeparator:Ljava/lang/String;': ':',
      'pathSeparatorChar:C': 58,
    },
  },
  'Ljava/io/FilenameFilter;': { isInterface: true, abstractMethods: [`accept(${FILE}Ljava/lang/String;)Z`] },
  'Ljava/io/FileFilter;': { isInterface: true, abstractMethods: [`accept(${FILE})Z`] },
  'Ljava/io/RandomAccessFile;': {
    implements: ['Ljava/io/DataInput;', 'Ljava/io/DataOutput;', 'Ljava/io/Closeable;'],
    methods: { ...dataInputMethods, ...dataOutputMethods, ...randomMethods },
  },
};
