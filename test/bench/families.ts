// `npm run bench -- families`: families of a catalogue whose real ones are known, from nothing and as APKs come.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import SqliteDatabase from 'better-sqlite3';
import { sketchOf } from '../../server/engine/similarity/code-sketch.ts';
import { createJobQueue } from '../../server/jobs/job-queue.ts';
import { EventBus } from '../../server/services/event-bus.ts';
import { FamilyUpkeep } from '../../server/services/families/family-upkeep.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { dice } from './large-catalogue.ts';
import { median } from './measured-process.ts';

/** APKs that come one by one afterwards. */
const comingSize = 300;
/** Of all APKs: those in a family of 3 to 50 members; the others are strangers to all. */
const inFamilies = 0.6;
/** Libraries that no table knows, the first of them in very many apps. */
const libraries = 400;

const { below, popular } = dice(11);
const between = (least: number, most: number) => least + below(most - least + 1);
const one = (share: number) => below(1_000_000) < share * 1_000_000;
const newHash = () => below(2 ** 32);
const newCode = (count: number) => Array.from({ length: count }, newHash);
/** Most apps have some hundred methods of their own, some have thousands. */
const codeSize = () => Math.round(30 * 2 ** (below(700) / 100));

const libraryCode = Array.from({ length: libraries }, () => newCode(between(20, 300)));
/** Code of libraries, at the most as much as the app's own: more of what no table knows makes strangers one by any measure. */
const someLibraries = (own: number) => {
  const chosen: number[][] = [];
  let left = own;
  for (let wanted = between(0, 4); wanted > 0; wanted--) {
    const library = libraryCode[popular(libraries)]!;
    if (library.length > left) continue;
    chosen.push(library);
    left -= library.length;
  }
  return chosen;
};

interface MadeApk {
  /** 0: it is in none. */
  family: number;
  packageName: string;
  signer: number;
  code: number[];
  /** What of it stands where the manifest says; null: nothing tells. */
  core: number[] | null;
}

/**
 * Which code of an app stands where its manifest says: of most nearly all, of some little, as where the launcher starts a shell
 * around it, and of one in seven nothing is told.
 */
function coreRule(): (own: readonly number[]) => number[] | null {
  const kind = below(100);
  if (kind < 15) return () => null;
  const share = kind < 75 ? between(90, 100) : between(3, 89);
  return (own) => own.filter((hash) => hash % 100 < share);
}

/** What changes from one version to the next: some methods go, others come. */
const nextVersion = (code: readonly number[]) => {
  const changed = between(2, 20) / 100;
  const kept = code.filter(() => !one(changed));
  return [...kept, ...newCode(Math.round(code.length * changed * (0.8 + below(5) / 10)))];
};

/** Members of a family: versions one after the other, copies by other signers, shrunk ones, ones with a library more. */
function* familyOf(family: number): Generator<MadeApk> {
  let code = newCode(codeSize());
  const known = someLibraries(code.length);
  const coreOf = coreRule();
  const signer = below(1_000_000);
  const packageName = `com.family${family}`;
  for (let left = between(3, 50); left > 0; left--) {
    const kind = below(10);
    if (kind < 5) code = nextVersion(code);
    const shrunk = kind === 9 ? code.filter(() => !one(0.15)) : code;
    const isForeign = kind >= 5;
    // Who copies an app may leave its manifest naming what is no longer there.
    const isUntold = isForeign && one(0.1);
    yield {
      family,
      packageName: isForeign && one(0.7) ? `com.copy${below(1e9)}` : packageName,
      signer: isForeign ? below(1_000_000) : signer,
      code: [...shrunk, ...known.flat(), ...(kind === 8 ? libraryCode[popular(libraries)]! : [])],
      core: isUntold ? null : coreOf(shrunk),
    };
  }
}

function* apks(): Generator<MadeApk> {
  for (let family = 1; ; ) {
    if (one(inFamilies / 26.5 / (inFamilies / 26.5 + (1 - inFamilies)))) yield* familyOf(family++);
    else {
      const own = newCode(codeSize());
      const code = [...own, ...someLibraries(own.length).flat()];
      const packageName = `com.stranger${below(1e9)}`;
      yield { family: 0, packageName, signer: below(1_000_000), code, core: coreRule()(own) };
    }
  }
}

