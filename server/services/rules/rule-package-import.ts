// Imports an archive or a folder of rules as a package, or updates the package of its name. Knows neither HTTP nor archives.
import type { FileReference } from '../../contract/engine/analysis-results.ts';
import type { ArchivedRules, RuleArchive } from '../../contract/engine/rule-archive.ts';
import type { PackageChange, PackagePreview as SentPreview } from '../../contract/rules/rule-package.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { PackagedRuleset, PlainRulePackage } from '../../store/repositories/rules/rule-package-repository.ts';
import { prepareRulesText } from '../../store/repositories/rules/ruleset-version-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { ActiveRulesets } from './active-rulesets.ts';
import { mayAskRuns } from './apk-scanner.ts';
import type { Rulesets } from './rulesets.ts';

/** What people say of a package, in the place of what its archive says where it is not empty. */
export interface PackageWish {
  name: string;
  version: string;
  licence: string;
  /** Of the archive or folder. */
  fileName: string;
  /** Where it is from; empty: its file's name says enough. */
  source: string;
  /** Of new rulesets; of a package that is there it stays as it was. */
  isEnabled: boolean;
  isPublic: boolean;
}

export interface ImportParts {
  store: Store;
  pool: WorkerPool;
  active: ActiveRulesets;
  rulesets: Rulesets;
}

export interface ImportCourse {
  signal?: AbortSignal | undefined;
  onProgress?: ((stage: string, done: number) => void) | undefined;
}

/** Why an archive is no package, in words. */
export class PackageError extends Error {}

/** Files that are written in one transaction, so that no other request waits long. */
const filesAtOnce = 25;
const maxName = 200;

const visible = (text: string) => text.replace(/[^\x20-\x7e\u00a1-\uffef]/g, '_').slice(0, maxName);

/** `signature-base-2.1`: name and version, where nobody says them. */
function nameAndVersion(top: string, fileName: string): { name: string; version: string } {
  const base = top !== '' ? top : fileName.replace(/\.(?:zip|tgz|tar|tar\.gz|yara?|rules?)$/i, '');
  const [, name, version] = base.match(/^(.+?)[-_]v?(\d[\w.+-]*)$/) ?? [];
  return { name: visible(name ?? base) || 'rules', version: visible(version ?? '') };
}

interface ReadPackage {
  archive: RuleArchive;
  /** Rulesets by the SHA-256 of a text that they came with. */
  known: ReadonlyMap<string, number>;
  name: string;
  version: string;
}

