// Functions of an APK's native libraries, and their code page by page. Knows how neither ELF files nor instructions are read.
import type { Exploration } from '../../../contract/engine/exploration.ts';
import type {
  InstructionSet,
  NativeCode,
  NativeFunction,
  NativeFunctions,
  NativeReference,
} from '../../../contract/engine/native-code.ts';
import { tag } from '../../formats/elf/dynamic-section.ts';
import type { ProgramSymbol } from '../../formats/elf/program-symbols.ts';
import { registeredMethods } from '../../formats/elf/registered-methods.ts';
import { ExplorationFault } from '../fault.ts';
import { type OpenedApp, readable } from '../opened-app.ts';
import { Disassembler, dataAt, type Instruction } from './disassembler.ts';
import { OpenedLibrary } from './opened-library.ts';
import type { Registers, Told } from './operands.ts';
import { toldBy } from './register-values.ts';
import { classesOfTable } from './registered-classes.ts';

/** Libraries of an app whose symbols are kept. */
const maxLibraries = 3;
/** Instructions that are looked through for calls of functions that nothing else names: some half a second. */
const maxSwept = 60_000;
/** Bytes from the start of a function on that are looked at for what registers hold further down. */
const maxLead = 32 * 1024;
/** The longest stub by which other libraries are called. */
const maxStub = 6;

interface Library {
  opened: OpenedLibrary;
  wasSwept: boolean;
  /** By address, what a stub leads to. */
  stubs: Map<number, ProgramSymbol | null>;
}

const libraries = new WeakMap<OpenedApp, Map<string, Library>>();

/** @throws ExplorationFault `not-found`, `unreadable` */
function libraryOf(app: OpenedApp, path: string): Library {
  const kept = libraries.get(app) ?? new Map<string, Library>();
  libraries.set(app, kept);
  const { bytes } = app.content({ path, nth: 0 });
  const library = kept.get(path) ?? {
    opened: openedLibrary(app, bytes, path),
    wasSwept: false,
    stubs: new Map<number, ProgramSymbol | null>(),
  };
  kept.delete(path);
  kept.set(path, library);
  if (kept.size > maxLibraries) kept.delete(kept.keys().next().value!);
  return library;
}

/** A library with the functions that it registers for classes of the app. */
function openedLibrary(app: OpenedApp, bytes: Uint8Array, path: string): OpenedLibrary {
  const opened = readable(() => new OpenedLibrary(bytes, path));
  for (const table of registeredMethods(opened.file, opened.symbols.relocations)) {
    const owners = classesOfTable(app, table, bytes);
    for (const [index, method] of table.entries()) opened.addRegistered(method, owners[index]!);
  }
  return opened;
}

/** Instructions between two addresses, data between them as words. */
function decoded(
  { opened }: Library,
  engine: Disassembler,
  { start, end, set }: { start: number; end: number; set: InstructionSet },
  count: number,
): Instruction[] {
  const instructions: Instruction[] = [];
  for (const stretch of opened.stretches(start, end)) {
    const bytes = opened.bytesAt(stretch.start, stretch.end);
    if (!stretch.isData) {
      const part = opened.setAt(stretch.start) ?? set;
      for (const one of engine.decode(bytes, stretch.start, part, count - instructions.length)) instructions.push(one);
    } else {
      for (let at = 0; at < bytes.length && instructions.length < count; at += 4) {
        instructions.push(dataAt(bytes.subarray(at, at + 4), stretch.start + at));
      }
    }
    if (instructions.length >= count) break;
  }
  return instructions;
}

