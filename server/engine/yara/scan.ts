// Scans an APK, and each file inside it unpacked, with compiled rulesets. Knows engines by their interface alone.

import type { LeftFiles } from '../../contract/engine/analysis-results.ts';
import { type OnlyFiles, readsNoFile } from '../../contract/engine/content-index.ts';
import type { RulesetOutcome, YaraResult } from '../../contract/engine/yara.ts';
import { accountShare, aloneLimits, awaitedStretch } from '../../contract/rules/ruleset-limits.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { isWithin, walkFiles } from '../app/scanned-files.ts';
import { cpuMilliseconds } from '../cpu-time.ts';
import { Findings } from '../findings.ts';
import type { RulesetCollection } from './collection.ts';
import { type EngineMatch, type EngineString, labelOf, ScanTimeout } from './engines/engine.ts';
import { type Asked, guardedScan, type ScanTime } from './engines/guarded-scan.ts';
import { FileFacts, isFileCall } from './modules/file-functions.ts';
import { callEvaluator, type ModuleCall, type ModuleReports } from './modules/module-functions.ts';
import { type NamedFile, RecordedMatches } from './recorded-matches.ts';
import { namespaceOf, type RuleGroup } from './rule-group.ts';
import { RuleTimes } from './rule-times.ts';

/** Rulesets that took too long together are split into this many parts, again and again until the slow ones stand alone. */
const parts = 8;
/** Several rulesets together are given up this many times sooner than one alone, since most take next to no time. */
const haste = 16;
/** Milliseconds that are added to a ruleset's time for reading each full `readingLength` of bytes. */
const readingTime = 4_000;
const readingLength = 16 * 1024 * 1024;

/** Where nobody waits, a scan may take this many times its processor time on the clock. */
const patientStretch = 12;

/** Several rulesets together may take this many times the limit of one file for all files. */
const allFilesLimits = 6;
/** Shares that an account's rulesets may take in all until the slow ones among them are found. */
const maxShares = 3;
/** Shares after which rulesets of several accounts are compiled apart, so that time is charged to the right one. */
const sharesTogether = 2;
/** A ruleset that takes this many times as long as others is slow. */
const slowness = 3;

export interface ScanOptions {
  reports: ModuleReports;
  /** Milliseconds of the processor for one ruleset and one file; reading through large files is allowed for. */
  rulesetTimeout: number;
  /** Milliseconds of the processor for all rulesets of one account and all files; reading is allowed for. */
  accountShare?: number;
  /** Also scans what came out of the APK and is no entry of it; `left` by runs of it. */
  left?: LeftFiles;
  /** Scans these files alone: it is known that no rule matches in the others. */
  only?: OnlyFiles;
  /** A person waits: however busy the machine is, time on the clock counts too. */
  isAwaited?: boolean;
  /** Also takes the time of each rule by itself. */
  measuresRules?: boolean;
  progress(stage: string, done: number): void;
}

/** Runs all rulesets over the file itself and over every file inside it. */
export function scanApk(source: ByteSource, collection: RulesetCollection, options: ScanOptions): YaraResult {
  const started = cpuMilliseconds();
  const findings = new Findings();
  const { only } = options;
  const scan = new ApkScan(collection, options, findings);
  if (collection.members.size > 0 && only !== undefined && readsNoFile(only)) {
    // Of rules that ask files none matches: those that do match in any file, also in none.
    scan.run('', new Uint8Array());
    scan.end(only.files_count, true);
  } else if (collection.members.size > 0) {
    walkFiles(source, {
      left: options.left,
      ...(only === undefined ? {} : { wants: (number) => isWithin(only.ranges, number) }),
      findings,
      progress: (done) => options.progress('yara', done),
      visit: ({ name, bytes }) => scan.run(name, bytes),
    });
    scan.end(only?.files_count);
  }
  const yara = Math.round(cpuMilliseconds() - started);
  return { rulesets: scan.outcomes(), findings: findings.list(), timings: { yara, ...scan.timings() } };
}

interface ActiveGroup {
  group: RuleGroup;
  /** Of the rulesets that are asked for here: a group may hold others, or some that another group answers for. */
  keys: ReadonlySet<string>;
  asked: Asked;
  /** The account whose time they use; null: none, without a limit; `several`: of different accounts. */
  sharer: number | null | 'several';
  /** For the files so far. */
  spent: ScanTime;
}

