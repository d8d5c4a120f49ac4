// java.nio.file.Path, Paths and the common methods of Files. Knows files by the virtual file system alone.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { readAll } from '../io/byte-input.ts';
import { stringHash } from '../lang/number-text.ts';
import { elementsOf, newList } from '../util/iteration.ts';
import {
  arrayTaint,
  bytesOf,
  flag,
  instance,
  objectTaint,
  type Reference,
  referencesOf,
  required,
  textOf,
} from '../values.ts';
import { type FileMode, virtualFiles } from '../virtual-files.ts';
import { decodeBytes, encodeText } from './charset-codec.ts';

const PATH = 'Ljava/nio/file/Path;';
const UNIX = 'Ljava/nio/file/UnixPath;';
const S = 'Ljava/lang/String;';
const OPTIONS = '[Ljava/nio/file/OpenOption;';
const ATTRIBUTES = '[Ljava/nio/file/attribute/FileAttribute;';

/** `native` is the path's text. */
const of = (machine: Machine, path: Reference): string => required(machine, path).native as string;

function pathObject(machine: Machine, text: string, taint = 0): HeapObject {
  const tidy = text.replaceAll(/\/+/g, '/');
  return instance(machine, UNIX, tidy.length > 1 && tidy.endsWith('/') ? tidy.slice(0, -1) : tidy, taint);
}

function join(machine: Machine, first: Reference, more: JavaArray): HeapObject {
  const parts = [textOf(machine, first), ...referencesOf(more).map((part) => textOf(machine, part))];
  return pathObject(machine, parts.filter((part) => part !== '').join('/'), machine.deepTaint(first));
}

const parentOf = (path: string): string | null => {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? null : slash === 0 ? (path.length > 1 ? '/' : null) : path.slice(0, slash);
};

function open(machine: Machine, path: Reference, mode: FileMode) {
  const handle = virtualFiles(machine).open(machine, of(machine, path), mode);
  if (typeof handle === 'string') throw machine.exception('Ljava/nio/file/NoSuchFileException;', of(machine, path));
  return handle;
}

function read(machine: Machine, path: Reference): { data: Uint8Array; taint: number } {
  const handle = open(machine, path, 'r');
  return handle.read(machine, handle.node.size);
}

function write(
  machine: Machine,
  path: HeapObject,
  data: Uint8Array,
  taint: number,
  options: JavaArray | null,
): HeapObject {
  const isAppend = referencesOf(options ?? machine.objectArray('Ljava/lang/Object;', [])).some(
    (option) => option !== null && machine.toText(option).text === 'APPEND',
  );
  open(machine, path, isAppend ? 'a' : 'w').write(machine, data.slice(), taint);
  return path;
}

const file = (machine: Machine, path: Reference): HeapObject =>
  machine.construct('Ljava/io/File;', `<init>(${S})V`, machine.string(of(machine, path), path!.taint));

