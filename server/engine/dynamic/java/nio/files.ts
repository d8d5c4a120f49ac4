// java.nio.file.Files: reading and writing single files. Knows files by the virtual file system alone.
import type { HeapObject, JavaArray, Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { virtualFiles } from '../../machine/virtual-files.ts';
import { fileInput, readAll } from '../io/byte-input.ts';
import { fileOutput, nativeOutput, writeTo } from '../io/byte-output.ts';
import { elementsOf, newList } from '../util/iteration.ts';
import { referenceStream } from '../util/stream-state.ts';
import { arrayTaint, bytesOf, instance, optionalText, type Reference, required } from '../values.ts';
import { channelOf, channelTo } from './channels.ts';
import { charsetOf, decodeBytes, encodeText } from './charset-codec.ts';
import { treeMethods } from './file-trees.ts';
import { openAs, openWith } from './open-options.ts';
import { fileOfPath, pathObject, pathText } from './paths.ts';

const PATH = 'Ljava/nio/file/Path;';
const S = 'Ljava/lang/String;';
const OPTIONS = '[Ljava/nio/file/OpenOption;';
const ATTRIBUTES = '[Ljava/nio/file/attribute/FileAttribute;';
const LINKS = '[Ljava/nio/file/LinkOption;';
const CHARSET = 'Ljava/nio/charset/Charset;';
const STREAM = 'Ljava/util/stream/Stream;';
const READER = 'Ljava/io/BufferedReader;';
const WRITER = 'Ljava/io/BufferedWriter;';
const SEEKABLE = 'Ljava/nio/channels/SeekableByteChannel;';

const each = (body: NativeMethod, ...signatures: readonly string[]): NativeMethods =>
  Object.fromEntries(signatures.map((signature) => [signature, body]));

function read(machine: Machine, path: Reference): { data: Uint8Array; taint: number } {
  const handle = openAs(machine, path, [], 'read');
  const content = handle.read(machine, handle.node.size);
  handle.isClosed = true;
  return content;
}

/** @throws JavaThrow NoSuchFileException, FileAlreadyExistsException, AccessDeniedException, IOException */
function write(
  machine: Machine,
  path: HeapObject,
  data: Uint8Array,
  taint: number,
  options: JavaArray | null,
): HeapObject {
  const output = fileOutput(openWith(machine, path, options, 'write'));
  output.write(data.slice(), machine.union(taint, machine.controlTaint), machine);
  output.close?.(machine);
  return path;
}

/** @param charset null: the usual one */
const charsetName = (machine: Machine, charset: Reference): string =>
  charset === null ? 'UTF-8' : charsetOf(machine, charset);

const linesOf = (text: string): string[] => {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

function readLines(machine: Machine, path: Reference, charset: Reference = null): HeapObject[] {
  const { data, taint } = read(machine, path);
  return linesOf(decodeBytes(data, charsetName(machine, charset))).map((line) => machine.string(line, taint));
}

function writeLines(
  machine: Machine,
  path: HeapObject,
  lines: Reference,
  charset: Reference,
  options: JavaArray,
): HeapObject {
  const texts = elementsOf(machine, lines).map((line) => machine.toText(line));
  const taint = texts.reduce((all, text) => machine.union(all, text.taint), 0);
  const text = texts.map((line) => `${line.text}\n`).join('');
  return write(machine, path, encodeText(text, charsetName(machine, charset)), taint, options);
}

function writeText(machine: Machine, path: HeapObject, text: Reference, charset: Reference, options: JavaArray) {
  const { text: content, taint } = machine.toText(text);
  return write(machine, path, encodeText(content, charsetName(machine, charset)), taint, options);
}

const allLines: NativeMethod = (machine, path: Reference, charset: Reference = null) =>
  newList(machine, readLines(machine, path, charset));

const streamOfLines: NativeMethod = (machine, path: Reference, charset: Reference = null) =>
  referenceStream(machine, readLines(machine, path, charset));

const wholeText: NativeMethod = (machine, path: Reference, charset: Reference = null) => {
  const { data, taint } = read(machine, path);
  return machine.string(decodeBytes(data, charsetName(machine, charset)), taint);
};

const inputOn = (machine: Machine, path: Reference, options: JavaArray | null): HeapObject =>
  instance(machine, 'Ljava/io/NativeInputStream;', fileInput(openWith(machine, path, options, 'read')));

const outputOn = (machine: Machine, path: Reference, options: JavaArray | null): HeapObject =>
  nativeOutput(machine, fileOutput(openWith(machine, path, options, 'write')));

const newReader: NativeMethod = (machine, path: Reference, charset: Reference = null) => {
  const decoder = machine.construct(
    'Ljava/io/InputStreamReader;',
    `<init>(Ljava/io/InputStream;${S})V`,
    inputOn(machine, path, null),
    machine.string(charsetName(machine, charset)),
  );
  return machine.construct('Ljava/io/BufferedReader;', '<init>(Ljava/io/Reader;)V', decoder);
};

function newWriter(machine: Machine, path: Reference, charset: Reference, options: JavaArray): HeapObject {
  const encoder = machine.construct(
    'Ljava/io/OutputStreamWriter;',
    `<init>(Ljava/io/OutputStream;${S})V`,
    outputOn(machine, path, options),
    machine.string(charsetName(machine, charset)),
  );
  return machine.construct('Ljava/io/BufferedWriter;', '<init>(Ljava/io/Writer;)V', encoder);
}

/** Makes a file or folder of a name that is not taken. */
const temporary =
  (isFolder: boolean): NativeMethod =>
  (machine, ...args: Value[]) => {
    const given = args.slice(0, -1) as Reference[];
    const count = isFolder ? 1 : 2;
    const folder = given.length > count ? pathText(machine, given[0]!) : temporaryFolder(machine);
    const [prefix, suffix] = given.slice(-count).map(optionalText);
    const numbers = machine.state('java.temporary-files', () => ({ next: 1 }));
    const name = `${prefix ?? ''}${numbers.next++}${isFolder ? '' : (suffix ?? '.tmp')}`;
    const path = pathObject(machine, `${folder}/${name}`);
    if (isFolder) machine.call(fileOfPath(machine, path), 'mkdirs()Z');
    else openAs(machine, path, ['CREATE'], 'write').isClosed = true;
    return path;
  };

const temporaryFolder = (machine: Machine): string =>
  optionalText(
    machine.callStatic('Ljava/lang/System;', `getProperty(${S})${S}`, machine.string('java.io.tmpdir')) as Reference,
  ) ?? '/data/local/tmp';

const isThere: NativeMethod = (machine, path: Reference) =>
  virtualFiles(machine).find(pathText(machine, path)) !== null;

export const filesModels: Record<string, ModelClass> = {
  'Ljava/nio/file/Files;': {
    staticMethods: {
      ...treeMethods,
      [`exists(${PATH}${LINKS})Z`]: isThere,
      [`isReadable(${PATH})Z`]: (machine, path: Reference) => virtualFiles(machine).mayRead(pathText(machine, path)),
      [`isWritable(${PATH})Z`]: (machine, path: Reference) => virtualFiles(machine).mayWrite(pathText(machine, path)),
      [`isExecutable(${PATH})Z`]: (machine, path: Reference) =>
        virtualFiles(machine).find(pathText(machine, path))?.isExecutable === true,
      [`isHidden(${PATH})Z`]: (machine, path: Reference) => /(?:^|\/)\.[^/]*$/.test(pathText(machine, path)),
      [`notExists(${PATH}${LINKS})Z`]: (machine, path: Reference) =>
        virtualFiles(machine).find(pathText(machine, path)) === null,
      [`isDirectory(${PATH}${LINKS})Z`]: (machine, path: Reference) =>
        virtualFiles(machine).find(pathText(machine, path))?.isDirectory === true,
      [`size(${PATH})J`]: (machine, path: Reference) =>
        BigInt(virtualFiles(machine).find(pathText(machine, path))?.size ?? 0),
      [`readAllBytes(${PATH})[B`]: (machine, path: Reference) => {
        const { data, taint } = read(machine, path);
        return machine.byteArray(data, taint);
      },
      ...each(wholeText, `readString(${PATH})${S}`, `readString(${PATH}${CHARSET})${S}`),
      ...each(allLines, `readAllLines(${PATH})Ljava/util/List;`, `readAllLines(${PATH}${CHARSET})Ljava/util/List;`),
      ...each(streamOfLines, `lines(${PATH})${STREAM}`, `lines(${PATH}${CHARSET})${STREAM}`),
      [`write(!${PATH}![B!${OPTIONS})${PATH}`]: (machine, path: HeapObject, bytes: JavaArray, options: JavaArray) =>
        write(
          machine,
          path,
          bytesOf(required(machine, bytes)),
          arrayTaint(machine, bytes, 0, bytes.elements.length),
          options,
        ),
      [`write(!${PATH}Ljava/lang/Iterable;${OPTIONS})${PATH}`]: (
        machine,
        path: HeapObject,
        lines: Reference,
        options,
      ) => writeLines(machine, path, lines, null, options),
      [`write(${PATH}Ljava/lang/Iterable;${CHARSET}${OPTIONS})${PATH}`]: writeLines,
      [`writeString(${PATH}Ljava/lang/CharSequence;${OPTIONS})${PATH}`]: (machine, path: HeapObject, text, options) =>
        writeText(machine, path, text, null, options),
      [`writeString(${PATH}Ljava/lang/CharSequence;${CHARSET}!${OPTIONS})${PATH}`]: writeText,
      [`newInputStream(${PATH}${OPTIONS})Ljava/io/InputStream;`]: inputOn,
      [`newOutputStream(${PATH}${OPTIONS})Ljava/io/OutputStream;`]: outputOn,
      ...each(newReader, `newBufferedReader(${PATH})${READER}`, `newBufferedReader(${PATH}${CHARSET})${READER}`),
      [`newBufferedWriter(${PATH}!${OPTIONS})${WRITER}`]: (machine, path: Reference, options: JavaArray) =>
        newWriter(machine, path, null, options),
      [`newBufferedWriter(${PATH}${CHARSET}!${OPTIONS})${WRITER}`]: newWriter,
      [`newByteChannel(${PATH}${OPTIONS})${SEEKABLE}`]: channelTo,
      [`newByteChannel(${PATH}Ljava/util/Set;${ATTRIBUTES})${SEEKABLE}`]: channelOf,
      ...each(
        temporary(false),
        `createTempFile(${S}${S}${ATTRIBUTES})${PATH}`,
        `createTempFile(${PATH}${S}${S}${ATTRIBUTES})${PATH}`,
      ),
      ...each(
        temporary(true),
        `createTempDirectory(${S}${ATTRIBUTES})${PATH}`,
        `createTempDirectory(${PATH}${S}${ATTRIBUTES})${PATH}`,
      ),
      [`createFile(${PATH}${ATTRIBUTES})${PATH}`]: (machine, path: HeapObject) => {
        openAs(machine, path, ['CREATE_NEW'], 'write').isClosed = true;
        return path;
      },
      [`copy(${PATH}Ljava/io/OutputStream;)J`]: (machine, path: Reference, target: Reference) => {
        const { data, taint } = read(machine, path);
        writeTo(machine, target, data, taint);
        return BigInt(data.length);
      },
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
        virtualFiles(machine).delete(machine, pathText(machine, path)),
    },
  },
};