/** Looks through known functions for calls of further ones, those of them too, up to a number of instructions. */
function sweep(library: Library, engine: Disassembler): void {
  if (library.wasSwept) return;
  library.wasSwept = true;
  const { opened } = library;
  let left = maxSwept;
  const seen = new Set(opened.functionAddresses);
  for (let round = [...seen]; round.length > 0; ) {
    const called = new Map<number, InstructionSet>();
    for (const start of round) {
      if (left <= 0) {
        opened.isCut = true;
        break;
      }
      const set = opened.setAt(start);
      const found = opened.functionAt(start);
      if (found === null || set === null) continue;
      const instructions = decoded(library, engine, { start, end: start + found.size, set }, left);
      left -= instructions.length;
      for (const [at, told] of toldBy(instructions, opened, set).entries()) {
        if (told?.kind !== 'call' || seen.has(told.address) || asksWhereItIs(instructions[at]!, told)) continue;
        seen.add(told.address);
        const target = calledSet(instructions[at]!, set);
        if (importBehind(library, engine, told.address, target) === null) called.set(told.address, target);
      }
    }
    for (const [address, set] of called) opened.addCalled(set === 'thumb' ? address + 1 : address);
    round = left > 0 ? [...called.keys()] : [];
  }
}

/** 32-bit x86 code finds itself by a call of what follows the call. */
const asksWhereItIs = ({ address, size }: Instruction, told: Told): boolean => told.address === address + size;

/** BLX with an address goes over to the other instruction set of ARM. */
const calledSet = ({ mnemonic, operands }: Instruction, set: InstructionSet): InstructionSet => {
  if (!/^blx/.test(mnemonic) || !operands.startsWith('#')) return set;
  return set === 'arm' ? 'thumb' : 'arm';
};

/** What a stub at an address leads to, mostly of another library; null where there is none. */
function importBehind(
  library: Library,
  engine: Disassembler,
  address: number,
  set: InstructionSet,
): ProgramSymbol | null {
  const { opened, stubs } = library;
  const known = stubs.get(address);
  if (known !== undefined) return known;
  stubs.set(address, null);
  if (opened.codeRangeOf(address) === null) return null;
  const instructions = engine.decode(opened.bytesAt(address, address + maxStub * 16), address, set, maxStub);
  const initial: Registers = new Map();
  const table = opened.dynamicValue(tag.pltGot);
  // 32-bit x86 code hands its stubs the table in EBX.
  if (set === 'x86' && table !== null) initial.set('b', { value: table });
  for (const [index, told] of toldBy(instructions, opened, set, initial).entries()) {
    const { mnemonic } = instructions[index]!;
    if (told?.kind === 'through' && !/^(?:bl|call)/.test(mnemonic)) {
      const relocated = opened.symbols.relocations.get(told.address);
      if (relocated !== undefined && 'symbol' in relocated) stubs.set(address, relocated.symbol);
    }
    if (told?.kind === 'through' || told?.kind === 'call' || told?.kind === 'jump' || /^ret/.test(mnemonic)) break;
  }
  return stubs.get(address) ?? null;
}

/** What an instruction refers to, where that can be told. */
function referenceOf(
  library: Library,
  engine: Disassembler,
  told: Told,
  instruction: Instruction,
  set: InstructionSet,
): NativeReference | null {
  const { opened } = library;
  const { kind, address } = told;
  if (kind === 'call' || kind === 'jump') {
    const start = opened.file.machine === 40 ? address - (address % 2) : address;
    const known = opened.functionAt(start);
    const target: NativeReference | null =
      known === null ? null : { kind: 'function', address: start, text: known.name };
    if (known?.kind === 'export' || known?.kind === 'symbol') return target;
    const imported = importBehind(library, engine, start, calledSet(instruction, set));
    if (imported?.isDefined) return named(opened, imported.value);
    if (imported !== null) return { kind: 'import', address: start, text: imported.name };
    if (target !== null) return target;
    return opened.codeRangeOf(start) === null ? null : { kind: 'code', address: start, text: '' };
  }
  if (kind === 'address') return named(opened, address);
  const relocated = opened.symbols.relocations.get(address);
  if (relocated !== undefined && 'symbol' in relocated && !relocated.symbol.isDefined) {
    return { kind: 'import', address: null, text: relocated.symbol.name };
  }
  const pointer = relocated === undefined ? null : opened.pointerAt(address);
  return (pointer === null ? null : named(opened, pointer)) ?? named(opened, address);
}

