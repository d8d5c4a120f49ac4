// java.nio.file over whole folders: walks, lists, copies and moves. Knows files by the virtual file system alone.
import { type HeapObject, type JavaArray, JavaThrow } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { type FileNode, virtualFiles } from '../../machine/virtual-files.ts';
import { enumModel, enumName } from '../lang/enum.ts';
import { isLike } from '../text/wildcards.ts';
import { newList } from '../util/iteration.ts';
import { referenceStream } from '../util/stream-state.ts';
import { instance, type Reference, referencesOf, required, textOf } from '../values.ts';
import { pathObject, pathText } from './paths.ts';

const F = 'Ljava/nio/file/';
const PATH = `${F}Path;`;
const VISITOR = `${F}FileVisitor;`;
const RESULT = `${F}FileVisitResult;`;
const OPTION = `${F}StandardCopyOption;`;
const ATTRIBUTES = `${F}attribute/BasicFileAttributes;`;
const attributesImplementation = `${F}attribute/UnixFileAttributes;`;
const O = 'Ljava/lang/Object;';
const STREAM = 'Ljava/util/stream/Stream;';
const TIME = `${F}attribute/FileTime;`;
const FOLDER = `${F}DirectoryStream;`;
const folderImplementation = `${F}UnixDirectoryStream;`;

/** Bound on the patterns that one with alternatives expands to; a name is compared with each. */
const maxAlternatives = 200;
/** Cost of one step of comparing a name, charged as so many allocated bytes. */
const bytesPerStep = 64;

/** Latest date that is supported, milliseconds since 1970. */
const lastDate = 8.64e15;

/** Folders within each other that a walk goes into; links may go round. */
const maxDepth = 64;

const visitorMethods = {
  enter: `preVisitDirectory(${O}${ATTRIBUTES})${RESULT}`,
  visit: `visitFile(${O}${ATTRIBUTES})${RESULT}`,
  fail: `visitFileFailed(${O}Ljava/io/IOException;)${RESULT}`,
  leave: `postVisitDirectory(${O}Ljava/io/IOException;)${RESULT}`,
};

const goOn: NativeMethod = (machine) => machine.getStatic(RESULT, 'CONTINUE');

const attributesOf = (machine: Machine, node: FileNode): HeapObject =>
  instance(machine, attributesImplementation, node);
const nodeOf = (self: HeapObject): FileNode => self.native as FileNode;

const namesIn = (machine: Machine, path: string): string[] => (virtualFiles(machine).list(path) ?? []).sort();
const inside = (path: string, name: string): string => (path === '/' ? `/${name}` : `${path}/${name}`);

/** Every path from one on, folders before what is in them. */
function* pathsBelow(machine: Machine, path: string, depth: number): Generator<string> {
  yield path;
  if (depth > 0 && virtualFiles(machine).find(path)?.isDirectory === true)
    for (const name of namesIn(machine, path)) yield* pathsBelow(machine, inside(path, name), depth - 1);
}

/** Takes a visitor to a path and what is below. Returns what the visitor said last: `TERMINATE`, `SKIP_SIBLINGS`, … */
function visit(machine: Machine, visitor: HeapObject, path: string, depth: number): string {
  const ask = (method: string, other: Reference): string =>
    enumName(required(machine, machine.call(visitor, method, pathObject(machine, path), other) as Reference));
  const node = virtualFiles(machine).find(path);
  if (node === null) return ask(visitorMethods.fail, machine.exception(`${F}NoSuchFileException;`, path).throwable);
  if (!node.isDirectory || depth === 0) return ask(visitorMethods.visit, attributesOf(machine, node));
  const entered = ask(visitorMethods.enter, attributesOf(machine, node));
  if (entered !== 'CONTINUE') return entered;
  for (const name of namesIn(machine, path)) {
    const said = visit(machine, visitor, inside(path, name), depth - 1);
    if (said === 'TERMINATE') return said;
    if (said === 'SKIP_SIBLINGS') break;
  }
  return ask(visitorMethods.leave, null);
}

const stream = (machine: Machine, paths: Iterable<string>): HeapObject =>
  referenceStream(
    machine,
    [...paths].map((path) => pathObject(machine, path)),
  );

const bounded = (depth: number): number => Math.max(0, Math.min(depth, maxDepth));

const walk =
  (isAsked: boolean): NativeMethod =>
  (machine, from: Reference, depth: unknown) =>
    stream(machine, pathsBelow(machine, pathText(machine, from), isAsked ? bounded(depth as number) : maxDepth));

/**
 * Checks that a copy or move can write its target.
 * @returns false where source and target are the same file: then there is nothing to do
 * @throws JavaThrow NoSuchFileException, FileAlreadyExistsException
 */
