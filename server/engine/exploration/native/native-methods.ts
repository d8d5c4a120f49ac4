// Which exported functions of native libraries implement methods of a class. Knows no instruction.
import type { Exploration } from '../../../contract/engine/exploration.ts';
import { maxFunctions, type NativeMethods } from '../../../contract/engine/native-code.ts';
import { Findings } from '../../findings.ts';
import { FormatError } from '../../formats/byte-reader.ts';
import { ElfFile } from '../../formats/elf/elf-file.ts';
import { decodeJniName } from '../../formats/elf/jni-name.ts';
import { readProgramSymbols, symbolType } from '../../formats/elf/program-symbols.ts';
import type { OpenedApp } from '../opened-app.ts';

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

/** Everything that libraries of the app bind by name, read once. */
function boundIn(app: OpenedApp): Bound {
  const bound: Bound = { methods: new Map(), libraries: 0, registering: [], isCut: false };
  let kept = 0;
  for (const entry of app.archive.entries) {
    if (!/^lib\/[^/]+\/[^/]+\.so$/.test(entry.name)) continue;
    if (bound.libraries >= maxLibraries || kept >= maxKept) {
      bound.isCut = true;
      break;
    }
    try {
      const { dynamic } = readProgramSymbols(new ElfFile(app.archive.read(entry), entry.name, new Findings()));
      bound.libraries += 1;
      for (const { name, value, isDefined, type } of dynamic) {
        if (!isDefined || type !== symbolType.function) continue;
        if (name === 'JNI_OnLoad') bound.registering.push(entry.name);
        const java = decodeJniName(name);
        if (java === null || kept >= maxKept) continue;
        kept += 1;
        const list = bound.methods.get(java.class) ?? [];
        bound.methods.set(java.class, list);
        const { method, parameters } = java;
        list.push({ method, parameters, path: entry.name, address: value, name });
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
