// `npm run -s roundtrip -- FOLDER [--json]`: Java to dex, to Java, to dex, run before and after. Without a folder: the own programs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { JavaTools, missingTools } from './java-tools.ts';
import { programsOf } from './programs.ts';
import { type RoundTrip, roundTrip } from './round-trip.ts';

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
  const { name, notCarried } = result;
  if (notCarried !== null) return [`${name}: not carried by the ${notCarried.by}: ${notCarried.reason.slice(0, 300)}`];
  const errors = result.errors.map(
    ({ path, line, message }) => `${name}: refused: ${basename(path)}:${line}: ${message.slice(0, 300)}`,
  );
  const runs = result.comparisons
    .filter(({ verdict }) => verdict === 'different' || verdict === 'cut')
    .map(({ main, verdict, before, after }) => `${name}: ${main} ${verdict}:${firstDifference(before, after)}`);
  return [...errors, ...runs];
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

async function ofFolder(tools: JavaTools, folder: string, isJson: boolean): Promise<void> {
  const sums: Summary = { files: 0, accepted: 0, programs: 0, equal: 0, different: 0, lost: 0 };
  const apart: Apart = {};
  const place = mkdtempSync(join(tmpdir(), 'round-trip-'));
  try {
    for (const program of programsOf(folder)) {
      const result = await roundTrip({ tools, folder: place }, program).catch((error: unknown) => String(error));
      if (typeof result === 'string') {
        // The first pass carried it: whatever ends the second one is counted as a file that is not accepted.
        console.log(`${program.name}: failed: ${result.slice(0, 300)}`);
        sums.files += program.sources.length;
        continue;
      }
      count(result, sums, apart);
      if (isJson)
        console.log(
          JSON.stringify({ ...result, comparisons: result.comparisons.filter(({ verdict }) => verdict !== 'equal') }),
        );
      else for (const line of told(result)) console.log(line);
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  // What never came to the decompiler is no failure of its own, and not hidden.
  if (Object.keys(apart).length > 0) console.log(`not carried, by: ${JSON.stringify(apart)}`);
  console.log(JSON.stringify(sums));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const missing = missingTools();
if (missing !== false) {
  console.error(missing);
  process.exit(1);
}
await using tools = JavaTools.start();
await ofFolder(tools, resolve(positionals[0] ?? join(import.meta.dirname, 'programs')), values.json);