class ApkScan {
  readonly #collection: RulesetCollection;
  readonly #rulesetTimeout: number;
  readonly #accountShare: number;
  readonly #isAwaited: boolean;
  readonly #findings: Findings;
  readonly #valueOf: ReturnType<typeof callEvaluator>;
  #groups: ActiveGroup[];
  /** Groups compiled in the course of this scan, after a slow ruleset was found. */
  readonly #isolated: ActiveGroup[] = [];
  /** By namespace; several rulesets of the same text share one. */
  readonly #outcomes = new Map<string, RulesetOutcome[]>();
  readonly #allOutcomes: RulesetOutcome[] = [];
  readonly #ruleTimes: RuleTimes | null;
  /** By key, the account whose time a text uses. */
  readonly #sharers = new Map<string, number>();
  /** Milliseconds of the processor that rulesets of each account took by themselves. */
  readonly #spentBy = new Map<number, number>();
  /** By namespace, what the set of rules behind the places of its strings sees. */
  readonly #placesAsked = new Map<string, Asked>();
  /** By namespace. */
  readonly #recorded = new Map<string, RecordedMatches>();
  /** Of all files so far. */
  #bytesRead = 0;
  #filesRead = 0;

  constructor(collection: RulesetCollection, options: ScanOptions, findings: Findings) {
    const { reports, rulesetTimeout, isAwaited = false, measuresRules } = options;
    this.#collection = collection;
    this.#rulesetTimeout = rulesetTimeout;
    this.#accountShare = options.accountShare ?? accountShare;
    this.#isAwaited = isAwaited;
    this.#findings = findings;
    this.#valueOf = callEvaluator(reports);
    for (const [key, same] of Map.groupBy(collection.rulesets, (ruleset) => ruleset.key)) {
      const sharer = same[0]?.sharer;
      // A text that also belongs to somebody without a share is charged to nobody.
      if (sharer !== undefined && same.every((ruleset) => ruleset.sharer !== undefined)) this.#sharers.set(key, sharer);
    }
    const slow = new Set([...collection.members.keys()].filter((namespace) => !this.#isEvaluated(namespace)));
    this.#groups = collection.groups
      .filter(({ engineRules }) => engineRules !== null)
      .map((group) => {
        const keys = [...group.members.values()]
          .filter((member) => collection.members.get(namespaceOf(member.key)) === member)
          .map(({ key }) => key)
          .filter((key) => !slow.has(namespaceOf(key)));
        return this.#activeGroup(group, keys);
      });
    for (const { id, key } of collection.rulesets) {
      const errors = collection.errorsOf(key);
      const namespace = namespaceOf(key);
      const status = errors !== null ? 'broken' : slow.has(namespace) ? 'timeout' : 'done';
      const outcome: RulesetOutcome = {
        id,
        status,
        errors: errors ?? [],
        files_scanned: 0,
        matches_count: 0,
        rules_matched: [],
        rules_measured: [],
      };
      this.#allOutcomes.push(outcome);
      this.#outcomes.set(namespace, [...(this.#outcomes.get(namespace) ?? []), outcome]);
    }
    const timed = [...collection.members.keys()].filter((namespace) => !slow.has(namespace));
    const askedBy = (namespace: string, key: string) => this.#askedByOne(namespace, key);
    this.#ruleTimes = measuresRules === true ? new RuleTimes(collection, timed, askedBy) : null;
  }

  /** Whether a ruleset's calls on the reports are evaluated within its time; the values are kept. */
  #isEvaluated(namespace: string): boolean {
    const started = cpuMilliseconds();
    try {
      for (const [name, call] of this.#collection.members.get(namespace)!.calls) {
        if (!isFileCall(call)) this.#valueOf(name, call);
        if (cpuMilliseconds() - started > this.#rulesetTimeout) throw new ScanTimeout('the calls took too long');
      }
      return true;
    } catch (error) {
      if (!(error instanceof ScanTimeout)) throw error;
      this.#findings.add('analysis-incomplete', '', `a ruleset is left out: ${error.message}`);
      return false;
    }
  }

  /** What the calls of these rulesets are on the APK's reports, zeros left out. */
  #askedBy(keys: readonly string[]): Asked {
    const globals: Record<string, number> = {};
    const fileCalls = new Map<string, ModuleCall>();
    for (const key of keys) {
      for (const [name, call] of this.#collection.members.get(namespaceOf(key))!.calls) {
        if (isFileCall(call)) fileCalls.set(name, call);
        else {
          const value = this.#valueOf(name, call);
          if (value !== 0) globals[name] = value;
        }
      }
    }
    return { globals, fileCalls: [...fileCalls] };
  }

  /** Scans one piece of bytes; `name` is the entry's, empty for the APK itself. */
  run(name: string, bytes: Uint8Array): void {
    const file = { name, bytes, facts: new FileFacts({ name, bytes }) };
    const time = this.#timeFor(bytes);
    this.#bytesRead += bytes.length;
    this.#filesRead += 1;
    for (const active of this.#groups) {
      active.group.engineRules?.makeReady?.(bytes);
      const started = { cpu: cpuMilliseconds(), clock: performance.now() };
      const result = guardedScan(active.group.engineRules, active.asked, file, time);
      this.#spend(active, cpuMilliseconds() - started.cpu);
      if (Array.isArray(result)) this.#record(active, result, file);
      else this.#isolate(active, file, result, cpuMilliseconds() - started.cpu);
      active.spent.cpu += cpuMilliseconds() - started.cpu;
      active.spent.clock += performance.now() - started.clock;
      if (Array.isArray(result) && this.#isPastTimeForAll(active)) this.#relieve(active, file);
    }
    if (this.#sharers.size > 0) this.#holdToShares(name);
    this.#ruleTimes?.take(file, time);
  }

  /**
   * Tells the times, and frees what was compiled for this scan alone.
   * @param filesCount of the APK, where not all of them were read
   * @param isForAll whether what matched does so in all of them
   */
  end(filesCount = this.#filesRead, isForAll = false): void {
    for (const { group } of this.#isolated) group.engineRules?.free();
    for (const outcome of this.#allOutcomes) outcome.files_scanned = filesCount;
    for (const recorded of this.#recorded.values()) recorded.end(isForAll ? this.#filesRead : filesCount, filesCount);
    if (isForAll) for (const outcome of this.#allOutcomes) outcome.matches_count *= filesCount;
    for (const { namespace, name, milliseconds } of this.#ruleTimes?.end() ?? []) {
      for (const outcome of this.#outcomes.get(namespace)!) outcome.rules_measured.push({ name, milliseconds });
    }
  }

  /** In steps, since each other limit makes the engine build a new scanner. */
  #timeFor(bytes: Uint8Array): ScanTime {
    const cpu = this.#rulesetTimeout + readingTime * Math.floor(bytes.length / readingLength);
    return { cpu, clock: cpu * (this.#isAwaited ? awaitedStretch : patientStretch) };
  }

  /** A ruleset that is alone gets less: it has been too slow before, or a person waits for it. */
  #isPastTimeForAll({ keys, spent }: ActiveGroup): boolean {
    const limits = keys.size > 1 ? allFilesLimits : aloneLimits;
    const cpu = this.#withReading(this.#rulesetTimeout * limits);
    return spent.cpu > cpu || (this.#isAwaited && spent.clock > cpu * awaitedStretch);
  }

  /** Milliseconds with what all files so far may add to them for so many groups. */
  #withReading(milliseconds: number, groups = 1): number {
    const reading = readingTime * Math.floor(this.#bytesRead / readingLength);
    return milliseconds + reading + this.#collection.engine.scanTime * this.#filesRead * groups;
  }

  #spend({ sharer }: ActiveGroup, milliseconds: number): void {
    if (typeof sharer !== 'number') return;
    // The engine's own time for every file is charged to no account.
    const own = Math.max(0, milliseconds - this.#collection.engine.scanTime);
    this.#spentBy.set(sharer, (this.#spentBy.get(sharer) ?? 0) + own);
  }

  #hasSpentAll(sharer: ActiveGroup['sharer']): boolean {
    if (typeof sharer !== 'number') return false;
    return (this.#spentBy.get(sharer) ?? 0) > maxShares * this.#withReading(this.#accountShare);
  }

  /** Once an account has used up its share, leaves out those of its rulesets that take most of it. */
  #holdToShares(file: string): void {
    const together = this.#withReading(this.#accountShare * sharesTogether);
    for (const active of this.#groups) {
      if (active.sharer === 'several' && active.spent.cpu > together) {
        this.#divide(active, [[...active.keys]]);
      }
    }
    for (const [sharer, groups] of Map.groupBy(this.#groups, (active) => active.sharer)) {
      if (typeof sharer !== 'number') continue;
      const share = this.#withReading(this.#accountShare, groups.length);
      if (groups.reduce((sum, { spent }) => sum + spent.cpu, 0) <= share) continue;
      const isOver = this.#hasSpentAll(sharer);
      const portion = isOver ? 0 : share / groups.length;
      for (const active of groups.filter(({ spent }) => spent.cpu >= portion)) {
        const keys = [...active.keys];
        const isLeftOut = isOver || keys.length === 1;
        if (isLeftOut) for (const key of keys) this.#leaveOverShare(key, file);
        this.#divide(active, isLeftOut ? [] : chunks(keys, Math.ceil(keys.length / parts)));
      }
    }
  }

  #leaveOverShare(key: string, file: string): void {
    this.#leaveOut(key, 'over-share', "is over its author's share of the time", file);
  }

  /** Keys of each account by themselves. */
  #byAccount(keys: readonly string[]): string[][] {
    return [...Map.groupBy(keys, (key) => this.#sharers.get(key)).values()];
  }

  /**
   * Finds the rulesets that are too slow, and leaves them out.
   * @param milliseconds of the processor that all of them took until they ended so
   */
  #isolate(active: ActiveGroup, file: NamedFile, error: Error, milliseconds: number): void {
    const left: string[] = [];
    const [only] = active.keys;
    if (only !== undefined && active.group.members.size === 1 && error instanceof ScanTimeout) {
      this.#giveUp(only, error, file);
      this.#ruleTimes?.noteTimeout(namespaceOf(only), milliseconds);
    } else {
      for (const keys of this.#byAccount([...active.keys])) this.#tryParts(keys, file, left);
    }
    // None is slow by itself: together they are too many for such a file.
    const size = left.length === active.keys.size ? Math.ceil(left.length / parts) : left.length;
    this.#divide(active, chunks(left, size));
  }

  /** Splits a group into parts that are compiled and timed by themselves. */
  #divide(active: ActiveGroup, rest: readonly string[][]): void {
    const groups = rest.flatMap((keys) => this.#byAccount(keys)).map((keys) => this.#activate(keys));
    this.#isolated.push(...groups);
    this.#groups = this.#groups.flatMap((other) => (other === active ? groups : [other]));
  }

  /** Takes those out of a group that take most of its time; one that is alone already is left out. */
  #relieve(active: ActiveGroup, file: NamedFile): void {
    const keys = [...active.keys];
    if (keys.length === 1) {
      this.#leaveOut(keys[0]!, 'timeout', 'took longer than it may for all files', file.name);
      this.#divide(active, []);
      return;
    }
    const slow = this.#slowAmong(keys, file);
    const others = keys.filter((key) => !slow.includes(key));
    // None is slow by itself: together they are too many.
    const size = slow.length === 0 ? Math.ceil(others.length / parts) : others.length;
    this.#divide(active, [...slow.map((key) => [key]), ...chunks(others, size)]);
  }

  /** Those of some rulesets that take much more than others for a file. */
  #slowAmong(keys: readonly string[], file: NamedFile): string[] {
    const timed = chunks(keys, Math.ceil(keys.length / parts)).map((some) => {
      const active = this.#activate(some);
      const started = cpuMilliseconds();
      guardedScan(active.group.engineRules, active.asked, file, this.#timeFor(file.bytes));
      const milliseconds = cpuMilliseconds() - started;
      active.group.engineRules?.free();
      return { some, milliseconds };
    });
    const times = timed.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
    const usual = times[(times.length - 1) >> 1]!;
    const slow = timed.filter(({ milliseconds }) => milliseconds > Math.max(usual * slowness, 1));
    return slow.flatMap(({ some }) => (some.length === 1 ? some : this.#slowAmong(some, file)));
  }

  #activate(keys: readonly string[]): ActiveGroup {
    return this.#activeGroup(this.#collection.compileSome(keys), keys);
  }

  #activeGroup(group: RuleGroup, keys: readonly string[]): ActiveGroup {
    const sharers = new Set(keys.map((key) => this.#sharers.get(key) ?? null));
    const [sharer = null] = sharers;
    const asked = this.#askedBy(keys);
    const spent = { cpu: 0, clock: 0 };
    return { group, keys: new Set(keys), asked, sharer: sharers.size > 1 ? 'several' : sharer, spent };
  }

  #tryParts(keys: readonly string[], file: NamedFile, left: string[]): void {
    const { cpu, clock } = this.#timeFor(file.bytes);
    for (const some of chunks(keys, Math.ceil(keys.length / parts))) {
      if (this.#hasSpentAll(this.#sharers.get(some[0]!) ?? null)) {
        for (const key of some) this.#leaveOverShare(key, file.name);
        continue;
      }
      const active = this.#activate(some);
      const started = cpuMilliseconds();
      const share = some.length > 1 ? haste : 1;
      const time = { cpu: Math.ceil(cpu / share), clock: Math.ceil(clock / share) };
      const result = guardedScan(active.group.engineRules, active.asked, file, time);
      this.#spend(active, cpuMilliseconds() - started);
      active.group.engineRules?.free();
      if (Array.isArray(result)) {
        this.#record(active, result, file);
        left.push(...some);
      } else if (some.length > 1) {
        this.#tryParts(some, file, left);
      } else {
        this.#giveUp(some[0]!, result, file);
      }
    }
  }

  #giveUp(key: string, error: Error, { name }: NamedFile): void {
    if (error instanceof ScanTimeout) this.#leaveOut(key, 'timeout', 'took longer than it may', name);
    else this.#leaveOut(key, 'failed', `made the engine fail (${error.message.slice(0, 100)})`, name);
  }

  #leaveOut(key: string, status: 'timeout' | 'over-share' | 'failed', reason: string, file: string): void {
    this.#findings.add('analysis-incomplete', file, `a ruleset ${reason}; it is left out`);
    for (const outcome of this.#outcomes.get(namespaceOf(key)) ?? []) outcome.status = status;
  }

  #record({ group, keys }: ActiveGroup, matches: readonly EngineMatch[], file: NamedFile): void {
    for (const [key, some] of Map.groupBy(matches, (match) => group.owners.get(labelOf(match))?.key)) {
      // Private rules have no owner.
      if (key === undefined || !keys.has(key)) continue;
      const namespace = namespaceOf(key);
      const { rules } = this.#collection.members.get(namespace)!;
      const recorded = this.#recorded.get(namespace) ?? new RecordedMatches(rules);
      this.#recorded.set(namespace, recorded);
      const told = recorded.add(some, file, (names) => this.#placesOf(namespace, key, names, file));
      for (const outcome of this.#outcomes.get(namespace)!) {
        outcome.matches_count += some.length;
        outcome.rules_matched.push(...told);
      }
    }
  }

  #placesOf(namespace: string, key: string, names: readonly string[], file: NamedFile): Map<string, EngineString[]> {
    const engineRules = this.#collection.rulesWithPlaces(key, names);
    const result = guardedScan(engineRules, this.#askedByOne(namespace, key), file, this.#timeFor(file.bytes));
    if (Array.isArray(result)) return new Map(result.map(({ rule, strings }) => [rule, strings]));
    const reason = 'the places of matching strings took too long to find';
    this.#findings.add('analysis-incomplete', file.name, reason, 'low');
    return new Map();
  }

  #askedByOne(namespace: string, key: string): Asked {
    let asked = this.#placesAsked.get(namespace);
    if (asked === undefined) {
      asked = this.#askedBy([key]);
      this.#placesAsked.set(namespace, asked);
    }
    return asked;
  }

  /** What measuring the times of rules has cost. */
  timings(): Record<string, number> {
    return this.#ruleTimes === null ? {} : { measuring: Math.round(this.#ruleTimes.cost) };
  }

  outcomes(): RulesetOutcome[] {
    return this.#allOutcomes;
  }
}

const chunks = (keys: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, index) => keys.slice(index * size, (index + 1) * size));