function checkTarget(machine: Machine, from: Reference, to: Reference, options: Reference): boolean {
  const files = virtualFiles(machine);
  const source = pathText(machine, from);
  const target = pathText(machine, to);
  if (files.find(source) === null) throw machine.exception(`${F}NoSuchFileException;`, source);
  if (files.normalize(source) === files.normalize(target)) return false;
  const isReplacing = referencesOf(options as JavaArray).some(
    (option) => option !== null && enumName(option) === 'REPLACE_EXISTING',
  );
  if (files.find(target) !== null && !isReplacing) throw machine.exception(`${F}FileAlreadyExistsException;`, target);
  return true;
}

/** @throws JavaThrow NoSuchFileException, FileAlreadyExistsException */
function move(machine: Machine, from: Reference, to: HeapObject, options: Reference): HeapObject {
  if (!checkTarget(machine, from, to, options)) return to;
  const files = virtualFiles(machine);
  const target = pathText(machine, to);
  files.delete(machine, target);
  if (!files.rename(machine, pathText(machine, from), target))
    throw machine.exception(`${F}NoSuchFileException;`, pathText(machine, from));
  return to;
}

/** Copies a file; of a folder, without what is in it. @throws JavaThrow NoSuchFileException, FileAlreadyExistsException */
function copy(machine: Machine, from: Reference, to: HeapObject, options: Reference): HeapObject {
  if (!checkTarget(machine, from, to, options)) return to;
  const files = virtualFiles(machine);
  if (files.find(pathText(machine, from))?.isDirectory === true) {
    files.makeDirectory(pathText(machine, to), machine.clock.wall);
    return to;
  }
  const source = files.open(machine, pathText(machine, from), 'r');
  const target = files.open(machine, pathText(machine, to), 'w');
  if (typeof source === 'string' || typeof target === 'string')
    throw machine.exception(`${F}NoSuchFileException;`, pathText(machine, typeof source === 'string' ? from : to));
  const { data, taint } = source.read(machine, source.node.size);
  target.write(machine, data.slice(), taint);
  return to;
}

/** @throws JavaThrow NoSuchFileException */
function nodeAt(machine: Machine, path: Reference): FileNode {
  const node = virtualFiles(machine).find(pathText(machine, path));
  if (node === null) throw machine.exception(`${F}NoSuchFileException;`, pathText(machine, path));
  return node;
}

const timeOf = (machine: Machine, node: FileNode): HeapObject => instance(machine, TIME, Math.floor(node.modified));
const modified: NativeMethod = (machine, self) => timeOf(machine, nodeOf(self));

