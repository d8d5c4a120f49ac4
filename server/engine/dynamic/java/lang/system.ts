// java.lang.System and Runtime. Knows the world only by its hooks.
import { type HeapObject, JavaArray, type JavaString } from '../../machine/heap.ts';
import { identityHash } from '../../machine/identity-hash.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { javaHooks } from '../hooks.ts';
import {
  copyElementTaints,
  illegalArgument,
  instance,
  nullPointer,
  type Reference,
  referencesOf,
  required,
  textOf,
} from '../values.ts';
import { startProcess } from './process.ts';

/** System.arraycopy, with the elements' taints. */
export function copyArray(
  machine: Machine,
  source: Reference,
  sourceStart: number,
  target: Reference,
  targetStart: number,
  length: number,
): undefined {
  if (source === null || target === null) throw nullPointer(machine);
  if (!(source instanceof JavaArray) || !(target instanceof JavaArray)) {
    throw machine.exception('Ljava/lang/ArrayStoreException;', 'source and destination must be arrays');
  }
  const from = source.elements;
  const to = target.elements;
  if (
    sourceStart < 0 ||
    targetStart < 0 ||
    length < 0 ||
    sourceStart + length > from.length ||
    targetStart + length > to.length
  ) {
    throw machine.exception(
      'Ljava/lang/ArrayIndexOutOfBoundsException;',
      `src.length=${from.length} srcPos=${sourceStart} dst.length=${to.length} dstPos=${targetStart} length=${length}`,
    );
  }
  if (Array.isArray(from) || Array.isArray(to)) {
    if (!Array.isArray(from) || !Array.isArray(to)) {
      throw machine.exception('Ljava/lang/ArrayStoreException;', 'incompatible array types');
    }
    copyReferences(machine, source, from, sourceStart, target, to, targetStart, length);
    return;
  }
  if (source.cls !== target.cls) throw machine.exception('Ljava/lang/ArrayStoreException;', 'incompatible array types');
  (to as Int32Array).set((from as Int32Array).subarray(sourceStart, sourceStart + length), targetStart);
  if (source.elementTaints !== null || target.elementTaints !== null || source.taint !== 0) {
    copyElementTaints(machine, source, sourceStart, target, targetStart, length);
  }
}

function copyReferences(
  machine: Machine,
  source: JavaArray,
  from: Reference[],
  sourceStart: number,
  target: JavaArray,
  to: Reference[],
  targetStart: number,
  length: number,
): void {
  const component = target.cls.component;
  const isChecked = source.cls !== target.cls && component !== null && component.descriptor !== 'Ljava/lang/Object;';
  const moved = from.slice(sourceStart, sourceStart + length);
  for (let index = 0; index < length; index++) {
    const element = moved[index] ?? null;
    if (isChecked && element !== null && !machine.isSubclass(element.cls, component)) {
      throw machine.exception('Ljava/lang/ArrayStoreException;', `${element.cls.name} cannot be stored`);
    }
    to[targetStart + index] = element;
  }
}

/** System properties of the run, the world's and what the app set. */
function systemProperties(machine: Machine): Map<string, JavaString> {
  return machine.state('java.properties', () => {
    const properties = new Map<string, JavaString>();
    for (const [name, value] of Object.entries(javaHooks(machine).properties)) {
      properties.set(name, machine.string(value));
    }
    return properties;
  });
}

function exit(machine: Machine, status: number): undefined {
  javaHooks(machine).exit(machine, status);
}

function propertyKey(machine: Machine, name: Reference): string {
  const key = textOf(machine, name);
  if (key === '') throw illegalArgument(machine, "key can't be empty");
  return key;
}

function load(machine: Machine, name: Reference, isPath: boolean): undefined {
  const library = textOf(machine, name);
  if (!javaHooks(machine).loadLibrary(machine, library, isPath)) {
    throw machine.exception(
      'Ljava/lang/UnsatisfiedLinkError;',
      isPath ? `dlopen failed: library "${library}" not found` : `couldn't find "lib${library}.so"`,
    );
  }
}

