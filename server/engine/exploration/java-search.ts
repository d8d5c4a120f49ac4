// Searches the Java source of all code, file by file and page by page. Knows no spans.
import type { CodeNames } from '../../contract/engine/code-names.ts';
import { type JavaSearch, maxLinesEach, maxLinesPage } from '../../contract/engine/java-source.ts';
import { isKnownLibrary } from '../app/known-libraries.ts';
import { cpuMilliseconds } from '../cpu-time.ts';
import type { DecompiledProgram } from '../decompiler/decompiler.ts';
import { classData } from '../formats/dex/class-data.ts';
import { scanCode } from '../formats/dex/code-scan.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { programOf } from './java-source.ts';
import type { OpenedApp } from './opened-app.ts';

/** Milliseconds of the processor after which a page ends: who has gone away has no more than this done. */
const patience = 500;
/** UTF-16 units of source that are kept of an app for the next search. */
const maxKept = 48_000_000;
const maxText = 300;

interface SearchedFile {
  readonly dexes: readonly Dex[];
  readonly type: string;
}

interface Search {
  readonly key: string;
  readonly files: readonly SearchedFile[];
}

/** The last search of each app: its next pages are asked for in a moment. */
const latest = new WeakMap<OpenedApp, Search>();
/** Sources by program and class, those looked at last at the end. */
const kept = new WeakMap<OpenedApp, { version: string; sources: Map<string, string>; length: number }>();

export function searchJava(
  app: OpenedApp,
  question: { q: string; dex?: string | undefined; case: boolean; cursor: number },
): JavaSearch {
  const key = JSON.stringify([question.q, question.dex, question.case, app.names.version]);
  let search = latest.get(app);
  if (search?.key !== key) {
    search = { key, files: orderedFiles(app, question) };
    latest.set(app, search);
  }
  const { files } = search;
  const sought = question.case ? question.q : question.q.toLowerCase();
  const deadline = cpuMilliseconds() + patience;
  const results: JavaSearch['results'] = [];
  let failed = 0;
  let at = Math.min(question.cursor, files.length);
  // A page goes on by one file at least.
  do {
    const file = files[at];
    if (file === undefined) break;
    at++;
    const source = sourceOf(app, file);
    if (source === null) failed++;
    else results.push(...linesWith(source, sought, question.case).map((line) => ({ ...placeOf(file, app), ...line })));
  } while (results.length < maxLinesPage && cpuMilliseconds() < deadline);
  return { results, searched: at, total: files.length, failed, next: at < files.length ? at : null };
}

const placeOf = ({ type, dexes }: SearchedFile, app: OpenedApp) => ({
  class: type,
  dex: app.tree.placesOf(type).find(({ dex }) => dexes.includes(dex))!.dex.where,
});

function linesWith(source: string, sought: string, isCaseSensitive: boolean): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  const searched = isCaseSensitive ? source : source.toLowerCase();
  let line = 1;
  let counted = 0;
  for (let at = searched.indexOf(sought); at >= 0 && found.length < maxLinesEach; ) {
    for (let next = searched.indexOf('\n', counted); next >= 0 && next < at; next = searched.indexOf('\n', counted)) {
      line++;
      counted = next + 1;
    }
    const lineEnd = searched.indexOf('\n', at);
    const end = lineEnd < 0 ? searched.length : lineEnd;
    // Letters that grow in lower case move the places of all behind them.
    const isMoved = searched.length !== source.length;
    const text = (isMoved ? source.split('\n')[line - 1]! : source.slice(counted, end)).trim();
    const from = text.length <= maxText ? 0 : Math.max(0, Math.min(at - counted - maxText / 3, text.length - maxText));
    found.push({ line, text: text.slice(from, from + maxText) });
    at = searched.indexOf(sought, end);
  }
  return found;
}

