// Java source of a class as an analyst opens it, with what its text shows. Knows no search.
import { type JavaSource, maxJavaLength, maxSpans, maxVariablePlaces } from '../../contract/engine/java-source.ts';
import { type DecompiledFile, DecompiledProgram } from '../decompiler/decompiler.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { ExplorationFault } from './fault.ts';
import type { OpenedApp } from './opened-app.ts';

/** Programs of an app that are kept: its own, and that of a payload. */
const maxPrograms = 2;
const programs = new WeakMap<OpenedApp, Map<string, DecompiledProgram>>();

/** The classes that are loaded with those of a dex, its own before others of the same name. */
export function programFor(app: OpenedApp, dex: Dex, type: string): DecompiledProgram {
  const loaded = app.loaderOf(dex);
  const first = app.tree.placesOf(type).find((place) => loaded.includes(place.dex));
  return programOf(app, first?.dex === dex ? loaded : [dex, ...loaded.filter((one) => one !== dex)]);
}

/** The classes of some dex files, those of the first before others of the same name, as they are called now; opened once. */
export function programOf(app: OpenedApp, dexes: readonly Dex[]): DecompiledProgram {
  const kept = programs.get(app) ?? new Map<string, DecompiledProgram>();
  programs.set(app, kept);
  const { version, names, notes, deobfuscate } = app.names;
  const key = `${version} ${dexes[0]!.where}`;
  const program =
    kept.get(key) ??
    new DecompiledProgram(dexes, {
      names,
      notes: notes.map(([symbol, address, text]) => ({ symbol, address, text })),
      isDeobfuscated: deobfuscate,
    });
  kept.delete(key);
  kept.set(key, program);
  if (kept.size > maxPrograms) kept.delete(kept.keys().next().value!);
  return program;
}

/** The file that was opened last in each app: classes that stand in one file are read one after the other. */
const latest = new WeakMap<OpenedApp, { program: DecompiledProgram; java: JavaSource }>();

/**
 * The file that a class stands in.
 * @throws ExplorationFault `not-found`
 */
export function javaOf(
  app: OpenedApp,
  { class: name, dex: wanted, whole }: { class: string; dex?: string | undefined; whole: boolean },
): JavaSource {
  const places = app.tree.placesOf(name);
  const dex = (wanted === undefined ? places[0] : places.find((place) => place.dex.where === wanted))?.dex;
  const program = dex === undefined ? null : programFor(app, dex, name);
  const top = program?.topOf(name) ?? null;
  if (dex === undefined || program === null || top === null) {
    throw new ExplorationFault('not-found', 'no dex defines this class');
  }
  const known = latest.get(app);
  const isKnown = known?.program === program && known.java.class === top && !(whole && known.java.late > 0);
  if (isKnown) return { ...known.java, dex: dex.where };
  const java = cutFile(program.file(top, whole ? 'whole' : 'first'), dex);
  latest.set(app, { program, java });
  return java;
}

function cutFile({ type, path, source, spans, variables, ...counts }: DecompiledFile, dex: Dex): JavaSource {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const most = Math.min(maxJavaLength, sorted[maxSpans]?.start ?? source.length);
  const isCut = most < source.length;
  const end = isCut ? source.lastIndexOf('\n', most) + 1 : source.length;
  return {
    class: type,
    dex: dex.where,
    path,
    source: source.slice(0, end),
    is_cut: isCut,
    spans: sorted
      .filter((span) => span.end <= end)
      .map(({ isDeclaration, ...span }) => (isDeclaration ? { ...span, is_declaration: true } : span)),
    variables: placesOf(variables.filter(({ start }) => start < end)),
    ...counts,
  };
}

function placesOf(variables: DecompiledFile['variables']): JavaSource['variables'] {
  const found = new Map<string, JavaSource['variables'][number]>();
  for (const { start, method, key, name } of variables.slice(0, maxVariablePlaces)) {
    const symbol = `${method}#${key}`;
    const known = found.get(symbol);
    if (known === undefined) found.set(symbol, { symbol, name, at: [start] });
    else known.at.push(start);
  }
  return [...found.values()];
}
