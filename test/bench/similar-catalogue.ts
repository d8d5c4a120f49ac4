// What APKs of a large catalogue consist of, written straight into its tables: versions of some apps, libraries, strangers.
import { createHash } from 'node:crypto';
import SqliteDatabase from 'better-sqlite3';
import { hashBytes } from '../../server/contract/engine/code-sketch.ts';
import type { Fingerprint, HashSet } from '../../server/contract/engine/fingerprint.ts';
import { maxSetHashes } from '../../server/contract/engine/fingerprint.ts';
import { sketchOf } from '../../server/engine/similarity/code-sketch.ts';
import { fingerprintKeys } from '../../server/services/catalogue/likeness/fingerprint-keys.ts';
import { dice } from './large-catalogue.ts';

type Connection = SqliteDatabase.Database;

const libraries = 400;
const hosts = 100_000;
/** Of a hundred apps so many have an icon that others have too, from a kit or the platform. */
const usualIcons = 20;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The same for the same words. */
const mixed = (one: number, other: number): number => {
  let hash = Math.imul(one ^ Math.imul(other, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
const methods = (name: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => mixed(name, at + 1));
const libraryCode = Array.from({ length: libraries }, (_, at) => methods(at + 1, 20 + ((at * 37) % 280)));
const libraryFiles = Array.from({ length: libraries }, (_, at) => methods(at + 1_000_003, 3 + (at % 40)));

/** What the versions of an app share. */
interface App {
  seed: number;
  code: number[];
  libraries: number[];
  files: number[];
  symbols: number[];
  icon: Buffer;
  tlsh: Buffer;
  ssdeep: string;
  hosts: number[];
}

function appOf(packageName: string): App {
  const seed = createHash('md5').update(packageName).digest().readUInt32BE(0);
  const { below, popular } = dice(seed);
  const isUsual = below(100) < usualIcons;
  const [from, count] = [mixed(seed, 0), Math.round(30 * 2 ** (below(700) / 100))];
  const used = Array.from({ length: below(5) }, () => popular(libraries));
  return {
    seed,
    code: methods(from, count),
    libraries: used,
    files: methods(from + 1, 10 + below(200)),
    symbols: below(3) === 0 ? methods(from + 2, below(200)) : [],
    icon: createHash('md5')
      .update(`icon ${isUsual ? popular(50) : seed}`)
      .digest()
      .subarray(0, 8),
    tlsh: createHash('shake256', { outputLength: 35 }).update(packageName).digest(),
    ssdeep: Array.from({ length: 62 }, () => alphabet[below(64)]).join(''),
    hosts: Array.from({ length: below(8) }, () => popular(hosts)),
  };
}

/** What is left of a set in a version, and what is new in it. */
const versionOf = (set: readonly number[], seed: number, version: number, changed: number): number[] => [
  ...set.filter((hash) => mixed(hash, version) >= changed * 2 ** 32),
  ...methods(mixed(seed, version), Math.round(set.length * changed)),
];

function smallest(hashes: readonly number[]): HashSet {
  const all = Uint32Array.from(new Set(hashes)).sort();
  const kept = Buffer.alloc(Math.min(all.length, maxSetHashes) * hashBytes);
  for (let at = 0; at < kept.length; at += hashBytes) kept.writeUInt32BE(all[at / hashBytes]!, at);
  return { count: all.length, hashes: kept };
}

function digestsOf({ tlsh, ssdeep }: App, version: number) {
  return [0, 1].map((kind) => {
    const bytes = Buffer.from(tlsh);
    for (let at = 0; at < 4; at++) bytes[3 + ((version * 7 + at * 5 + kind) % 32)]! ^= 1 << ((version + at) % 8);
    // As long as other files: the length's step takes some sixty values.
    bytes[1] = (bytes[1]! % 60) + kind;
    const changed = (version * 13 + kind) % 50;
    const text = `${ssdeep.slice(0, changed)}${alphabet[version % 64]}${ssdeep.slice(changed + 1)}`;
    return {
      tlsh: bytes.toString('hex').toUpperCase(),
      ssdeep: `${3 * 2 ** (10 + kind)}:${text}:${text.slice(0, 31)}`,
    };
  });
}

function fingerprintOf(app: App, version: number): Fingerprint {
  const common = app.libraries.flatMap((at) => libraryFiles[at]!);
  return {
    icon: app.icon,
    digests: digestsOf(app, version),
    files: smallest([...versionOf(app.files, app.seed, version, 0.2), ...common]),
    native: smallest([...app.symbols, ...(app.symbols.length > 0 ? common : [])]),
  };
}

/** Pairs of a number and an APK, to be written in their order, which takes a tenth of the time. */
class Pairs {
  #all = new Float64Array(1 << 20);
  #count = 0;

  add(number: number, apkId: number): void {
    if (this.#count === this.#all.length) {
      const larger = new Float64Array(this.#all.length * 2);
      larger.set(this.#all);
      this.#all = larger;
    }
    this.#all[this.#count++] = number * 2 ** 20 + apkId;
  }

  /** @param base added to each number */
  writeTo(insert: SqliteDatabase.Statement, base = 0): void {
    const sorted = this.#all.subarray(0, this.#count).sort();
    for (let at = 0; at < sorted.length; at++) {
      const number = Math.floor(sorted[at]! / 2 ** 20);
      if (at === 0 || sorted[at] !== sorted[at - 1]) insert.run(base + number, sorted[at]! - number * 2 ** 20);
    }
    this.#all = new Float64Array(0);
  }
}

/** Writes what each analysed APK consists of. @param path of a catalogue of the newest schema that nobody has open */
export function fillSimilar(path: string): void {
  const database = new SqliteDatabase(path);
  for (const pragma of ['journal_mode = off', 'synchronous = off', 'cache_size = -800000', 'foreign_keys = off'])
    database.pragma(pragma);
  const sketch = database.prepare(
    'insert into code_sketches (apk_id, methods, hashes, core_methods, core_hashes) values (?, ?, ?, ?, ?)',
  );
  const print = database.prepare('insert into fingerprints values (?, ?, ?, ?, ?, ?, ?)');
  const bands = new Pairs();
  const keys = Array.from({ length: 7 }, () => new Pairs());
  const uses = new Pairs();
  const firstHost = database
    .prepare("insert into search_terms (field, text) values ('domain', ?) returning id")
    .pluck();
  const apks = database.prepare('select id, package_name from apks where is_static_analyzed = 1').raw();
  const named = new Map<string, App>();
  database.transaction(() => {
    const hostIds = Array.from({ length: hosts }, (_, at) => firstHost.get(`h${at}.example${at % 97}.com`) as number);
    for (const [id, packageName] of apks.all() as [number, string][]) {
      const app = named.get(packageName) ?? appOf(packageName);
      if (named.size < 100_000) named.set(packageName, app);
      const core = versionOf(app.code, app.seed, id, (id % 20) / 100);
      const own = new Set([...core, ...app.libraries.flatMap((at) => libraryCode[at]!)]);
      const { methods: count, hashes, core: kept, bands: groups } = sketchOf(own, id % 7 === 0 ? null : core);
      sketch.run(id, count, hashes, kept?.methods ?? null, kept?.hashes ?? Buffer.alloc(0));
      for (const group of groups) bands.add(group, id);
      const { icon, digests, files, native } = fingerprintOf(app, id);
      print.run(id, icon, JSON.stringify(digests), files.count, files.hashes, native.count, native.hashes);
      for (const key of fingerprintKeys({ icon, digests, files, native }))
        keys[Math.floor(key / 2 ** 32)]!.add(key % 2 ** 32, id);
      for (const host of app.hosts) uses.add(hostIds[host]!, id);
    }
    writeIndexed(database, 'code_bands', 'code_bands_by_apk', [bands], 0);
    writeIndexed(database, 'likeness_keys', 'likeness_keys_by_apk', keys, 2 ** 32);
    writeIndexed(database, 'apk_terms', 'apk_terms_by_apk', [uses], 0);
  })();
  database.exec('analyze');
  database.close();
}

function writeIndexed(database: Connection, table: string, index: string, some: readonly Pairs[], step: number): void {
  const again = database.prepare('select sql from sqlite_schema where name = ?').pluck().get(index) as string;
  database.exec(`drop index ${index}`);
  const insert = database.prepare(`insert or ignore into ${table} values (?, ?)`);
  for (const [at, pairs] of some.entries()) pairs.writeTo(insert, at * step);
  database.exec(again);
}
