// Class loaders: the app's own, and those that bring further dex at run time. Knows no files but by the phone's.
import { memorySource } from '../../../../vault/byte-source.ts';
import { Findings } from '../../../findings.ts';
import { FormatError } from '../../../formats/byte-reader.ts';
import type { Dex } from '../../../formats/dex/dex.ts';
import { isDexAt } from '../../../formats/dex/header.ts';
import { openZip } from '../../../formats/zip/archive.ts';
import { type HeapObject, type JavaArray, JavaString, type JavaThrow, type Value } from '../heap.ts';
import { descriptorOf, type LinkedClass } from '../linked-class.ts';
import type { VirtualMachine } from '../machine.ts';
import type { Machine, ModelClass, Models } from '../model.ts';
import { runtimeOf } from '../runtime.ts';
import { virtualFiles } from '../virtual-files.ts';

type Reference = HeapObject | null;

const pathLoader = 'Ldalvik/system/PathClassLoader;';
const loaderClass = 'Ljava/lang/ClassLoader;';
const dexFileClass = 'Ldalvik/system/DexFile;';
const pathListClass = 'Ldalvik/system/DexPathList;';
const elementClass = 'Ldalvik/system/DexPathList$Element;';
const entriesClass = 'Ldalvik/system/DexFile$Entries;';

interface LoaderState {
  readonly parent: Reference;
  readonly path: string;
}

/** Dex files that one archive may bring. */
const maxDexFiles = 100;

function singleton(machine: Machine, key: string, descriptor: string, path: string, parent: () => Reference) {
  return machine.state(key, () => {
    const object = machine.allocate(descriptor);
    const state = { parent: parent(), path } satisfies LoaderState;
    object.native = state;
    machine.setField(object, 'parent', state.parent);
    if (path !== '') listPaths(machine, object, []);
    return object;
  });
}

function bootLoader(machine: Machine): HeapObject {
  return singleton(machine, 'core.bootLoader', 'Ljava/lang/BootClassLoader;', '', () => null);
}

/** The loader of the app's own classes. */
function systemLoader(machine: Machine): HeapObject {
  return singleton(machine, 'core.systemLoader', pathLoader, 'base.apk', () => bootLoader(machine));
}

export function loaderOf(machine: Machine, cls: LinkedClass): Reference {
  let element = cls;
  while (element.component !== null) element = element.component;
  if (element.isPrimitive) return null;
  if (!element.isApp) return bootLoader(machine);
  return element.loader ?? systemLoader(machine);
}

function notFound(machine: Machine, name: string): JavaThrow {
  return machine.exception(
    'Ljava/lang/ClassNotFoundException;',
    `Didn't find class "${name}" on path: DexPathList[[zip file "/data/app/base.apk"]]`,
  );
}

/** The class of a name that an app or a model defines. Platform classes that nothing models are not there. */
function defined(machine: Machine, name: string): LinkedClass | null {
  if (name.includes('/')) return null;
  const descriptor = descriptorOf(name);
  const cls = runtimeOf(machine).linker.findDefined(descriptor);
  if (cls === null && runtimeOf(machine).linker.isPlatform(descriptor)) machine.unmodelled(`${descriptor} by name`);
  return cls;
}

/** `Class.forName`. @throws JavaThrow ClassNotFoundException */
export function loadThrough(
  machine: Machine,
  loader: Reference,
  name: string,
  isInitialised: boolean,
): Value | undefined {
  const vm = runtimeOf(machine);
  const finish = (classObject: Reference): Value => {
    if (classObject === null) throw notFound(machine, name);
    if (isInitialised) vm.initialise(classObject.native as LinkedClass);
    return classObject;
  };
  if (loader?.cls.isApp) {
    const method = machine.resolveMethod(loader.cls, 'loadClass(Ljava/lang/String;)Ljava/lang/Class;');
    if (method !== null)
      return machine.callThen(method, [loader, machine.string(name)], (value) => finish(value as Reference));
  }
  const cls = defined(machine, name);
  if (cls === null) throw notFound(machine, name);
  return finish(vm.classObject(cls));
}

