// A program's way from Java to dex, to Java again, to dex again, and what it prints before and after. Knows no command line.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decompileDexes } from '../../server/engine/decompiler/decompiler.ts';
import { type ClassFile, readClassFile } from '../fixtures/dynamic/compiled/class-file.ts';
import { type SmaliClass, toSmali } from '../fixtures/dynamic/compiled/class-to-smali.ts';
import type { JavacError, JavaTools } from '../fixtures/java-tools.ts';
import { interpreted } from './interpreted.ts';

export interface Program {
  readonly name: string;
  readonly sources: readonly string[];
}

/** One main class. */
export interface Comparison {
  readonly main: string;
  readonly verdict: 'equal' | 'different' | 'not compiled' | 'cut';
  readonly before: string;
  readonly after: string;
}

export interface RoundTrip {
  readonly name: string;
  /** Why it did not come as far as to be decompiled; null where it did. */
  readonly notCarried: { readonly by: 'javac' | 'converter' | 'interpreter'; readonly reason: string } | null;
  readonly files: number;
  readonly accepted: number;
  readonly comparisons: readonly Comparison[];
  readonly lost: number;
  readonly unresolved: number;
  readonly dispatched: number;
  /** What javac says of the decompiled sources. */
  readonly errors: readonly JavacError[];
}

export interface Stage {
  readonly tools: JavaTools;
  /** A folder that is this program's alone. */
  readonly folder: string;
}

const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name));

/** The class files of sources. @returns javac's errors where it has any */
async function compiled(
  { tools, folder }: Stage,
  sources: readonly string[],
  release = tools.release,
): Promise<ClassFile[] | JavacError[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const errors = await tools.compile(sources, folder, release);
  if (errors.length > 0) return errors;
  return filesBelow(folder, '.class').map((path) => readClassFile(readFileSync(path)));
}

const isRefused = (result: ClassFile[] | JavacError[]): result is JavacError[] =>
  result.length > 0 && 'message' in result[0]!;

/** A dex file of smali classes. @throws Error with what smali says */
async function assembled({ tools, folder }: Stage, classes: readonly SmaliClass[]): Promise<Buffer> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, { text }] of classes.entries())
    writeFileSync(join(folder, `${String(index).padStart(5, '0')}.smali`), text);
  const dex = join(folder, 'out.dex');
  await tools.assemble(folder, dex);
  return readFileSync(dex);
}

/** Names of the classes with a main method. */
const mainsOf = (classes: readonly SmaliClass[]): string[] =>
  classes
    .filter(({ text }) =>
      /^\.method (?:public static|static public)(?: [\w-]+)* main\(\[Ljava\/lang\/String;\)V$/m.test(text),
    )
    .map(({ name }) => name.replaceAll('/', '.'));

const inside = (stage: Stage, name: string): Stage => ({ ...stage, folder: join(stage.folder, name) });

const stopped = (name: string, by: 'javac' | 'converter' | 'interpreter', reason: string): RoundTrip => ({
  ...{ name, notCarried: { by, reason }, files: 0, accepted: 0, comparisons: [], lost: 0, unresolved: 0 },
  ...{ dispatched: 0, errors: [] },
});

/** The smali of a program: what its files hold, or what is made of its Java. @returns why it has none */
export async function smaliOf(
  stage: Stage,
  { name, sources }: Program,
  release?: number,
): Promise<SmaliClass[] | RoundTrip> {
  if (sources.every((path) => path.endsWith('.smali')))
    return sources.map((path) => {
      const text = readFileSync(path, 'utf8');
      return { name: text.match(/^\.class (?:[\w-]+ )*L([^;]+);/m)?.[1] ?? '', text };
    });
  const files = await compiled(inside(stage, 'classes'), sources, release);
  if (isRefused(files)) return stopped(name, 'javac', files[0]!.message);
  try {
    return toSmali(files);
  } catch (error) {
    return stopped(name, 'converter', String(error));
  }
}

/** Reads a program and tries it. @param options `mangle` what is done to the program before it comes to the decompiler */
export async function roundTrip(
  stage: Stage,
  program: Program,
  options: { readonly release?: number; readonly mangle?: (classes: SmaliClass[]) => SmaliClass[] } = {},
): Promise<RoundTrip> {
  const classes = await smaliOf(stage, program, options.release);
  if (!Array.isArray(classes)) return classes;
  return await roundTripOfClasses(stage, program.name, options.mangle?.(classes) ?? classes);
}

export async function roundTripOfClasses(
  stage: Stage,
  name: string,
  classes: readonly SmaliClass[],
): Promise<RoundTrip> {
  let dex: Buffer;
  try {
    dex = await assembled(inside(stage, 'smali'), classes);
  } catch (error) {
    return stopped(name, 'converter', String(error));
  }
  return await roundTripOfDex(stage, name, dex, mainsOf(classes));
}

/** In a word what the decompiler did wrong: javac's code for its first error, or how the program behaves; null for nothing. */
export function failureOf({ errors, comparisons, lost }: RoundTrip): string | null {
  const [first] = errors;
  if (first !== undefined) return `refused: ${first.kind}`;
  if (comparisons.some(({ verdict }) => verdict === 'different')) return 'different';
  return lost > 0 ? 'lost' : null;
}

interface Sources {
  readonly paths: readonly string[];
  /** What classes are called that the source calls otherwise, by what the code calls them. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly lost: number;
  readonly unresolved: number;
  readonly dispatched: number;
}

/** Writes what the decompiler makes of dex files. */
function decompiled(dexes: readonly Uint8Array[], folder: string): Sources {
  rmSync(folder, { recursive: true, force: true });
  const paths: string[] = [];
  const renamed = new Map<string, string>();
  const sums = { lost: 0, unresolved: 0, dispatched: 0 };
  for (const { type, path, source, ...counts } of decompileDexes(dexes)) {
    renamed.set(type.slice(1, -1).replaceAll('/', '.'), path.replace(/\.java$/, '').replaceAll('/', '.'));
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, source);
    paths.push(place);
    for (const key of ['lost', 'unresolved', 'dispatched'] as const) sums[key] += counts[key];
  }
  return { paths, renamed, ...sums };
}

async function roundTripOfDex(
  stage: Stage,
  name: string,
  dex: Uint8Array,
  mains: readonly string[],
): Promise<RoundTrip> {
  const before = interpreted(dex, mains);
  const { paths, renamed, ...counts } = decompiled([dex], join(stage.folder, 'sources'));
  const again = await compiled(inside(stage, 'classes2'), paths);
  const refused = isRefused(again) ? again : [];
  const bad = new Set(refused.map(({ path }) => path));
  const accepted = bad.has('?') ? 0 : paths.length - bad.size;
  const nameOf = (main: string) => renamed.get(main) ?? main;
  const after = isRefused(again)
    ? null
    : interpreted(await assembled(inside(stage, 'smali2'), toSmali(again)), mains.map(nameOf));
  const comparisons = mains.map((main): Comparison => {
    const [first, second] = [before.get(main)!, after?.get(nameOf(main))];
    const texts = { main, before: first.text, after: second?.text ?? '' };
    if (first.cut !== null) return { ...texts, verdict: 'cut', after: first.cut };
    if (second === undefined) return { ...texts, verdict: 'not compiled' };
    const isEqual = second.cut === null && second.text === first.text;
    return { ...texts, after: second.cut ?? second.text, verdict: isEqual ? 'equal' : 'different' };
  });
  return { name, notCarried: null, files: paths.length, accepted, comparisons, ...counts, errors: refused };
}