/** Expands alternatives: `*.{jpg,png}` to `*.jpg` and `*.png`. */
function alternatives(glob: string): string[] {
  let all = [''];
  for (const [part] of glob.matchAll(/\{[^{}]*\}|[^{]+|\{/g)) {
    const choices = part.startsWith('{') && part.endsWith('}') ? part.slice(1, -1).split(',') : [part];
    if (all.length * choices.length > maxAlternatives) return [];
    all = all.flatMap((before) => choices.map((choice) => before + choice));
  }
  return all;
}

/** A folder's entries as a DirectoryStream, which can be iterated over once. @param accepts a name */
function folderStream(machine: Machine, folder: Reference, accepts: (path: HeapObject, name: string) => boolean) {
  const text = pathText(machine, folder);
  if (!nodeAt(machine, folder).isDirectory) throw machine.exception(`${F}NotDirectoryException;`, text);
  const names = namesIn(machine, text).map((name) => ({ name, path: pathObject(machine, inside(text, name)) }));
  return instance(
    machine,
    folderImplementation,
    newList(
      machine,
      names.filter(({ name, path }) => accepts(path, name)).map(({ path }) => path),
    ),
  );
}

const find: NativeMethod = (machine, from: Reference, depth: number, matcher: Reference) => {
  const test = `test(${O}${O})Z`;
  const found = [...pathsBelow(machine, pathText(machine, from), bounded(depth))].filter((path) => {
    const node = virtualFiles(machine).find(path);
    const asked = [pathObject(machine, path), node === null ? null : attributesOf(machine, node)];
    return machine.call(required(machine, matcher), test, ...asked) !== 0;
  });
  return stream(machine, found);
};

const simpleMethods: NativeMethods = {
  '<init>()V': () => undefined,
  [visitorMethods.enter]: goOn,
  [visitorMethods.visit]: goOn,
  [visitorMethods.leave]: goOn,
  [visitorMethods.fail]: (_machine, _self, _path, failure: HeapObject) => {
    throw new JavaThrow(failure);
  },
};

/** Methods of Files, which has others for single files. */
export const treeMethods: NativeMethods = {
  [`walkFileTree(${PATH}${VISITOR})${PATH}`]: (machine, from: HeapObject, visitor: Reference) => {
    visit(machine, required(machine, visitor), pathText(machine, from), maxDepth);
    return from;
  },
  [`walkFileTree(${PATH}Ljava/util/Set;I${VISITOR})${PATH}`]: (
    machine,
    from: HeapObject,
    _options: Reference,
    depth: number,
    visitor: Reference,
  ) => {
    visit(machine, required(machine, visitor), pathText(machine, from), bounded(depth));
    return from;
  },
  [`walk(${PATH}[${F}FileVisitOption;)${STREAM}`]: walk(false),
  [`walk(${PATH}I[${F}FileVisitOption;)${STREAM}`]: walk(true),
  [`list(${PATH})${STREAM}`]: (machine, path: Reference) => {
    const text = pathText(machine, path);
    return stream(
      machine,
      namesIn(machine, text).map((name) => inside(text, name)),
    );
  },
  [`isRegularFile(${PATH}[${F}LinkOption;)Z`]: (machine, path: Reference) =>
    virtualFiles(machine).find(pathText(machine, path))?.isDirectory === false,
  [`find(${PATH}ILjava/util/function/BiPredicate;[${F}FileVisitOption;)${STREAM}`]: find,
  [`newDirectoryStream(${PATH})${FOLDER}`]: (machine, path: Reference) => folderStream(machine, path, () => true),
  [`newDirectoryStream(${PATH}Ljava/lang/String;)${FOLDER}`]: (machine, path: Reference, glob: Reference) => {
    const patterns = alternatives(textOf(machine, glob));
    const spend = (steps: number) => machine.charge(steps * bytesPerStep);
    return folderStream(machine, path, (_path, name) =>
      patterns.some((pattern) => isLike(name, pattern, '*', '?', spend)),
    );
  },
  [`newDirectoryStream(${PATH}${F}DirectoryStream$Filter;)${FOLDER}`]: (machine, path: Reference, filter: Reference) =>
    folderStream(machine, path, (each) => machine.call(required(machine, filter), `accept(${O})Z`, each) !== 0),
  [`readAttributes(${PATH}Ljava/lang/Class;[${F}LinkOption;)${ATTRIBUTES}`]: (machine, path: Reference) =>
    attributesOf(machine, nodeAt(machine, path)),
  [`getLastModifiedTime(${PATH}[${F}LinkOption;)${TIME}`]: (machine, path: Reference) =>
    timeOf(machine, nodeAt(machine, path)),
  [`setLastModifiedTime(${PATH}!${TIME})${PATH}`]: (machine, path: HeapObject, time: HeapObject) => {
    nodeAt(machine, path).modified = time.native as number;
    return path;
  },
  [`copy(${PATH}${PATH}[${F}CopyOption;)${PATH}`]: copy,
  [`move(${PATH}${PATH}[${F}CopyOption;)${PATH}`]: move,
};

export const fileTreeModels: Record<string, ModelClass> = {
  [VISITOR]: { isInterface: true, abstractMethods: Object.values(visitorMethods) },
  [`${F}SimpleFileVisitor;`]: { implements: [VISITOR], methods: simpleMethods },
  [RESULT]: enumModel(RESULT, ['CONTINUE', 'TERMINATE', 'SKIP_SUBTREE', 'SKIP_SIBLINGS']),
  [`${F}CopyOption;`]: { isInterface: true },
  [OPTION]: enumModel(OPTION, ['REPLACE_EXISTING', 'COPY_ATTRIBUTES', 'ATOMIC_MOVE'], {
    implements: [`${F}CopyOption;`],
  }),
  [ATTRIBUTES]: { isInterface: true },
  [attributesImplementation]: {
    implements: [ATTRIBUTES],
    methods: {
      'isDirectory()Z': (_machine, self) => nodeOf(self).isDirectory,
      'isRegularFile()Z': (_machine, self) => !nodeOf(self).isDirectory,
      'isSymbolicLink()Z': () => 0,
      'size()J': (_machine, self) => BigInt(nodeOf(self).size),
      [`lastModifiedTime()${TIME}`]: modified,
      [`lastAccessTime()${TIME}`]: modified,
      [`creationTime()${TIME}`]: modified,
    },
  },
  [TIME]: {
    methods: {
      'toMillis()J': (_machine, self) => BigInt(self.native as number),
      'toString()Ljava/lang/String;': (machine, self) =>
        machine.string(new Date(Math.max(-lastDate, Math.min(self.native as number, lastDate))).toISOString()),
    },
    staticMethods: {
      [`fromMillis(J)${TIME}`]: (machine, milliseconds: bigint) => instance(machine, TIME, Number(milliseconds)),
    },
  },
  [FOLDER]: { isInterface: true, implements: ['Ljava/io/Closeable;', 'Ljava/lang/Iterable;'] },
  [folderImplementation]: {
    implements: [FOLDER],
    methods: {
      'iterator()Ljava/util/Iterator;': (machine, self) =>
        machine.call(self.native as HeapObject, 'iterator()Ljava/util/Iterator;'),
      'close()V': () => undefined,
    },
  },
};