function textOf(machine: Machine, value: Reference, what: string): string {
  if (value instanceof JavaString) return value.text;
  throw machine.exception('Ljava/lang/NullPointerException;', what);
}

/** Dex files in a file's bytes: a dex itself, or an archive's `classes.dex`, `classes2.dex`, … */
function dexParts(bytes: Uint8Array, path: string): { bytes: Uint8Array; where: string }[] {
  if (isDexAt(bytes)) return [{ bytes, where: path }];
  const archive = openZip(memorySource(bytes), new Findings());
  const parts: { bytes: Uint8Array; where: string }[] = [];
  for (let number = 1; number <= maxDexFiles; number++) {
    const name = number === 1 ? 'classes.dex' : `classes${number}.dex`;
    const entry = archive.get(name);
    if (entry === undefined) break;
    parts.push({ bytes: archive.read(entry), where: `${path}!${name}` });
  }
  return parts;
}

/** Brings the dex files at a list of paths into the program. Paths where there is nothing are passed over, as on a device. */
function loadPaths(machine: Machine, paths: string, loader: Reference): Dex[] {
  const files = virtualFiles(machine);
  const loaded: Dex[] = [];
  for (const path of paths.split(':')) {
    const node = path === '' ? null : files.find(path);
    if (node === null || node.isDirectory) continue;
    loaded.push(...loadBytes(machine, node.bytes, path, loader));
  }
  return loaded;
}

function loadBytes(machine: Machine, bytes: Uint8Array, path: string, loader: Reference): Dex[] {
  const loaded: Dex[] = [];
  try {
    for (const part of dexParts(bytes, path)) {
      // A copy: the program may change the array afterwards.
      loaded.push(...(machine as VirtualMachine).loadDexFor(part.bytes.slice(), part.where, loader));
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    machine.unmodelled(`no dex in ${path}: ${error.message}`);
  }
  return loaded;
}

/** Fills a loader that `new-instance` made. */
function initialise(machine: Machine, self: HeapObject, parent: Reference, path: string): undefined {
  self.native = { parent, path } satisfies LoaderState;
  machine.setField(self, 'parent', parent);
  const dexFiles = path === '' ? [] : loadPaths(machine, path, self);
  listPaths(machine, self, dexFiles.length === 0 ? [] : [elementOf(machine, path, dexFiles)]);
}

/** What apps that bring further dex reach by reflection to add it to a loader: it only has to be there. */
function listPaths(machine: Machine, loader: HeapObject, elements: readonly HeapObject[]): void {
  const list = machine.allocate(pathListClass);
  machine.setField(list, 'dexElements', machine.objectArray(elementClass, elements));
  machine.setField(list, 'definingContext', loader);
  for (const name of ['nativeLibraryDirectories', 'systemNativeLibraryDirectories'])
    machine.setField(list, name, machine.construct('Ljava/util/ArrayList;', '<init>()V'));
  machine.setField(loader, 'pathList', list);
}

function elementOf(machine: Machine, path: string, dexFiles: readonly Dex[]): HeapObject {
  const element = machine.allocate(elementClass);
  const file = machine.allocate(dexFileClass);
  file.native = { path, dexFiles } satisfies DexFileState;
  machine.setField(element, 'dexFile', file);
  const [first = path] = path.split(':');
  machine.setField(
    element,
    'path',
    machine.construct('Ljava/io/File;', '<init>(Ljava/lang/String;)V', machine.string(first)),
  );
  return element;
}

/** `DexPathList.makeDexElements` and its like: the elements of a list of files. */
function makeElements(machine: Machine, files: HeapObject): JavaArray {
  const array = machine.call(files, 'toArray()[Ljava/lang/Object;') as JavaArray;
  const elements = (array.elements as Reference[]).flatMap((file) => {
    if (file === null) return [];
    const path = textOf(machine, machine.call(file, 'getPath()Ljava/lang/String;') as Reference, 'file == null');
    return [elementOf(machine, path, loadPaths(machine, path, null))];
  });
  return machine.objectArray(elementClass, elements);
}

/** Bytes between a buffer's position and its limit, whatever model it is of. */
function bufferBytes(machine: Machine, buffer: HeapObject): Uint8Array {
  const copy = machine.call(buffer, 'duplicate()Ljava/nio/ByteBuffer;') as HeapObject;
  const length = machine.call(copy, 'remaining()I') as number;
  const array = machine.array('B', length);
  machine.call(copy, 'get([B)Ljava/nio/ByteBuffer;', array);
  const elements = array.elements as Int8Array;
  return new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);
}