export const pathModels: Record<string, ModelClass> = {
  [PATH]: {
    isInterface: true,
    implements: ['Ljava/lang/Comparable;', 'Ljava/lang/Iterable;'],
    staticMethods: { [`of(${S}[${S})${PATH}`]: join },
  },
  [UNIX]: {
    implements: [PATH],
    methods: {
      [`toString()${S}`]: (machine, self: HeapObject) => machine.string(of(machine, self), self.taint),
      'toFile()Ljava/io/File;': file,
      [`getFileName()${PATH}`]: (machine, self: HeapObject) =>
        pathObject(machine, of(machine, self).slice(of(machine, self).lastIndexOf('/') + 1), self.taint),
      [`getParent()${PATH}`]: (machine, self: HeapObject) => {
        const parent = parentOf(of(machine, self));
        return parent === null ? null : pathObject(machine, parent, self.taint);
      },
      [`resolve(${S})${PATH}`]: (machine, self: HeapObject, other: Reference) => {
        const text = textOf(machine, other);
        const taint = machine.union(self.taint, objectTaint(machine, other));
        return pathObject(machine, text.startsWith('/') ? text : `${of(machine, self)}/${text}`, taint);
      },
      [`resolve(${PATH})${PATH}`]: (machine, self: HeapObject, other: HeapObject) =>
        pathObject(
          machine,
          of(machine, other).startsWith('/') ? of(machine, other) : `${of(machine, self)}/${of(machine, other)}`,
        ),
      [`toAbsolutePath()${PATH}`]: (machine, self: HeapObject) =>
        pathObject(
          machine,
          of(machine, self).startsWith('/') ? of(machine, self) : `/${of(machine, self)}`,
          self.taint,
        ),
      [`normalize()${PATH}`]: (machine, self: HeapObject) =>
        pathObject(machine, virtualFiles(machine).normalize(of(machine, self)), self.taint),
      'hashCode()I': (machine, self: HeapObject) => stringHash(of(machine, self)),
      'equals(Ljava/lang/Object;)Z': (machine, self: HeapObject, other: Reference) =>
        flag(other?.cls === self.cls && of(machine, other) === of(machine, self)),
    },
  },
  'Ljava/nio/file/Paths;': { staticMethods: { [`get(${S}[${S})${PATH}`]: join } },
  'Ljava/nio/file/Files;': {
    staticMethods: {
      [`exists(${PATH}[Ljava/nio/file/LinkOption;)Z`]: (machine, path: Reference) =>
        flag(virtualFiles(machine).find(of(machine, path)) !== null),
      [`isDirectory(${PATH}[Ljava/nio/file/LinkOption;)Z`]: (machine, path: Reference) =>
        flag(virtualFiles(machine).find(of(machine, path))?.isDirectory === true),
      [`size(${PATH})J`]: (machine, path: Reference) =>
        BigInt(virtualFiles(machine).find(of(machine, path))?.size ?? 0),
      [`readAllBytes(${PATH})[B`]: (machine, path: Reference) => {
        const { data, taint } = read(machine, path);
        return machine.byteArray(data, taint);
      },
      [`readString(${PATH})${S}`]: (machine, path: Reference) => {
        const { data, taint } = read(machine, path);
        return machine.string(decodeBytes(data, 'UTF-8'), taint);
      },
      [`readAllLines(${PATH})Ljava/util/List;`]: (machine, path: Reference) => {
        const { data, taint } = read(machine, path);
        const lines = decodeBytes(data, 'UTF-8').split(/\r\n|\n|\r/);
        if (lines.at(-1) === '') lines.pop();
        return newList(
          machine,
          lines.map((line) => machine.string(line, taint)),
        );
      },
      [`write(${PATH}[B${OPTIONS})${PATH}`]: (machine, path: HeapObject, bytes: JavaArray, options: JavaArray) =>
        write(
          machine,
          path,
          bytesOf(required(machine, bytes)),
          arrayTaint(machine, bytes, 0, bytes.elements.length),
          options,
        ),
      [`write(${PATH}Ljava/lang/Iterable;${OPTIONS})${PATH}`]: (
        machine,
        path: HeapObject,
        lines: Reference,
        options,
      ) => {
        const texts = elementsOf(machine, lines).map((line) => machine.toText(line));
        const taint = texts.reduce((all, text) => machine.union(all, text.taint), 0);
        return write(
          machine,
          path,
          encodeText(texts.map((text) => `${text.text}\n`).join(''), 'UTF-8'),
          taint,
          options,
        );
      },
      [`newInputStream(${PATH}${OPTIONS})Ljava/io/InputStream;`]: (machine, path: Reference) =>
        machine.construct('Ljava/io/FileInputStream;', '<init>(Ljava/io/File;)V', file(machine, path)),
      [`newOutputStream(${PATH}${OPTIONS})Ljava/io/OutputStream;`]: (machine, path: Reference) =>
        machine.construct('Ljava/io/FileOutputStream;', '<init>(Ljava/io/File;)V', file(machine, path)),
      [`copy(Ljava/io/InputStream;${PATH}[Ljava/nio/file/CopyOption;)J`]: (
        machine,
        source: Reference,
        path: HeapObject,
      ) => {
        const { data, taint } = readAll(machine, source);
        write(machine, path, data, taint, null);
        return BigInt(data.length);
      },
      [`createDirectories(${PATH}${ATTRIBUTES})${PATH}`]: (machine, path: HeapObject) => {
        machine.call(file(machine, path), 'mkdirs()Z');
        return path;
      },
      [`createDirectory(${PATH}${ATTRIBUTES})${PATH}`]: (machine, path: HeapObject) => {
        machine.call(file(machine, path), 'mkdir()Z');
        return path;
      },
      [`delete(${PATH})V`]: (machine, path: Reference) => {
        if (!virtualFiles(machine).delete(machine, of(machine, path))) {
          throw machine.exception('Ljava/nio/file/NoSuchFileException;', of(machine, path));
        }
      },
      [`deleteIfExists(${PATH})Z`]: (machine, path: Reference) =>
        flag(virtualFiles(machine).delete(machine, of(machine, path))),
    },
  },
};