function printStream(machine: Machine, tag: string): HeapObject {
  return instance(machine, 'Ljava/io/PrintStream;', { log: tag, line: '', taint: 0 });
}

const texts = (machine: Machine, array: Reference): string[] | null =>
  array === null ? null : referencesOf(array as JavaArray).map((entry) => textOf(machine, entry));

function exec(machine: Machine, command: string[], environment: Reference, directory: Reference, taint: number) {
  const variables: Record<string, string> = { ...javaHooks(machine).environment };
  for (const entry of texts(machine, environment) ?? []) {
    const equals = entry.indexOf('=');
    if (equals > 0) variables[entry.slice(0, equals)] = entry.slice(equals + 1);
  }
  const place = directory === null ? null : machine.toText(directory).text;
  return startProcess(machine, { command, environment: variables, directory: place, taint });
}

function split(machine: Machine, command: Reference): string[] {
  const words = textOf(machine, command)
    .split(/[ \t\n\r\f]+/)
    .filter((word) => word !== '');
  if (words.length === 0) throw illegalArgument(machine, 'Empty command');
  return words;
}

const memory = (machine: Machine): { total: number; free: number } => {
  const total = Math.floor(javaHooks(machine).maxMemory / 4);
  return { total, free: Math.floor(total / 3) };
};