function initialiseFromMemory(machine: Machine, self: HeapObject, buffers: readonly Reference[], parent: Reference) {
  self.native = { parent, path: 'InMemoryDexFile' } satisfies LoaderState;
  machine.setField(self, 'parent', parent);
  listPaths(machine, self, []);
  for (const buffer of buffers) {
    if (buffer === null) throw machine.exception('Ljava/lang/NullPointerException;', 'a null dex buffer');
    loadBytes(machine, bufferBytes(machine, buffer), 'in memory', self);
  }
  return undefined;
}

const stateOf = (self: HeapObject): LoaderState =>
  (self.native as LoaderState | undefined) ?? { parent: null, path: '' };

/** Parents first, then the loader's own `findClass`, which an app may have written. */
function loadClass(machine: Machine, self: HeapObject, name: Reference): Value | undefined {
  const text = textOf(machine, name, 'name == null');
  const vm = runtimeOf(machine);
  // An app may have put another loader above this one by reflection.
  const parent = machine.getField(self, 'parent') as Reference;
  if (parent !== self && parent?.cls.isApp) {
    const method = machine.resolveMethod(parent.cls, 'loadClass(Ljava/lang/String;)Ljava/lang/Class;')!;
    return machine.callThen(method, [parent, name], undefined, () => findThrough(machine, self, text));
  }
  const cls = defined(machine, text);
  return cls === null ? findThrough(machine, self, text) : vm.classObject(cls);
}

function findThrough(machine: Machine, self: HeapObject, name: string): Value | undefined {
  const method = machine.resolveMethod(self.cls, 'findClass(Ljava/lang/String;)Ljava/lang/Class;');
  if (method === null || method.native !== null) throw notFound(machine, name);
  return machine.callThen(method, [self, machine.string(name)]);
}

function findClass(machine: Machine, _self: HeapObject, name: Reference): Value {
  const text = textOf(machine, name, 'name == null');
  const cls = defined(machine, text);
  if (cls === null) throw notFound(machine, text);
  return runtimeOf(machine).classObject(cls);
}

const loaderModel: ModelClass = {
  isAbstract: true,
  fields: ['parent:Ljava/lang/ClassLoader;'],
  methods: {
    '<init>()V': (machine, self) => initialise(machine, self, systemLoader(machine), ''),
    '<init>(Ljava/lang/ClassLoader;)V': (machine, self, parent: Reference) => initialise(machine, self, parent, ''),
    'loadClass(Ljava/lang/String;)Ljava/lang/Class;': loadClass,
    'loadClass(Ljava/lang/String;Z)Ljava/lang/Class;': loadClass,
    'findClass(Ljava/lang/String;)Ljava/lang/Class;': findClass,
    'findLoadedClass(Ljava/lang/String;)Ljava/lang/Class;': (machine, _self, name: Reference) => {
      const cls = defined(machine, textOf(machine, name, 'name == null'));
      return cls === null || !cls.isApp ? null : machine.classObject(cls);
    },
    'getParent()Ljava/lang/ClassLoader;': (machine, self) => machine.getField(self, 'parent'),
    'clearAssertionStatus()V': () => undefined,
    'defineClass(Ljava/lang/String;[BII)Ljava/lang/Class;': (machine) => {
      throw machine.exception('Ljava/lang/UnsupportedOperationException;', "can't load this type of class file");
    },
    'toString()Ljava/lang/String;': (machine, self) =>
      machine.string(`${self.cls.name}[DexPathList[[zip file "${stateOf(self).path}"]]]`),
  },
  staticMethods: {
    'getSystemClassLoader()Ljava/lang/ClassLoader;': systemLoader,
  },
};

