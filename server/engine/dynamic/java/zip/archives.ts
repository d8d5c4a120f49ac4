// java.util.zip's and java.util.jar's archives, as files and as streams. Knows their layout only as far as reading entries.
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { HeapObject, JavaArray, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { virtualFiles } from '../../machine/virtual-files.ts';
import { type ByteInput, bufferInput, readAll, store } from '../io/byte-input.ts';
import { writeTo } from '../io/byte-output.ts';
import { filePath } from '../io/file.ts';
import { iteratorOn } from '../util/iteration.ts';
import { ListState } from '../util/list-state.ts';
import { arrayTaint, bytesOf, instance, made, type Reference, required, textOf } from '../values.ts';
import { BOUND, guarded } from './bounded-zlib.ts';

const Z = 'Ljava/util/zip/';
const S = 'Ljava/lang/String;';
const ENTRY = `${Z}ZipEntry;`;

function zipException(machine: Machine, message: string) {
  return machine.exception(`${Z}ZipException;`, message);
}

interface Entry {
  name: string;
  method: number;
  crc: number;
  size: number;
  compressed: number;
  offset: number;
  time: number;
}

/** Entries by the central directory, or by local headers where that is not there. */
function readEntries(data: Uint8Array): Entry[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const entries: Entry[] = [];
  let end = data.length - 22;
  while (end >= Math.max(0, data.length - 65_557) && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) return entries;
  let at = view.getUint32(end + 16, true);
  while (at + 46 <= data.length && view.getUint32(at, true) === 0x02014b50) {
    const nameLength = view.getUint16(at + 28, true);
    entries.push({
      name: Buffer.from(data.subarray(at + 46, at + 46 + nameLength)).toString('utf8'),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      compressed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
      time: 0,
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function entryBytes(machine: Machine, data: Uint8Array, entry: Entry): Uint8Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (entry.offset + 30 > data.length) throw zipException(machine, 'invalid entry');
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const stored = data.subarray(start, start + entry.compressed);
  if (entry.method === 0) return stored;
  return guarded(machine, `${Z}ZipException;`, () => inflateRawSync(stored, BOUND));
}

const entryState = (self: HeapObject): Entry => self.native as Entry;
const entryObject = (machine: Machine, entry: Entry, taint: Taint): HeapObject =>
  instance(machine, ENTRY, { ...entry }, taint);

/** The `native` of ZipFile and ZipInputStream. */
interface Archive {
  data: Uint8Array;
  taint: Taint;
  entries: Entry[];
  at: number;
  current: ByteInput | null;
}

const archive = (self: HeapObject): Archive => self.native as Archive;

function openArchive(machine: Machine, self: HeapObject, path: string): undefined {
  const handle = virtualFiles(machine).open(machine, path, 'r');
  if (typeof handle === 'string') throw machine.exception('Ljava/io/FileNotFoundException;', handle);
  const { data, taint } = handle.read(machine, handle.node.size);
  const entries = readEntries(data);
  if (entries.length === 0) throw zipException(machine, 'error in opening zip file');
  self.native = { data, taint, entries, at: 0, current: null } satisfies Archive;
}

const zipFileMethods: NativeMethods = {
  [`<init>(${S})V`]: (machine, self, path: Reference) => openArchive(machine, self, textOf(machine, path)),
  '<init>(!Ljava/io/File;)V': (machine, self, file: HeapObject) =>
    openArchive(machine, self, filePath(required(machine, file))),
  '<init>(!Ljava/io/File;I)V': (machine, self, file: HeapObject) =>
    openArchive(machine, self, filePath(required(machine, file))),
  [`getEntry(${S})${ENTRY}`]: (machine, self, name: Reference) => {
    const { entries, taint } = archive(self);
    const found = entries.find(
      (entry) => entry.name === textOf(machine, name) || entry.name === `${textOf(machine, name)}/`,
    );
    return found === undefined ? null : entryObject(machine, found, taint);
  },
  [`getInputStream(!${ENTRY})Ljava/io/InputStream;`]: (machine, self, entry: HeapObject) => {
    const { data, taint, entries } = archive(self);
    const found = entries.find((own) => own.name === entryState(entry).name);
    if (found === undefined) return null;
    return instance(machine, 'Ljava/io/NativeInputStream;', bufferInput(entryBytes(machine, data, found), taint));
  },
  'entries()Ljava/util/Enumeration;': (machine, self) => {
    const { entries, taint } = archive(self);
    return iteratorOn(
      machine,
      new ListState(entries.map((entry) => entryObject(machine, entry, taint))).cursor(machine),
    );
  },
  'size()I': (_machine, self) => archive(self).entries.length,
  'close()V': () => undefined,
};

const zipInput: NativeMethods = {
  '<init>(!Ljava/io/InputStream;)V': (machine, self, source: HeapObject) => {
    machine.setField(self, 'in', required(machine, source));
    self.native = null;
  },
  [`getNextEntry()${ENTRY}`]: (machine, self) => {
    if (self.native === null) {
      const { data, taint } = readAll(machine, machine.getField(self, 'in') as HeapObject);
      self.native = { data, taint, entries: readEntries(data), at: 0, current: null } satisfies Archive;
    }
    const state = archive(self);
    const entry = state.entries[state.at++];
    if (entry === undefined) return null;
    state.current = bufferInput(entryBytes(machine, state.data, entry), state.taint);
    return entryObject(machine, entry, state.taint);
  },
  'closeEntry()V': (_machine, self) => {
    if (self.native !== null) archive(self).current = null;
  },
  'read()I': (machine, self) => {
    const piece = self.native === null ? null : (archive(self).current?.read(machine, 1) ?? null);
    machine.setResultTaint(piece?.taint ?? 0);
    return piece === null ? -1 : piece.data[0]!;
  },
  'read(![BII)I': (machine, self, array: JavaArray, offset: number, length: number) => {
    const piece = self.native === null ? null : (archive(self).current?.read(machine, length) ?? null);
    return piece === null ? -1 : store(array, offset, piece);
  },
  'available()I': (_machine, self) => self.native !== null && (archive(self).current?.available() ?? 0) > 0,
};

/** The `native` of a ZipOutputStream. */
interface Writing {
  done: { name: Uint8Array; header: Uint8Array; offset: number }[];
  name: string | null;
  parts: Uint8Array[];
  taint: Taint;
  offset: number;
  isStored: boolean;
}

const writing = (self: HeapObject): Writing => self.native as Writing;

function closeEntry(machine: Machine, self: HeapObject): undefined {
  const state = writing(self);
  if (state.name === null) return;
  const data = Buffer.concat(state.parts);
  const packed = state.isStored ? data : deflateRawSync(data);
  const name = Buffer.from(state.name);
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(0x800, 2);
  header.writeUInt16LE(state.isStored ? 0 : 8, 4);
  header.writeUInt16LE(0x21, 8);
  header.writeUInt32LE(crc32(data), 10);
  header.writeUInt32LE(packed.length, 14);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('504b0304', 'hex'), header, name, packed]);
  state.done.push({ name, header, offset: state.offset });
  state.offset += local.length;
  state.name = null;
  state.parts = [];
  writeTo(machine, machine.getField(self, 'out') as HeapObject, local, state.taint);
  state.taint = 0;
}

function finishZip(machine: Machine, self: HeapObject): undefined {
  closeEntry(machine, self);
  const state = writing(self);
  if (state.offset < 0) return;
  const directory = state.done.map(({ name, header, offset }) => {
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    return Buffer.concat([Buffer.from('504b01021400', 'hex'), header, rest, name]);
  });
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(state.done.length, 8);
  end.writeUInt16LE(state.done.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(state.offset, 16);
  state.offset = -1;
  writeTo(machine, machine.getField(self, 'out') as HeapObject, Buffer.concat([central, end]), 0);
}

const zipOutput: NativeMethods = {
  '<init>(!Ljava/io/OutputStream;)V': (machine, self, out: HeapObject) => {
    machine.setField(self, 'out', required(machine, out));
    self.native = { done: [], name: null, parts: [], taint: 0, offset: 0, isStored: false } satisfies Writing;
  },
  [`putNextEntry(!${ENTRY})V`]: (machine, self, entry: HeapObject) => {
    closeEntry(machine, self);
    const state = writing(self);
    state.name = entryState(required(machine, entry)).name;
    state.isStored = entryState(entry).method === 0;
    state.taint = entry.taint;
  },
  'closeEntry()V': closeEntry,
  'write(I)V': (machine, self, byte: number) => {
    writing(self).parts.push(Uint8Array.of(byte));
    writing(self).taint = machine.union(writing(self).taint, machine.argumentTaint(1));
  },
  'write(![BII)V': (machine, self, array: JavaArray, offset: number, length: number) => {
    const state = writing(self);
    if (state.name === null) throw zipException(machine, 'no current ZIP entry');
    machine.charge(length);
    state.parts.push(bytesOf(array).slice(offset, offset + length));
    state.taint = machine.union(state.taint, arrayTaint(machine, array, offset, offset + length));
  },
  'setLevel(I)V': () => undefined,
  'setMethod(I)V': (_machine, self, method: number) => {
    writing(self).isStored = method === 0;
  },
  [`setComment(${S})V`]: () => undefined,
  'finish()V': finishZip,
  'flush()V': () => undefined,
  'close()V': (machine, self) => {
    finishZip(machine, self);
    machine.call(machine.getField(self, 'out') as HeapObject, 'close()V');
  },
};

const entryMethods: NativeMethods = {
  [`<init>(${S})V`]: (machine, self, name: Reference) => {
    self.native = {
      name: textOf(machine, name),
      method: -1,
      crc: 0,
      size: -1,
      compressed: -1,
      offset: 0,
      time: 0,
    } satisfies Entry;
    self.taint = name!.taint;
  },
  [`<init>(!${ENTRY})V`]: made((_machine, other: HeapObject) => ({ ...entryState(other) })),
  [`getName()${S}`]: (machine, self) => machine.string(entryState(self).name, self.taint),
  [`toString()${S}`]: (machine, self) => machine.string(entryState(self).name, self.taint),
  'isDirectory()Z': (_machine, self) => entryState(self).name.endsWith('/'),
  'getSize()J': (_machine, self) => BigInt(entryState(self).size),
  'getCompressedSize()J': (_machine, self) => BigInt(entryState(self).compressed),
  'getCrc()J': (_machine, self) => BigInt(entryState(self).crc),
  'getMethod()I': (_machine, self) => entryState(self).method,
  'getTime()J': (_machine, self) => BigInt(entryState(self).time),
  'setTime(J)V': (_machine, self, time: bigint) => {
    entryState(self).time = Number(time);
  },
  'setSize(J)V': (_machine, self, size: bigint) => {
    entryState(self).size = Number(size);
  },
  'setMethod(I)V': (_machine, self, method: number) => {
    entryState(self).method = method;
  },
  'setCrc(J)V': () => undefined,
  [`getComment()${S}`]: () => null,
  'getExtra()[B': () => null,
};

export const archiveModels: Record<string, ModelClass> = {
  [ENTRY]: {
    implements: ['Ljava/lang/Cloneable;'],
    methods: entryMethods,
    constants: { 'DEFLATED:I': 8, 'STORED:I': 0 },
  },
  [`${Z}ZipInputStream;`]: { extends: `${Z}InflaterInputStream;`, methods: zipInput },
  [`${Z}ZipOutputStream;`]: { extends: `${Z}DeflaterOutputStream;`, methods: zipOutput },
  [`${Z}ZipFile;`]: { implements: ['Ljava/io/Closeable;'], methods: zipFileMethods, constants: { 'OPEN_READ:I': 1 } },
  'Ljava/util/jar/JarEntry;': { extends: ENTRY, methods: entryMethods },
  'Ljava/util/jar/JarFile;': {
    extends: `${Z}ZipFile;`,
    methods: {
      ...zipFileMethods,
      [`getJarEntry(${S})Ljava/util/jar/JarEntry;`]: (machine, self, name: Reference) => {
        const found = archive(self).entries.find((entry) => entry.name === textOf(machine, name));
        return found === undefined ? null : instance(machine, 'Ljava/util/jar/JarEntry;', { ...found });
      },
    },
  },
};
