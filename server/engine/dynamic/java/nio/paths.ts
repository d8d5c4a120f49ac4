// java.nio.file.Path and Paths. Knows no files but how the virtual file system writes their paths.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod } from '../../machine/model.ts';
import { virtualFiles } from '../../machine/virtual-files.ts';
import { stringHash } from '../lang/number-text.ts';
import { compareText } from '../lang/string.ts';
import { newList } from '../util/iteration.ts';
import {
  flag,
  illegalArgument,
  instance,
  objectTaint,
  type Reference,
  referencesOf,
  required,
  textOf,
} from '../values.ts';

const PATH = 'Ljava/nio/file/Path;';
const UNIX = 'Ljava/nio/file/UnixPath;';
const S = 'Ljava/lang/String;';

/** `native` is the path's text. */
export const pathText = (machine: Machine, path: Reference): string => required(machine, path).native as string;

export function pathObject(machine: Machine, text: string, taint = 0): HeapObject {
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

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '');

/** Whether one path's names begin, or end, another's. */
function isPart(machine: Machine, self: HeapObject, other: string, isEnd: boolean): number {
  const [own, part] = [namesOf(pathText(machine, self)), namesOf(other)];
  const isRooted = other.startsWith('/');
  if (isEnd ? isRooted && own.length !== part.length : isRooted !== pathText(machine, self).startsWith('/')) return 0;
  const from = isEnd ? own.length - part.length : 0;
  return flag(part.length > 0 && from >= 0 && part.every((name, at) => own[from + at] === name));
}

/** @throws JavaThrow IllegalArgumentException */
function cutOut(machine: Machine, self: HeapObject, from: number, to: number): HeapObject {
  const names = namesOf(pathText(machine, self));
  if (from < 0 || to > names.length || from >= to) throw illegalArgument(machine);
  return pathObject(machine, names.slice(from, to).join('/'), self.taint);
}

function beside(machine: Machine, self: HeapObject, name: string): HeapObject {
  const parent = parentOf(pathText(machine, self));
  return pathObject(machine, name.startsWith('/') || parent === null ? name : `${parent}/${name}`, self.taint);
}

/** How to come from one path to another. */
function relative(machine: Machine, self: HeapObject, other: Reference): HeapObject {
  const [from, to] = [namesOf(pathText(machine, self)), namesOf(pathText(machine, other))];
  let same = 0;
  while (same < from.length && from[same] === to[same]) same++;
  const up = from.slice(same).map(() => '..');
  return pathObject(machine, [...up, ...to.slice(same)].join('/'), objectTaint(machine, other));
}

export const fileOfPath = (machine: Machine, path: Reference): HeapObject =>
  machine.construct('Ljava/io/File;', `<init>(${S})V`, machine.string(pathText(machine, path), path!.taint));

export const pathModels: Record<string, ModelClass> = {
  [PATH]: {
    isInterface: true,
    implements: ['Ljava/lang/Comparable;', 'Ljava/lang/Iterable;'],
    staticMethods: { [`of(${S}![${S})${PATH}`]: join },
  },
  [UNIX]: {
    implements: [PATH],
    methods: {
      [`toString()${S}`]: (machine, self) => machine.string(pathText(machine, self), self.taint),
      'toFile()Ljava/io/File;': fileOfPath,
      [`getFileName()${PATH}`]: (machine, self) =>
        pathObject(machine, pathText(machine, self).slice(pathText(machine, self).lastIndexOf('/') + 1), self.taint),
      [`getParent()${PATH}`]: (machine, self) => {
        const parent = parentOf(pathText(machine, self));
        return parent === null ? null : pathObject(machine, parent, self.taint);
      },
      [`resolve(${S})${PATH}`]: (machine, self, other: Reference) => {
        const text = textOf(machine, other);
        const taint = machine.union(self.taint, objectTaint(machine, other));
        return pathObject(machine, text.startsWith('/') ? text : `${pathText(machine, self)}/${text}`, taint);
      },
      [`resolve(!${PATH})${PATH}`]: (machine, self, other: HeapObject) =>
        pathObject(
          machine,
          pathText(machine, other).startsWith('/')
            ? pathText(machine, other)
            : `${pathText(machine, self)}/${pathText(machine, other)}`,
        ),
      [`toAbsolutePath()${PATH}`]: (machine, self) =>
        pathObject(
          machine,
          pathText(machine, self).startsWith('/') ? pathText(machine, self) : `/${pathText(machine, self)}`,
          self.taint,
        ),
      [`normalize()${PATH}`]: (machine, self) =>
        pathObject(machine, virtualFiles(machine).normalize(pathText(machine, self)), self.taint),
      'isAbsolute()Z': (machine, self) => pathText(machine, self).startsWith('/'),
      [`getRoot()${PATH}`]: (machine, self) =>
        pathText(machine, self).startsWith('/') ? pathObject(machine, '/') : null,
      'getNameCount()I': (machine, self) => namesOf(pathText(machine, self)).length,
      [`getName(I)${PATH}`]: (machine, self, at: number) => cutOut(machine, self, at, at + 1),
      [`subpath(II)${PATH}`]: cutOut,
      [`startsWith(${S})Z`]: (machine, self, other: Reference) => isPart(machine, self, textOf(machine, other), false),
      [`startsWith(${PATH})Z`]: (machine, self, other: Reference) =>
        isPart(machine, self, pathText(machine, other), false),
      [`endsWith(${S})Z`]: (machine, self, other: Reference) => isPart(machine, self, textOf(machine, other), true),
      [`endsWith(${PATH})Z`]: (machine, self, other: Reference) =>
        isPart(machine, self, pathText(machine, other), true),
      [`resolveSibling(${S})${PATH}`]: (machine, self, other: Reference) =>
        beside(machine, self, textOf(machine, other)),
      [`resolveSibling(${PATH})${PATH}`]: (machine, self, other: Reference) =>
        beside(machine, self, pathText(machine, other)),
      [`relativize(${PATH})${PATH}`]: relative,
      [`toRealPath([Ljava/nio/file/LinkOption;)${PATH}`]: (machine, self) =>
        pathObject(machine, virtualFiles(machine).normalize(pathText(machine, self)), self.taint),
      'toUri()Ljava/net/URI;': (machine, self) =>
        machine.callStatic(
          'Ljava/net/URI;',
          `create(${S})Ljava/net/URI;`,
          machine.string(`file://${encodeURI(pathText(machine, self))}`, self.taint),
        ),
      'iterator()Ljava/util/Iterator;': (machine, self) => {
        const parts = namesOf(pathText(machine, self)).map((name) => pathObject(machine, name, self.taint));
        return machine.call(newList(machine, parts), 'iterator()Ljava/util/Iterator;');
      },
      ...Object.fromEntries(
        [PATH, 'Ljava/lang/Object;'].map((type): [string, NativeMethod] => [
          `compareTo(${type})I`,
          (machine, self, other: Reference) => compareText(pathText(machine, self), pathText(machine, other)),
        ]),
      ),
      'hashCode()I': (machine, self) => stringHash(pathText(machine, self)),
      'equals(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
        other?.cls === self.cls && pathText(machine, other) === pathText(machine, self),
    },
  },
  'Ljava/nio/file/Paths;': { staticMethods: { [`get(${S}![${S})${PATH}`]: join } },
};