const dexLoader = (parentClass: string): ModelClass => ({
  extends: parentClass,
  methods: {
    '<init>(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/ClassLoader;)V': (
      machine,
      self,
      path: Reference,
      _optimized: Reference,
      _libraries: Reference,
      parent: Reference,
    ) => initialise(machine, self, parent, textOf(machine, path, 'dexPath == null')),
    '<init>(Ljava/lang/String;Ljava/lang/ClassLoader;)V': (machine, self, path: Reference, parent: Reference) =>
      initialise(machine, self, parent, textOf(machine, path, 'dexPath == null')),
    '<init>(Ljava/lang/String;Ljava/lang/String;Ljava/lang/ClassLoader;)V': (
      machine,
      self,
      path: Reference,
      _libraries: Reference,
      parent: Reference,
    ) => initialise(machine, self, parent, textOf(machine, path, 'dexPath == null')),
  },
});

interface DexFileState {
  readonly path: string;
  readonly dexFiles: readonly Dex[];
}

/** @throws JavaThrow IOException where there is no dex */
function openDexFile(machine: Machine, self: HeapObject, path: string): HeapObject {
  const dexFiles = loadPaths(machine, path, null);
  if (dexFiles.length === 0)
    throw machine.exception('Ljava/io/IOException;', `No original dex files found for dex location ${path}`);
  self.native = { path, dexFiles } satisfies DexFileState;
  return self;
}

const dexState = (self: HeapObject) => self.native as DexFileState;

const dexFileModel: ModelClass = {
  methods: {
    '<init>(Ljava/lang/String;)V': (machine, self, path: Reference) =>
      openDexFile(machine, self, textOf(machine, path, 'fileName == null')),
    '<init>(!Ljava/io/File;)V': (machine, self, file: HeapObject) => {
      const path = machine.call(file, 'getPath()Ljava/lang/String;') as Reference;
      openDexFile(machine, self, textOf(machine, path, 'file == null'));
    },
    'loadClass(Ljava/lang/String;Ljava/lang/ClassLoader;)Ljava/lang/Class;': (machine, _self, name: Reference) => {
      const cls = defined(machine, textOf(machine, name, 'name == null').replaceAll('/', '.'));
      return cls === null ? null : machine.classObject(cls);
    },
    'entries()Ljava/util/Enumeration;': (machine, self) => {
      const entries = machine.allocate(entriesClass);
      entries.native = dexState(self).dexFiles.flatMap((dex) =>
        Array.from({ length: dex.classCount }, (_, index) => dex.className(index).slice(1, -1).replaceAll('/', '.')),
      );
      return entries;
    },
    'getName()Ljava/lang/String;': (machine, self) => machine.string(dexState(self).path),
    'close()V': () => undefined,
  },
  staticMethods: {
    'loadDex(Ljava/lang/String;Ljava/lang/String;I)Ldalvik/system/DexFile;': (machine, path: Reference) =>
      openDexFile(machine, machine.allocate(dexFileClass), textOf(machine, path, 'sourceName == null')),
    'isDexOptNeeded(Ljava/lang/String;)Z': () => 0,
  },
};

