// java.nio.file.Path and Paths. Knows no files but how the virtual file system writes their paths.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { stringHash } from '../lang/number-text.ts';
import { flag, instance, objectTaint, type Reference, referencesOf, required, textOf } from '../values.ts';
import { virtualFiles } from '../virtual-files.ts';

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

export const fileOfPath = (machine: Machine, path: Reference): HeapObject =>
  machine.construct('Ljava/io/File;', `<init>(${S})V`, machine.string(pathText(machine, path), path!.taint));

export const pathModels: Record<string, ModelClass> = {
  [PATH]: {
    isInterface: true,
    implements: ['Ljava/lang/Comparable;', 'Ljava/lang/Iterable;'],
    staticMethods: { [`of(${S}[${S})${PATH}`]: join },
  },
  [UNIX]: {
    implements: [PATH],
    methods: {
      [`toString()${S}`]: (machine, self: HeapObject) => machine.string(pathText(machine, self), self.taint),
      'toFile()Ljava/io/File;': fileOfPath,
      [`getFileName()${PATH}`]: (machine, self: HeapObject) =>
        pathObject(machine, pathText(machine, self).slice(pathText(machine, self).lastIndexOf('/') + 1), self.taint),
      [`getParent()${PATH}`]: (machine, self: HeapObject) => {
        const parent = parentOf(pathText(machine, self));
        return parent === null ? null : pathObject(machine, parent, self.taint);
      },
      [`resolve(${S})${PATH}`]: (machine, self: HeapObject, other: Reference) => {
        const text = textOf(machine, other);
        const taint = machine.union(self.taint, objectTaint(machine, other));
        return pathObject(machine, text.startsWith('/') ? text : `${pathText(machine, self)}/${text}`, taint);
      },
      [`resolve(${PATH})${PATH}`]: (machine, self: HeapObject, other: HeapObject) =>
        pathObject(
          machine,
          pathText(machine, other).startsWith('/')
            ? pathText(machine, other)
            : `${pathText(machine, self)}/${pathText(machine, other)}`,
        ),
      [`toAbsolutePath()${PATH}`]: (machine, self: HeapObject) =>
        pathObject(
          machine,
          pathText(machine, self).startsWith('/') ? pathText(machine, self) : `/${pathText(machine, self)}`,
          self.taint,
        ),
      [`normalize()${PATH}`]: (machine, self: HeapObject) =>
        pathObject(machine, virtualFiles(machine).normalize(pathText(machine, self)), self.taint),
      'hashCode()I': (machine, self: HeapObject) => stringHash(pathText(machine, self)),
      'equals(Ljava/lang/Object;)Z': (machine, self: HeapObject, other: Reference) =>
        flag(other?.cls === self.cls && pathText(machine, other) === pathText(machine, self)),
    },
  },
  'Ljava/nio/file/Paths;': { staticMethods: { [`get(${S}[${S})${PATH}`]: join } },
};
