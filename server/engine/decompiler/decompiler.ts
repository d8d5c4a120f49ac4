// Java source for the classes of an app, file by file. Knows no files and no network.
import { Findings } from '../findings.ts';
import { openDexContainer } from '../formats/dex/dex.ts';
import { type Counts, writeClass } from './printing/classes.ts';
import { CheckedExceptions } from './printing/exceptions.ts';
import { typeIdentifier } from './printing/identifiers.ts';
import { Program } from './printing/program.ts';
import { TypeNames } from './printing/type-names.ts';
import { type Span, Writer } from './printing/writer.ts';

export interface DecompiledFile extends Readonly<Counts> {
  /** Descriptor of the top-level class. */
  readonly type: string;
  /** Where its source belongs: `com/example/Name.java`. */
  readonly path: string;
  readonly source: string;
  /** Text ranges of the source with the symbol or the code address they show. */
  readonly spans: readonly Span[];
}

/**
 * All top-level classes of an app's dex files (one class loader), lazily, in the order of the class tables.
 * @param options `only` the descriptor of one class: its file alone
 * @throws FormatError where a dex file has no header
 */
export function* decompileDexes(
  dexes: readonly Uint8Array[],
  options: { only?: string } = {},
): Generator<DecompiledFile> {
  const findings = new Findings();
  const opened = dexes.flatMap((bytes, index) =>
    openDexContainer(bytes, findings, `classes${index === 0 ? '' : index + 1}.dex`),
  );
  const program = new Program(opened);
  const exceptions = new CheckedExceptions(program);
  if (options.only !== undefined) {
    if (program.relations.placeOf(options.only) !== null)
      yield decompiled(program, exceptions, program.topOf(options.only));
    return;
  }
  for (const type of program.relations.appTypes) {
    if (program.outerOf(type) === null) yield decompiled(program, exceptions, type);
  }
}

function decompiled(program: Program, exceptions: CheckedExceptions, type: string): DecompiledFile {
  const names = new TypeNames(program, type);
  const writer = new Writer();
  const counts: Counts = { methods: 0, lost: 0, unresolved: 0, dispatched: 0 };
  const top = program.simpleName(type);
  const sneak = { call: `${top}.<RuntimeException>sneak$`, isUsed: false };
  writeClass({ program, names, writer, exceptions, counts, sneak }, type, () => {
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
    ...counts,
  };
}