export const classLoaderModels: Models = {
  [loaderClass]: loaderModel,
  'Ljava/lang/BootClassLoader;': { extends: loaderClass },
  'Ljava/security/SecureClassLoader;': { extends: loaderClass, methods: loaderConstructors() },
  'Ldalvik/system/BaseDexClassLoader;': {
    ...dexLoader(loaderClass),
    fields: [`pathList:${pathListClass}`],
    methods: {
      ...dexLoader(loaderClass).methods,
      '<init>(Ljava/lang/String;Ljava/io/File;Ljava/lang/String;Ljava/lang/ClassLoader;)V': (
        machine,
        self,
        path: Reference,
        _optimized: Reference,
        _libraries: Reference,
        parent: Reference,
      ) => initialise(machine, self, parent, textOf(machine, path, 'dexPath == null')),
      'findLibrary(Ljava/lang/String;)Ljava/lang/String;': () => null,
      'addDexPath(Ljava/lang/String;)V': (machine, self, path: Reference) => {
        loadPaths(machine, textOf(machine, path, 'dexPath == null'), self);
      },
    },
  },
  [pathLoader]: dexLoader('Ldalvik/system/BaseDexClassLoader;'),
  'Ldalvik/system/DexClassLoader;': dexLoader('Ldalvik/system/BaseDexClassLoader;'),
  'Ldalvik/system/DelegateLastClassLoader;': dexLoader(pathLoader),
  'Ldalvik/system/InMemoryDexClassLoader;': {
    extends: 'Ldalvik/system/BaseDexClassLoader;',
    methods: {
      '<init>(Ljava/nio/ByteBuffer;Ljava/lang/ClassLoader;)V': (machine, self, buffer: Reference, parent: Reference) =>
        initialiseFromMemory(machine, self, [buffer], parent),
      '<init>(![Ljava/nio/ByteBuffer;Ljava/lang/ClassLoader;)V': (
        machine,
        self,
        buffers: JavaArray,
        parent: Reference,
      ) => initialiseFromMemory(machine, self, buffers.elements as Reference[], parent),
      '<init>(![Ljava/nio/ByteBuffer;Ljava/lang/String;Ljava/lang/ClassLoader;)V': (
        machine,
        self,
        buffers: JavaArray,
        _libraries: Reference,
        parent: Reference,
      ) => initialiseFromMemory(machine, self, buffers.elements as Reference[], parent),
    },
  },
  [pathListClass]: {
    fields: [
      `dexElements:[${elementClass}`,
      'nativeLibraryDirectories:Ljava/util/List;',
      'systemNativeLibraryDirectories:Ljava/util/List;',
      'definingContext:Ljava/lang/ClassLoader;',
    ],
    staticMethods: Object.fromEntries(
      [
        'makeDexElements(Ljava/util/List;Ljava/io/File;Ljava/util/List;Ljava/lang/ClassLoader;)',
        'makeDexElements(Ljava/util/ArrayList;Ljava/io/File;Ljava/util/ArrayList;)',
        'makePathElements(Ljava/util/List;Ljava/io/File;Ljava/util/List;)',
        'makePathElements(Ljava/util/List;Ljava/io/File;Ljava/util/List;Ljava/lang/ClassLoader;)',
      ].map((signature) => [`${signature}[${elementClass}`, makeElements]),
    ),
  },
  [elementClass]: { fields: [`dexFile:${dexFileClass}`, 'path:Ljava/io/File;'] },
  [dexFileClass]: dexFileModel,
  [entriesClass]: {
    implements: ['Ljava/util/Enumeration;'],
    methods: {
      'hasMoreElements()Z': (_machine, self) => ((self.native as string[]).length > 0 ? 1 : 0),
      'nextElement()Ljava/lang/Object;': (machine, self) => {
        const name = (self.native as string[]).shift();
        if (name === undefined) throw machine.exception('Ljava/util/NoSuchElementException;');
        return machine.string(name);
      },
    },
  },
};

function loaderConstructors() {
  return {
    '<init>()V': loaderModel.methods!['<init>()V']!,
    '<init>(Ljava/lang/ClassLoader;)V': loaderModel.methods!['<init>(Ljava/lang/ClassLoader;)V']!,
  };
}