/** Members come at other times than each other. */
function shuffled(count: number): MadeApk[] {
  const all: MadeApk[] = [];
  for (const apk of apks()) if (all.push(apk) >= count) break;
  for (let last = all.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  return all;
}

/** Writes APKs as their analysis would, without what families do not look at. @returns the family of each by its id */
function fill(path: string, all: readonly MadeApk[], firstId: number): Map<number, number> {
  const database = new SqliteDatabase(path);
  database.pragma('synchronous = off');
  const signer = database.prepare('insert or ignore into signers (id, sha256, sha1, is_trusted) values (?, ?, ?, 0)');
  const apk = database.prepare(`insert into apks (id, sha256, sha1, md5, size, app, package_name, company, version,
    version_code, signer_id, has_icon, is_trusted, is_installed, is_detected, is_corrupted, is_static_analyzed,
    is_dynamic_analyzed, rating, votes_count, comments_count, matches_count, file_state, created_at, updated_at)
    values (?, ?, ?, ?, 1, '', ?, '', '', '', ?, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 'ok', ?, 0)`);
  const sketch = database.prepare(
    'insert into code_sketches (apk_id, methods, hashes, core_methods, core_hashes) values (?, ?, ?, ?, ?)',
  );
  const waiting = database.prepare('insert into family_waiting (apk_id) values (?)');
  const band = database.prepare('insert into code_bands (band, apk_id) values (?, ?)');
  const bytes = (number: number, length: number) => {
    const hash = Buffer.alloc(length);
    hash.writeUInt32BE(number, length - 4);
    return hash;
  };
  const bands: [number, number][] = [];
  const families = new Map<number, number>();
  database.transaction(() => {
    for (const [place, { family, packageName, signer: signerId, code, core: own }] of all.entries()) {
      const id = firstId + place;
      families.set(id, family);
      signer.run(signerId + 1, bytes(signerId, 32), bytes(signerId, 20));
      apk.run(id, bytes(id, 32), bytes(id, 20), bytes(id, 16), packageName, signerId + 1, id);
      const { methods, hashes, core, bands: groups } = sketchOf(new Set(code), own === null ? null : new Set(own));
      sketch.run(id, methods, hashes, core?.methods ?? null, core?.hashes ?? Buffer.alloc(0));
      waiting.run(id);
      for (const group of new Set(groups)) bands.push([group, id]);
    }
    bands.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    for (const [group, id] of bands) band.run(group, id);
  })();
  database.close();
  return families;
}

/** Of all pairs of APKs in one family, how many are found together, and of those together, how many are in one. */
function pairwise(store: { homes: Map<number, number | null> }, families: ReadonlyMap<number, number>) {
  const pairs = (count: number) => (count * (count - 1)) / 2;
  const counts = new Map<string, number>();
  const found = new Map<number, number>();
  const real = new Map<number, number>();
  for (const [id, family] of families) {
    const home = store.homes.get(id) ?? null;
    if (home !== null) found.set(home, (found.get(home) ?? 0) + 1);
    if (family !== 0) real.set(family, (real.get(family) ?? 0) + 1);
    if (home !== null && family !== 0) counts.set(`${home} ${family}`, (counts.get(`${home} ${family}`) ?? 0) + 1);
  }
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, count) => total + pairs(count), 0);
  const [together, isFound, isReal] = [sum(counts.values()), sum(found.values()), sum(real.values())];
  const [precision, recall] = [together / isFound, together / isReal];
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall), found: found.size, real: real.size };
}

async function homesOf(store: Store, ids: readonly number[]): Promise<Map<number, number | null>> {
  const homes = new Map<number, number | null>();
  for (let from = 0; from < ids.length; from += 5000)
    for (const { id, familyId } of (await store.familyPlaces.find(ids.slice(from, from + 5000))).values())
      homes.set(id, familyId);
  return homes;
}

const seconds = (from: number) => (performance.now() - from) / 1000;
const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** @param print what tells a line of Markdown @param catalogueSize APKs whose families are to be found at first */
export async function familyFigures(print: (line?: string) => void, catalogueSize: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-bench-families-'));
  const log = { info: () => undefined, warn: () => undefined, error: (details: object) => console.error(details) };
  const store = await openStore(dataDir, { log });
  const all = shuffled(catalogueSize + comingSize);
  const path = join(dataDir, 'catalogue.db');
  const families = fill(path, all.splice(0, catalogueSize), 1);
  const queue = createJobQueue(store);
  const upkeep = new FamilyUpkeep({ store, queue, events: new EventBus(store, queue, log), log });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const memoryBegun = process.memoryUsage().rss;
  const [begun, cpuBegun] = [performance.now(), cpuSeconds()];
  const context = { signal: new AbortController().signal, progress: () => undefined, noteMachine: () => undefined };
  await upkeep.perform({} as never, context);
  const scratch = { wall: seconds(begun), cpu: cpuSeconds() - cpuBegun };
  delay.disable();
  const memory = process.memoryUsage().rss - memoryBegun;
  const told = pairwise({ homes: await homesOf(store, [...families.keys()]) }, families);

  const times: number[] = [];
  for (const [place, apk] of all.entries()) {
    const id = catalogueSize + 1 + place;
    families.set(id, fill(path, [apk], id).get(id)!);
    const from = cpuSeconds();
    await upkeep.perform({} as never, context);
    times.push((cpuSeconds() - from) * 1000);
  }
  const after = pairwise({ homes: await homesOf(store, [...families.keys()]) }, families);
  times.sort((a, b) => a - b);

  const figure = (value: number, digits = 3) => value.toFixed(digits);
  const head = ['APKs', 'precision', 'recall', 'F1', 'families found / built', 'wall, s', 'CPU, s'];
  print(`\n### Families of ${catalogueSize} APKs, ${inFamilies * 100} % of them in families of 3 to 50\n`);
  print(`| ${head.join(' | ')} |`);
  print(`| ${head.map(() => '---').join(' | ')} |`);
  const row = (name: string, { precision, recall, f1, found, real }: typeof told, wall: string, cpu: string) =>
    print(
      `| ${name} | ${figure(precision)} | ${figure(recall)} | ${figure(f1)} | ${found} / ${real} | ${wall} | ${cpu} |`,
    );
  row('from nothing', told, figure(scratch.wall, 0), figure(scratch.cpu, 0));
  row(`${comingSize} more, one by one`, after, '–', `${figure(median(times) / 1000)} each`);
  print(
    `\nIt took ${Math.round(memory / 2 ** 20)} MiB of memory; the server's thread stood still for ${figure(
      delay.percentile(99) / 1e6,
      0,
    )} ms in 99 of 100 cases, ${figure(delay.max / 1e6, 0)} ms at the most.`,
  );
  await upkeep.close();
  await store.close();
  rmSync(dataDir, { recursive: true });
}
