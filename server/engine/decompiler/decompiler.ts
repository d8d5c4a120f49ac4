// Java source for the classes of an app, file by file. Knows no files and no network.
import { Findings } from '../findings.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { type Dex, openDexContainer } from '../formats/dex/dex.ts';
import { type Extent, WorkLimit } from './limits.ts';
import type { SourcePlace } from './method.ts';
import { derivedNames } from './names/derived-names.ts';
import { GivenNames } from './names/given-names.ts';
import { type Note, type Notes, notesBySymbol, withNotes } from './names/notes.ts';
import type { Counts } from './printing/class-scope.ts';
import { writeClass } from './printing/classes.ts';
import { CheckedExceptions } from './printing/exceptions.ts';
import { typeIdentifier } from './printing/identifiers.ts';
import { writeLocal } from './printing/local-objects.ts';
import { Program } from './printing/program.ts';
import { SuperCalls } from './printing/super-calls.ts';
import { TypeNames } from './printing/type-names.ts';
import { type Span, type VariablePlace, Writer } from './printing/writer.ts';

export interface DecompiledFile extends Readonly<Counts> {
  /** Descriptor of the top-level class. */
  readonly type: string;
  /** Where its source belongs: `com/example/Name.java`. */
  readonly path: string;
  readonly source: string;
  /** Text ranges of the source with the symbol or the code address they show. */
  readonly spans: readonly Span[];
  /** Where names of variables stand in it. */
  readonly variables: readonly VariablePlace[];
}

/** What analysts say of an app's code. */
export interface Words {
  /** Names by symbol. */
  readonly names: Iterable<readonly [string, string]>;
  readonly notes: Iterable<Note>;
  /** Readable names for what is called by no word. */
  readonly isDeobfuscated?: boolean;
}

const noWords: Words = { names: [], notes: [] };

/** The files of an app's source, made one by one as they are asked for. */
export interface Decompilation {
  readonly files: Generator<DecompiledFile>;
  /** Top-level classes that there are. */
  readonly total: number;
}

/** The classes of one class loader, opened once: each file is made as it is asked for. */
export class DecompiledProgram {
  /** The names of all. */
  readonly program: Program;
  readonly #exceptions: CheckedExceptions;
  readonly #notes: Notes;
  /** What the code is called otherwise than it calls itself, by symbol: what people named last. */
  readonly names: readonly (readonly [string, string])[];

  constructor(dexes: readonly Dex[], { names, notes, isDeobfuscated = false }: Words = noWords) {
    const given = [...names];
    this.names = isDeobfuscated ? [...derivedNames(dexes, given), ...given] : given;
    this.program = new Program(dexes, new GivenNames(this.names));
    this.#notes = notesBySymbol(notes);
    this.#exceptions = new CheckedExceptions(this.program);
  }

  /** Top-level classes in the order of the class tables. */
  get types(): string[] {
    return [...this.program.relations.appTypes].filter((type) => this.program.outerOf(type) === null);
  }

  /** The class whose file a class stands in; null where no dex defines it. */
  topOf(type: string): string | null {
    return this.program.relations.placeOf(type) === null ? null : this.program.topOf(type);
  }

  /**
   * @param type of a top-level class
   * @param extent how much work there is for it: what is left of its methods then is cut and marked; of the whole with its smali
   *   beside it, since nobody asks again
   */
  file(type: string, extent: Extent = 'whole'): DecompiledFile {
    const place = { program: this.program, work: new WorkLimit(extent) };
    return withNotes(decompiled(place, this.#exceptions, type), this.#notes);
  }
}

/**
 * All top-level classes of an app's dex files (one class loader). A dex file without a header is left out.
 * @param options `only` the descriptor of one class: its file alone
 */
export function decompilation(
  dexes: readonly Uint8Array[],
  { only, words }: { only?: string | undefined; words?: Words } = {},
): Decompilation {
  const program = new DecompiledProgram(openAll(dexes), words);
  const types = only === undefined ? program.types : [program.topOf(only)].filter((type) => type !== null);
  const files = (function* () {
    for (const type of types) yield program.file(type);
  })();
  return { files, total: types.length };
}

/** The files of `decompilation` alone. */
export const decompileDexes = (
  dexes: readonly Uint8Array[],
  options: { only?: string; words?: Words } = {},
): Generator<DecompiledFile> => decompilation(dexes, options).files;

function openAll(dexes: readonly Uint8Array[]): Dex[] {
  const findings = new Findings();
  return dexes.flatMap((bytes, index) => {
    try {
      return openDexContainer(bytes, findings, `classes${index === 0 ? '' : index + 1}.dex`);
    } catch (error) {
      if (error instanceof FormatError) return [];
      throw error;
    }
  });
}

function decompiled(place: SourcePlace, exceptions: CheckedExceptions, type: string): DecompiledFile {
  const { program } = place;
  const names = new TypeNames(program, type);
  const writer = new Writer();
  const counts: Counts = { methods: 0, lost: 0, unresolved: 0, dispatched: 0, late: 0 };
  const top = program.simpleName(type);
  const sneak = { call: `${top}.<RuntimeException>sneak$`, isUsed: false };
  const shared = { superCalls: new SuperCalls(), sneak, inPlace: [], writeLocal };
  writeClass({ ...place, names, writer, exceptions, counts, ...shared }, type, () => {
    if (!sneak.isUsed) return;
    writer.text('\n').line().text('/** Throws what javac would have declared. */').line();
    writer.text('static <T extends Throwable> RuntimeException sneak$(Throwable thrown) throws T {');
    writer.indented(() => writer.line().text('throw (T) thrown;'));
    writer.line().text('}');
  });
  const packageName = program.packageOf(type);
  const head = [
    ...(packageName === '' ? [] : [`package ${packageName};`, '']),
    ...names.imports.map((name) => `import ${name};`),
    ...(names.imports.length > 0 ? [''] : []),
  ]
    .map((line) => `${line}\n`)
    .join('');
  const folder = packageName === '' ? '' : `${packageName.replaceAll('.', '/')}/`;
  return {
    type,
    path: `${folder}${typeIdentifier(top)}.java`,
    source: `${head}${writer}\n`,
    spans: writer.spans.map((span) => ({ ...span, start: span.start + head.length, end: span.end + head.length })),
    variables: writer.variables.map((place) => ({ ...place, start: place.start + head.length })),
    ...counts,
  };
}
