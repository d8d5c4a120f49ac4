// `npm run -s roundtrip -- FOLDER`: Java to dex, to Java, to dex, run before and after. Without a folder: the own programs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { JavaTools, missingTools } from '../fixtures/java-tools.ts';
import { tripOfApk } from './apk.ts';
import { mangle } from './mangler.ts';
import { minimised } from './minimiser.ts';
import { programsOf } from './programs.ts';
import { writeRandomPrograms } from './random/random-program.ts';
import { failureOf, type Program, type RoundTrip, roundTrip, type Stage } from './round-trip.ts';

interface Summary {
  files: number;
  accepted: number;
  programs: number;
  equal: number;
  different: number;
  lost: number;
}

/** How many were refused before the decompiler saw them, by what. */
type Apart = Record<string, number>;

function told(result: RoundTrip): string[] {
  const { name, notCarried, lost } = result;
  if (notCarried !== null) return [`${name}: not carried by the ${notCarried.by}: ${notCarried.reason.slice(0, 300)}`];
  const errors = result.errors.map(
    ({ path, line, message }) => `${name}: refused: ${basename(path)}:${line}: ${message.slice(0, 300)}`,
  );
  const runs = result.comparisons
    .filter(({ verdict }) => verdict === 'different' || verdict === 'cut')
    .map(({ main, verdict, before, after }) => `${name}: ${main} ${verdict}:${firstDifference(before, after)}`);
  return [...errors, ...runs, ...(lost > 0 ? [`${name}: ${lost} methods lost`] : [])];
}

function firstDifference(before: string, after: string): string {
  const [first, second] = [before.split('\n'), after.split('\n')];
  const at = first.findIndex((line, index) => line !== second[index]);
  return `\n  before: ${(first[at] ?? '').slice(0, 200)}\n  after:  ${(second[at] ?? '').slice(0, 200)}`;
}

function count(result: RoundTrip, sums: Summary, apart: Apart): void {
  if (result.notCarried !== null) {
    const { by } = result.notCarried;
    apart[by] = (apart[by] ?? 0) + 1;
    return;
  }
  sums.files += result.files;
  sums.accepted += result.accepted;
  sums.lost += result.lost;
  for (const { verdict } of result.comparisons) {
    if (verdict === 'cut') apart.interpreter = (apart.interpreter ?? 0) + 1;
    else {
      sums.programs++;
      if (verdict === 'equal') sums.equal++;
      else if (verdict === 'different') sums.different++;
    }
  }
}

interface Options {
  readonly isJson: boolean;
  /** The mangler's, null for programs as they are. */
  readonly seed: number | null;
  /** The release that sources are compiled for first; before 11 javac writes accessors. */
  readonly release: number | null;
  /** Where failures are written to once they are small, null to leave them. */
  readonly minimise: string | null;
}

async function ofFolder(tools: JavaTools, folder: string, options: Options): Promise<void> {
  const { isJson, seed, release } = options;
  const sums: Summary = { files: 0, accepted: 0, programs: 0, equal: 0, different: 0, lost: 0 };
  const apart: Apart = {};
  const stage = { tools, folder: mkdtempSync(join(tmpdir(), 'round-trip-')) };
  try {
    for (const program of programsOf(folder)) {
      const mangled = seed === null ? {} : { mangle: (classes: Parameters<typeof mangle>[0]) => mangle(classes, seed) };
      const result = await roundTrip(stage, program, { ...mangled, ...(release === null ? {} : { release }) }).catch(
        (error: unknown) => String(error),
      );
      if (typeof result === 'string') {
        // The first pass carried it: whatever ends the second one is counted as a file that is not accepted.
        console.log(`${program.name}: failed: ${result.slice(0, 300)}`);
        sums.files += program.sources.length;
      } else {
        count(result, sums, apart);
        if (isJson)
          console.log(
            JSON.stringify({ ...result, comparisons: result.comparisons.filter(({ verdict }) => verdict !== 'equal') }),
          );
        else for (const line of told(result)) console.log(line);
      }
      if (typeof result === 'string' || failureOf(result) !== null) await reduce(stage, program, options);
    }
  } finally {
    rmSync(stage.folder, { recursive: true, force: true });
  }
  // What never came to the decompiler is no failure of its own, and not hidden.
  if (Object.keys(apart).length > 0) console.log(`not carried, by: ${JSON.stringify(apart)}`);
  console.log(JSON.stringify({ ...(seed === null ? {} : { seed }), ...sums }));
}

/** Writes a program that failed as a small one of smali, which the harness takes as it takes Java. */
async function reduce(stage: Stage, program: Program, { seed, minimise }: Options): Promise<void> {
  const small = minimise === null ? null : await minimised(stage, program, seed);
  if (small === null || minimise === null) return;
  const folder = join(minimise, `${basename(program.name, '.java')}${seed === null ? '' : `-${seed}`}`);
  mkdirSync(folder, { recursive: true });
  for (const [index, { text }] of small.classes.entries()) writeFileSync(join(folder, `${index}.smali`), text);
  const { failure, changes, methods } = small;
  console.log(`${program.name}: ${failure}: reduced to ${folder}\n  ${[...changes, ...methods].join('\n  ')}`);
}

/** What javac objects to most, and one example of each. */
async function ofApk(tools: JavaTools, apk: string, isJson: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'round-trip-'));
  try {
    const { errors, ...sums } = await tripOfApk(tools, apk, folder);
    const byKind = [...Map.groupBy(errors, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length);
    if (isJson)
      for (const error of errors) console.log(JSON.stringify({ ...error, path: relative(folder, error.path) }));
    else
      for (const [kind, [first, ...others]] of byKind)
        console.log(`${others.length + 1} ${kind}: ${relative(folder, first!.path)}:${first!.line}: ${first!.message}`);
    const kinds = Object.fromEntries(byKind.map(([kind, { length }]) => [kind, length]));
    console.log(JSON.stringify({ ...sums, errors: kinds }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    seed: { type: 'string' },
    release: { type: 'string' },
    endless: { type: 'boolean', default: false },
    minimise: { type: 'string' },
    random: { type: 'string' },
  },
});
const missing = missingTools();
if (missing !== false) {
  console.error(missing);
  process.exit(1);
}
await using tools = JavaTools.start();
const { random } = values;
const folder =
  random === undefined
    ? resolve(positionals[0] ?? join(import.meta.dirname, 'programs'))
    : writeRandomPrograms(mkdtempSync(join(tmpdir(), 'random-programs-')), Number(random), Number(positionals[0] ?? 1));
let seed = values.seed === undefined ? null : Number(values.seed);
const release = values.release === undefined ? null : Number(values.release);
const minimise = values.minimise === undefined ? null : resolve(values.minimise);
if (/\.(?:apk|dex|jar)$/.test(folder)) {
  await ofApk(tools, folder, values.json);
  process.exit(0);
}
do {
  await ofFolder(tools, folder, { isJson: values.json, seed, release, minimise });
  seed = (seed ?? 0) + 1;
} while (values.endless);
if (random !== undefined) rmSync(folder, { recursive: true, force: true });