/** @throws PackageError where there is nothing to import */
async function readPackage(
  { store, pool }: ImportParts,
  account: AccountRecord,
  file: FileReference,
  wish: PackageWish,
  { signal, onProgress }: ImportCourse,
): Promise<ReadPackage> {
  const known = await store.rulePackages.texts();
  const options = {
    account: account.id,
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
  const reply = await pool.run(
    { kind: 'rule_archive', file, fileName: wish.fileName, known: [...known.keys()] },
    options,
  );
  signal?.throwIfAborted();
  if (reply.status === 'failed') throw new PackageError(`It cannot be read as rules: ${reply.message}.`);
  const archive = reply.result;
  if (usableOf(archive).length === 0) {
    const [first] = archive.files;
    const why = first === undefined ? 'it has no file called *.yar, *.yara or *.rule' : `${first.path}: ${first.fault}`;
    throw new PackageError(`It has no rules that can be used: ${why}.`);
  }
  const of = nameAndVersion(archive.top, wish.fileName);
  return { archive, known, name: wish.name || of.name, version: wish.version || of.version };
}

const usableOf = ({ files }: RuleArchive): ArchivedRules[] => files.filter(({ fault }) => fault === null);

/**
 * Reads, checks and keeps the rules. Files that cannot be used are told, and what stood under their paths stays; rulesets
 * whose files are gone go to the trash. Interrupted and started again, it goes on.
 * @throws PackageError where there is nothing to import
 */
export async function importRulePackage(
  parts: ImportParts,
  account: AccountRecord,
  file: FileReference,
  wish: PackageWish,
  course: ImportCourse = {},
): Promise<PlainRulePackage> {
  const { store } = parts;
  const { signal, onProgress } = course;
  const { archive, known, name, version } = await readPackage(parts, account, file, wish, course);
  const found = await packageFor(store, account, archive, { ...wish, name });
  const held = new Map((await store.rulePackages.rulesets(found.id)).map((ruleset) => [ruleset.path, ruleset]));
  const change = changeOf(archive, held);
  const writing = new PackageWriting(parts, account, found, known);
  const wanted = usableOf(archive).filter(({ path, sha256 }) => held.get(path)?.sha256 !== sha256);
  for (let from = 0; from < wanted.length; from += filesAtOnce) {
    signal?.throwIfAborted();
    await writing.put(wanted.slice(from, from + filesAtOnce), held);
    onProgress?.('keeping rules', from / wanted.length);
  }
  for (const path of change.removed) {
    const ruleset = (await parts.rulesets.findByIds([held.get(path)!.rulesetId])).values().next().value;
    if (ruleset !== undefined) await parts.rulesets.remove(ruleset, account);
  }
  const licence = wish.licence || archive.licence || '';
  const changes = { version, licence, source: wish.source || wish.fileName, change: JSON.stringify(change) };
  await store.transaction(({ rulePackages }) => rulePackages.update(found.id, changes, true));
  parts.active.invalidate();
  return { ...found, ...changes };
}

/** What an import would do. */
export type PackagePreview = Omit<SentPreview, 'is_new'> & { isNew: boolean };

/** Files of which the lines are compared. */
const maxCompared = 200;

/**
 * Reads and checks the rules, and keeps nothing.
 * @throws PackageError where there is nothing to import
 */
export async function previewRulePackage(
  parts: ImportParts,
  account: AccountRecord,
  file: FileReference,
  wish: PackageWish,
  course: ImportCourse = {},
): Promise<PackagePreview> {
  const { store, pool } = parts;
  const { archive, known, name, version } = await readPackage(parts, account, file, wish, course);
  const there = await store.rulePackages.find(name);
  const rulesets = there === null ? [] : await store.rulePackages.rulesets(there.id);
  const held = new Map(rulesets.map((ruleset) => [ruleset.path, ruleset]));
  const change = changeOf(archive, held);
  const differences: PackagePreview['differences'] = [];
  const byPath = new Map(archive.files.map((one) => [one.path, one]));
  for (const path of change.changed.slice(0, maxCompared)) {
    const sides = [
      await store.rulesets.readRules(held.get(path)!.rulesetId),
      (await textOf(store, known, byPath.get(path)!)).rules,
    ];
    const [first, second] = sides.map((text) => ({ name: null, text }));
    const task = { kind: 'align', first: first!, second: second!, comparison: null, whole: false } as const;
    const reply = await pool.run(task, { account: account.id });
    if (reply.status !== 'failed') differences.push({ path, lines: reply.result });
  }
  return { name, version, isNew: there === null, change, differences };
}

/** A text that came before is not sent by the worker once more. */
async function textOf(
  store: Store,
  known: ReadonlyMap<string, number>,
  { rules, rules_count: count, sha256 }: ArchivedRules,
): Promise<{ rules: string; count: number }> {
  if (rules !== null) return { rules, count };
  const id = known.get(sha256)!;
  const ruleset = (await store.rulesets.findUncounted([id])).get(id);
  return { rules: await store.rulesets.readRules(id), count: ruleset?.rulesCount ?? 0 };
}

function changeOf(archive: RuleArchive, held: ReadonlyMap<string, PackagedRuleset>): PackageChange {
  const there = new Set(archive.files.map(({ path }) => path));
  const usable = usableOf(archive);
  return {
    added: usable.filter(({ path }) => !held.has(path)).map(({ path }) => path),
    changed: usable
      .filter(({ path, sha256 }) => held.has(path) && held.get(path)!.sha256 !== sha256)
      .map(({ path }) => path),
    removed: [...held.keys()].filter((path) => !there.has(path)),
    refused: archive.files.flatMap(({ path, fault }) => (fault === null ? [] : [{ path, reason: fault }])),
    left_out: archive.left_out,
  };
}

async function packageFor(
  store: Store,
  { id: authorId }: AccountRecord,
  { licence }: RuleArchive,
  { fileName, ...wish }: PackageWish,
): Promise<PlainRulePackage> {
  const there = await store.rulePackages.find(wish.name);
  if (there !== null) return there;
  const fields = {
    ...wish,
    source: wish.source || fileName,
    authorId,
    licence: wish.licence || licence || '',
    change: JSON.stringify(nothing),
  };
  const id = await store.transaction(({ rulePackages }) => rulePackages.insert(fields));
  return { ...fields, id, importedAt: store.clock() };
}

const nothing: PackageChange = { added: [], changed: [], removed: [], refused: [], left_out: 0 };

class PackageWriting {
  readonly #parts: ImportParts;
  readonly #account: AccountRecord;
  readonly #package: PlainRulePackage;
  /** Rulesets by the SHA-256 of a text that they came with. */
  readonly #known: ReadonlyMap<string, number>;

  constructor(
    parts: ImportParts,
    account: AccountRecord,
    rulePackage: PlainRulePackage,
    known: ReadonlyMap<string, number>,
  ) {
    this.#parts = parts;
    this.#account = account;
    this.#package = rulePackage;
    this.#known = known;
  }

  async put(files: readonly ArchivedRules[], held: ReadonlyMap<string, PackagedRuleset>): Promise<void> {
    const { store } = this.#parts;
    const texts = await Promise.all(
      files.map(async (file) => {
        const { rules, count } = await textOf(store, this.#known, file);
        return { file, rules, count, text: await prepareRulesText(rules) };
      }),
    );
    await store.transaction(async (inside) => {
      for (const { file, rules, count, text } of texts) {
        const before = held.get(file.path);
        const rulesetId =
          before === undefined
            ? await this.#add(inside, file.path, rules, count)
            : await this.#change(inside, before.rulesetId, rules, count);
        if (rulesetId === null) continue;
        const { version, isPublic, activeSince } = (await inside.rulesets.findUncounted([rulesetId])).get(rulesetId)!;
        const saved = { rulesetId, version, authorId: this.#account.id, rulesCount: count, activeSince };
        await inside.rulesetVersions.insert({ ...saved, usesDynamic: mayAskRuns(rules), wasPublic: isPublic, text });
        const { path, sha256 } = file;
        await inside.rulePackages.put({ rulesetId, packageId: this.#package.id, path, sha256, version });
      }
    });
  }

  async #add(inside: Writes, path: string, rules: string, rulesCount: number): Promise<number> {
    const { isEnabled, isPublic } = this.#package;
    const activeSince = isEnabled ? await this.#activation(inside) : null;
    const fields = { name: path.slice(-maxName), rules, rulesCount, isEnabled, isPublic, activeSince };
    // Whoever imports thousands of rules reads their matches, and is not told of each.
    return inside.rulesets.insert(this.#account.id, { ...fields, isNotifier: false, socialStatus: 'none' });
  }

  /** @returns null where it was deleted meanwhile */
  async #change(inside: Writes, id: number, rules: string, rulesCount: number): Promise<number | null> {
    const ruleset = (await inside.rulesets.findUncounted([id])).get(id);
    if (ruleset === undefined) return null;
    const activeSince = ruleset.isEnabled ? await this.#activation(inside) : null;
    await inside.rulesets.update(id, { rules, rulesCount, version: ruleset.version + 1, activeSince });
    await inside.rulesets.noteCondition(id, { scanState: 'ok', scanError: null, trouble: 0 });
    return id;
  }

  #activation(inside: Writes): Promise<number> {
    return this.#parts.active.activationOf(this.#parts.store.clock(), inside);
  }
}