/** The source of a file; null where there is none. */
function sourceOf(app: OpenedApp, { dexes, type }: SearchedFile): string | null {
  const { version } = app.names;
  let known = kept.get(app);
  if (known?.version !== version) {
    known = { version, sources: new Map<string, string>(), length: 0 };
    kept.set(app, known);
  }
  const key = `${dexes[0]!.where} ${type}`;
  const source = known.sources.get(key) ?? made();
  if (source === null) return null;
  if (known.sources.delete(key)) known.length -= source.length;
  known.sources.set(key, source);
  known.length += source.length;
  for (const [oldest, text] of known.sources) {
    if (known.length <= maxKept) break;
    known.sources.delete(oldest);
    known.length -= text.length;
  }
  return source;

  /** One class that cannot be written must not end the search of all others. */
  function made(): string | null {
    try {
      return programOf(app, dexes).file(type).source;
    } catch (error) {
      console.error(error);
      return null;
    }
  }
}

/** All files: those of classes that name what is sought first, own code before known libraries. */
function orderedFiles(app: OpenedApp, { q, dex }: { q: string; dex?: string | undefined }): SearchedFile[] {
  const name = /^"([^"]+)"?$/.exec(q)?.[1] ?? (/^[\p{L}\p{N}_$]+$/u.test(q) ? q : null);
  const searched = app.dexesNamed(dex);
  const ranked: { file: SearchedFile; rank: number }[] = [];
  for (const dexes of app.loaders) {
    if (!dexes.some((one) => searched.includes(one))) continue;
    const program = programOf(app, dexes);
    const naming = new Set<string>();
    if (name !== null) {
      for (const dex of dexes) {
        for (const type of classesNaming(dex, name.toLowerCase(), program.names, app.names.notes))
          naming.add(program.topOf(type) ?? type);
      }
    }
    for (const type of program.types) {
      const rank = (naming.has(type) ? 0 : 2) + (isKnownLibrary(type, app.packageName) ? 1 : 0);
      ranked.push({ file: { dexes, type }, rank });
    }
  }
  const files = ranked.sort((a, b) => a.rank - b.rank).map(({ file }) => file);
  return dex === undefined ? files : files.filter((file) => placeOf(file, app).dex === dex);
}

/** Classes that are, declare or refer to something whose name, own or given, has a text in it, or a string or a note that has. */
function classesNaming(
  dex: Dex,
  text: string,
  names: DecompiledProgram['names'],
  notes: CodeNames['notes'],
): Set<string> {
  const found = new Set<string>();
  const holds = (name: string) => name.toLowerCase().includes(text);
  const said = [...names, ...notes.map(([symbol, , note]) => [symbol, note] as const)].filter(([, word]) =>
    holds(word),
  );
  for (const [symbol] of said) found.add(symbol.slice(0, symbol.indexOf(';') + 1));
  const given = new Set(said.map(([symbol]) => symbol));
  // Members are named by classes below theirs too.
  const givenMembers = new Set(said.map(([symbol]) => symbol.slice(symbol.indexOf(';->') + 3)));
  const isGiven = (member: string) => given.size > 0 && givenMembers.has(member.slice(member.indexOf(';->') + 3));
  const strings = marked(dex.stringCount, (index) => holds(dex.stringOrNull(index) ?? ''));
  const types = marked(dex.typeCount, (index) => holds(dex.type(index)) || given.has(dex.type(index)));
  const fields = marked(dex.fieldCount, (index) => holds(dex.fieldName(index)) || isGiven(dex.field(index)));
  const methods = marked(dex.methodCount, (index) => holds(dex.methodName(index)) || isGiven(dex.method(index)));
  for (let index = 0; index < dex.classCount; index++) {
    const { staticFields, instanceFields, directMethods, virtualMethods } = classData(dex, index);
    const isNamed =
      types[dex.classDef(index).typeIndex] === 1 ||
      [...staticFields, ...instanceFields].some(({ fieldIndex }) => fields[fieldIndex] === 1) ||
      [...directMethods, ...virtualMethods].some(({ methodIndex }) => methods[methodIndex] === 1);
    if (isNamed) found.add(dex.className(index));
  }
  scanCode(dex, { strings, types, fields, methods }, (classIndex) => found.add(dex.className(classIndex)));
  return found;
}

const marked = (count: number, test: (index: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: count }, (_, index) => (test(index) ? 1 : 0));
