// Which functions of native libraries implement methods of a class: exported by its name, or registered. Knows no instruction.
import type { Exploration } from '../../../contract/engine/exploration.ts';
import { maxFunctions, type NativeMethods } from '../../../contract/engine/native-code.ts';
import { Findings } from '../../findings.ts';
import { FormatError } from '../../formats/byte-reader.ts';
import { ElfFile } from '../../formats/elf/elf-file.ts';
import { decodeJniName } from '../../formats/elf/jni-name.ts';
import { readProgramSymbols, symbolType } from '../../formats/elf/program-symbols.ts';
import { registeredMethods } from '../../formats/elf/registered-methods.ts';
import type { OpenedApp } from '../opened-app.ts';
import { classesOfTable } from './registered-classes.ts';

/** Real apps have up to some hundred, for four processors. */
const maxLibraries = 400;
/** Methods of all libraries that are kept. */
const maxKept = 100_000;

type Method = NativeMethods['results'][number];

interface Bound {
  /** By class. */
  methods: Map<string, Method[]>;
  libraries: number;
  registering: string[];
  isCut: boolean;
}

const known = new WeakMap<OpenedApp, Bound>();

/** Everything that libraries of the app bind by name or by tables, read once. */
function boundIn(app: OpenedApp): Bound {
  const bound: Bound = { methods: new Map(), libraries: 0, registering: [], isCut: false };
  let kept = 0;
  const add = (owner: string, method: Method) => {
    if (kept >= maxKept) return;
    kept += 1;
    const list = bound.methods.get(owner) ?? [];
    bound.methods.set(owner, list);
    list.push(method);
  };
  for (const entry of app.archive.entries) {
    if (!/^lib\/[^/]+\/[^/]+\.so$/.test(entry.name)) continue;
    if (bound.libraries >= maxLibraries || kept >= maxKept) {
      bound.isCut = true;
      break;
    }
    try {
      const bytes = app.archive.read(entry);
      const file = new ElfFile(bytes, entry.name, new Findings());
      const { dynamic, relocations } = readProgramSymbols(file);
      bound.libraries += 1;
      for (const table of registeredMethods(file, relocations)) {
        const owners = classesOfTable(app, table, bytes);
        for (const [index, { name: method, descriptor, address: value }] of table.entries()) {
          const owner = owners[index] ?? null;
          if (owner === null) continue;
          const parameters = descriptor.slice(1, descriptor.indexOf(')'));
          const address = file.machine === 40 ? value - (value % 2) : value;
          add(owner, { method, parameters, path: entry.name, address, name: `${method}${descriptor}` });
        }
      }
      for (const { name, value, isDefined, type } of dynamic) {
        if (!isDefined || type !== symbolType.function) continue;
        if (name === 'JNI_OnLoad') bound.registering.push(entry.name);
        const java = decodeJniName(name);
        if (java === null) continue;
        const { method, parameters } = java;
        add(java.class, { method, parameters, path: entry.name, address: value, name });
      }
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
    }
  }
  return bound;
}

export function nativeMethodsOf(
  app: OpenedApp,
  { class: name }: Omit<Extract<Exploration, { ask: 'native-methods' }>, 'ask'>,
): NativeMethods {
  const bound = known.get(app) ?? boundIn(app);
  known.set(app, bound);
  const results = bound.methods.get(name) ?? [];
  return {
    results: results.slice(0, maxFunctions),
    libraries: bound.libraries,
    registering: bound.registering,
    is_cut: bound.isCut || results.length > maxFunctions,
  };
}
