// java.nio.file.Files: reading and writing single files. Knows files by the virtual file system alone.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { readAll } from '../io/byte-input.ts';
import { elementsOf, newList } from '../util/iteration.ts';
import { arrayTaint, bytesOf, flag, type Reference, referencesOf, required } from '../values.ts';
import { type FileMode, virtualFiles } from '../virtual-files.ts';
import { decodeBytes, encodeText } from './charset-codec.ts';
import { treeMethods } from './file-trees.ts';
import { fileOfPath, pathText } from './paths.ts';

const PATH = 'Ljava/nio/file/Path;';
const S = 'Ljava/lang/String;';
const OPTIONS = '[Ljava/nio/file/OpenOption;';
const ATTRIBUTES = '[Ljava/nio/file/attribute/FileAttribute;';

function open(machine: Machine, path: Reference, mode: FileMode) {
  const handle = virtualFiles(machine).open(machine, pathText(machine, path), mode);
  if (typeof handle === 'string')
    throw machine.exception('Ljava/nio/file/NoSuchFileException;', pathText(machine, path));
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

export const filesModels: Record<string, ModelClass> = {
  'Ljava/nio/file/Files;': {
    staticMethods: {
      ...treeMethods,
      [`exists(${PATH}[Ljava/nio/file/LinkOption;)Z`]: (machine, path: Reference) =>
        flag(virtualFiles(machine).find(pathText(machine, path)) !== null),
      [`isDirectory(${PATH}[Ljava/nio/file/LinkOption;)Z`]: (machine, path: Reference) =>
        flag(virtualFiles(machine).find(pathText(machine, path))?.isDirectory === true),
      [`size(${PATH})J`]: (machine, path: Reference) =>
        BigInt(virtualFiles(machine).find(pathText(machine, path))?.size ?? 0),
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
        machine.construct('Ljava/io/FileInputStream;', '<init>(Ljava/io/File;)V', fileOfPath(machine, path)),
      [`newOutputStream(${PATH}${OPTIONS})Ljava/io/OutputStream;`]: (machine, path: Reference) =>
        machine.construct('Ljava/io/FileOutputStream;', '<init>(Ljava/io/File;)V', fileOfPath(machine, path)),
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
        machine.call(fileOfPath(machine, path), 'mkdirs()Z');
        return path;
      },
      [`createDirectory(${PATH}${ATTRIBUTES})${PATH}`]: (machine, path: HeapObject) => {
        machine.call(fileOfPath(machine, path), 'mkdir()Z');
        return path;
      },
      [`delete(${PATH})V`]: (machine, path: Reference) => {
        if (!virtualFiles(machine).delete(machine, pathText(machine, path))) {
          throw machine.exception('Ljava/nio/file/NoSuchFileException;', pathText(machine, path));
        }
      },
      [`deleteIfExists(${PATH})Z`]: (machine, path: Reference) =>
        flag(virtualFiles(machine).delete(machine, pathText(machine, path))),
    },
  },
};