/** What stands at an address. */
function named(opened: OpenedLibrary, address: number): NativeReference | null {
  const start = opened.file.machine === 40 ? address - (address % 2) : address;
  const known = opened.functionAt(start);
  if (known !== null) return { kind: 'function', address: start, text: known.name };
  const object = opened.objectAt(address);
  if (object !== null) return { kind: 'data', address, text: object };
  const text = opened.stringAt(address);
  if (text !== null) return { kind: 'string', address, text };
  return opened.file.offsetOf(address) === null ? null : { kind: 'data', address, text: '' };
}

/** Imports behind functions, in the order of the symbols. */
function listed({ opened }: Library): NativeFunction[] {
  const imports = new Set(
    opened.symbols.dynamic.filter(({ isDefined, name }) => !isDefined && name !== '').map(({ name }) => name),
  );
  return [
    ...opened.functions,
    ...[...imports].map((name) => ({ address: null, size: 0, name, kind: 'import' as const, java: null })),
  ];
}

/** @throws ExplorationFault */
export function nativeFunctionsOf(
  app: OpenedApp,
  { path, search, kind, jni, offset, limit }: Omit<Extract<Exploration, { ask: 'native-functions' }>, 'ask'>,
): NativeFunctions {
  const library = libraryOf(app, path);
  const { opened } = library;
  const engine = new Disassembler();
  try {
    sweep(library, engine);
  } finally {
    engine.close();
  }
  const sought = search.toLowerCase();
  const address = /^0x[0-9a-f]+$/.test(sought) ? Number(sought) : null;
  const around = address === null ? null : opened.functionAround(address);
  const results = listed(library).filter(
    (one) =>
      (kind === undefined || one.kind === kind) &&
      (!jni || one.java !== null || one.kind === 'registered' || /^JNI_On(?:Unl|L)oad$/.test(one.name)) &&
      (one.name.toLowerCase().includes(sought) || (around !== null && one.address === around.address)),
  );
  return {
    count: results.length,
    is_cut: opened.isCut,
    instruction_set: opened.setAt(opened.functionAddresses[0] ?? 0),
    results: results.slice(offset, offset + limit),
  };
}

/** @throws ExplorationFault `not-found` where no code is loaded at the address */
export function nativeCodeOf(
  app: OpenedApp,
  { path, address, limit }: Omit<Extract<Exploration, { ask: 'native-code' }>, 'ask'>,
): NativeCode {
  const library = libraryOf(app, path);
  const { opened } = library;
  const set = opened.setAt(address);
  if (set === null) throw new ExplorationFault('unreadable', 'instructions of this machine are not known');
  const range = opened.codeRangeOf(address);
  if (range === null) throw new ExplorationFault('not-found', 'no code is loaded at this address', 'address');
  const engine = new Disassembler();
  try {
    sweep(library, engine);
    const around = opened.functionAround(address);
    const next = opened.functionAddresses.find((start) => start > address) ?? range.end;
    const end = around === null ? Math.min(range.end, next) : around.address! + around.size;
    // What registers hold is told from the start of the function, or from a piece before the page.
    const isNear = around !== null && address - around.address! <= maxLead;
    const lead = isNear ? decoded(library, engine, { start: around.address!, end: address, set }, maxLead) : [];
    const page = decoded(library, engine, { start: address, end, set }, limit);
    const all = [...lead, ...page];
    const told = toldBy(all, opened, set).slice(lead.length);
    const last = page.at(-1);
    const stop = last === undefined ? end : last.address + last.size;
    return {
      instruction_set: set,
      function: around,
      instructions: page.map((one, index) => ({
        address: one.address,
        bytes: Buffer.from(opened.bytesAt(one.address, one.address + one.size)).toString('hex'),
        mnemonic: one.mnemonic,
        operands: one.operands,
        reference: told[index] == null ? null : referenceOf(library, engine, told[index], one, set),
      })),
      next: stop < end ? stop : null,
    };
  } finally {
    engine.close();
  }
}