export const systemModels: Record<string, ModelClass> = {
  'Ljava/lang/System;': {
    staticMethods: {
      'currentTimeMillis()J': (machine) => BigInt(Math.floor(machine.clock.wall)),
      'nanoTime()J': (machine) => BigInt(Math.floor((machine.clock.elapsed + 86_400_000) * 1e6)),
      'arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V': copyArray,
      'identityHashCode(Ljava/lang/Object;)I': (machine, object: Reference) =>
        object === null ? 0 : identityHash(machine, object),
      'exit(I)V': exit,
      'gc()V': () => undefined,
      'runFinalization()V': () => undefined,
      'load(Ljava/lang/String;)V': (machine, name: Reference) => load(machine, name, true),
      'loadLibrary(Ljava/lang/String;)V': (machine, name: Reference) => load(machine, name, false),
      'mapLibraryName(Ljava/lang/String;)Ljava/lang/String;': (machine, name: Reference) =>
        machine.string(`lib${textOf(machine, name)}.so`),
      'getProperty(Ljava/lang/String;)Ljava/lang/String;': (machine, name: Reference) =>
        systemProperties(machine).get(propertyKey(machine, name)) ?? null,
      'getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;': (
        machine,
        name: Reference,
        otherwise: Reference,
      ) => systemProperties(machine).get(propertyKey(machine, name)) ?? otherwise,
      'setProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;': (
        machine,
        name: Reference,
        value: JavaString,
      ) => {
        const key = propertyKey(machine, name);
        const before = systemProperties(machine).get(key) ?? null;
        systemProperties(machine).set(key, required(machine, value));
        return before;
      },
      'clearProperty(Ljava/lang/String;)Ljava/lang/String;': (machine, name: Reference) => {
        const key = propertyKey(machine, name);
        const before = systemProperties(machine).get(key) ?? null;
        systemProperties(machine).delete(key);
        return before;
      },
      'getProperties()Ljava/util/Properties;': (machine) => {
        const properties = machine.construct('Ljava/util/Properties;', '<init>()V');
        for (const [name, value] of systemProperties(machine)) {
          machine.call(
            properties,
            'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;',
            machine.string(name),
            value,
          );
        }
        return properties;
      },
      'getenv(Ljava/lang/String;)Ljava/lang/String;': (machine, name: Reference) => {
        const value = javaHooks(machine).environment[textOf(machine, name)];
        return value === undefined ? null : machine.string(value);
      },
      'getenv()Ljava/util/Map;': (machine) => {
        const map = machine.construct('Ljava/util/HashMap;', '<init>()V');
        for (const [name, value] of Object.entries(javaHooks(machine).environment)) {
          machine.call(
            map,
            'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;',
            machine.string(name),
            machine.string(value),
          );
        }
        return map;
      },
      'lineSeparator()Ljava/lang/String;': (machine) => machine.string('\n'),
      'getSecurityManager()Ljava/lang/SecurityManager;': () => null,
      'setSecurityManager(Ljava/lang/SecurityManager;)V': () => undefined,
      'setOut(Ljava/io/PrintStream;)V': (machine, stream: Reference) =>
        machine.setStatic('Ljava/lang/System;', 'out', stream),
      'setErr(Ljava/io/PrintStream;)V': (machine, stream: Reference) =>
        machine.setStatic('Ljava/lang/System;', 'err', stream),
      'setIn(Ljava/io/InputStream;)V': (machine, stream: Reference) =>
        machine.setStatic('Ljava/lang/System;', 'in', stream),
    },
    constants: {
      'out:Ljava/io/PrintStream;': (machine) => printStream(machine, 'System.out'),
      'err:Ljava/io/PrintStream;': (machine) => printStream(machine, 'System.err'),
      'in:Ljava/io/InputStream;': (machine) =>
        machine.construct('Ljava/io/ByteArrayInputStream;', '<init>([B)V', machine.array('B', 0)),
    },
  },
  'Ljava/lang/Runtime;': {
    staticMethods: {
      'getRuntime()Ljava/lang/Runtime;': (machine) =>
        machine.state('java.runtime', () => machine.allocate('Ljava/lang/Runtime;')),
    },
    methods: {
      'availableProcessors()I': (machine) => javaHooks(machine).processors,
      'maxMemory()J': (machine) => BigInt(javaHooks(machine).maxMemory),
      'totalMemory()J': (machine) => BigInt(memory(machine).total),
      'freeMemory()J': (machine) => BigInt(memory(machine).free),
      'gc()V': () => undefined,
      'runFinalization()V': () => undefined,
      'exit(I)V': (machine, _self, status: number) => exit(machine, status),
      'halt(I)V': (machine, _self, status: number) => exit(machine, status),
      'addShutdownHook(Ljava/lang/Thread;)V': () => undefined,
      'removeShutdownHook(Ljava/lang/Thread;)Z': () => 1,
      'load(Ljava/lang/String;)V': (machine, _self, name: Reference) => load(machine, name, true),
      'loadLibrary(Ljava/lang/String;)V': (machine, _self, name: Reference) => load(machine, name, false),
      'exec(Ljava/lang/String;)Ljava/lang/Process;': (machine, _self, command: Reference) =>
        exec(machine, split(machine, command), null, null, machine.deepTaint(command)),
      'exec(Ljava/lang/String;[Ljava/lang/String;)Ljava/lang/Process;': (machine, _self, command, environment) =>
        exec(machine, split(machine, command), environment, null, machine.deepTaint(command)),
      'exec(Ljava/lang/String;[Ljava/lang/String;Ljava/io/File;)Ljava/lang/Process;': (
        machine,
        _self,
        command: Reference,
        environment: Reference,
        directory: Reference,
      ) => exec(machine, split(machine, command), environment, directory, machine.deepTaint(command)),
      'exec([Ljava/lang/String;)Ljava/lang/Process;': (machine, _self, command: Reference) =>
        exec(machine, texts(machine, required(machine, command))!, null, null, machine.deepTaint(command)),
      'exec([Ljava/lang/String;[Ljava/lang/String;)Ljava/lang/Process;': (machine, _self, command, environment) =>
        exec(machine, texts(machine, required(machine, command))!, environment, null, machine.deepTaint(command)),
      'exec([Ljava/lang/String;[Ljava/lang/String;Ljava/io/File;)Ljava/lang/Process;': (
        machine,
        _self,
        command: Reference,
        environment: Reference,
        directory: Reference,
      ) =>
        exec(machine, texts(machine, required(machine, command))!, environment, directory, machine.deepTaint(command)),
    },
  },
};
