// Scans an APK, and each file inside it unpacked, with compiled rulesets. Knows engines by their interface alone.
import type { RuleMatch, RulesetOutcome, YaraResult } from '../../contract/yara.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { Findings } from '../findings.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { openZip, type ZipArchive } from '../formats/zip/archive.ts';
import { maxPlaces, type RulesetCollection } from './collection.ts';
import {
  type EngineMatch,
  type EngineRules,
  type EngineString,
  type GlobalValues,
  labelOf,
  maxScanLength,
  ScanTimeout,
} from './engine.ts';
import { FileFacts, isFileCall, valuesOnFile } from './file-functions.ts';
import { callEvaluator, type ModuleCall, type ModuleReports } from './module-functions.ts';
import { authorsWord } from './older-dialect.ts';
import { namespaceOf, type RuleGroup } from './rule-group.ts';

/** A rule that matches every byte would else fill the report; how many there were is told. */
const maxStringsPerMatch = 50;
/** Matching rules of one ruleset over all files of an APK. */
const maxMatchesPerRuleset = 500;
/** Of the bytes that a string matched. */
const maxDataLength = 128;

/** The first ones of a task; each costs a scan of every file. */
const maxMeasuredRules = 200;
/** Milliseconds for all of them, past which no more time is taken. */
const maxMeasuringTime = 120_000;
/** As many places as the engine ever keeps of one string. */
const allPlaces = 1_000_000;
/** Rulesets that together took too long are tried again in so many parts, each of them likewise, until the slow ones stand alone. */
const parts = 8;
/** So much sooner than one ruleset alone are several given up and looked at apart: most take next to no time. */
const haste = 16;
/** Milliseconds that reading through bytes once may add to a ruleset's time, for each full piece of them. */
const readingTime = 4_000;
const readingLength = 16 * 1024 * 1024;

export interface ScanOptions {
  reports: ModuleReports;
  /** Milliseconds for one ruleset and one file; reading through large files is allowed for. */
  rulesetTimeout: number;
  /** Also takes the time of each rule by itself. */
  measuresRules?: boolean;
  progress(stage: string, done: number): void;
}

/** Runs all rulesets over the file itself and over every file inside it. */
export function scanApk(source: ByteSource, collection: RulesetCollection, options: ScanOptions): YaraResult {
  const started = performance.now();
  const findings = new Findings();
  const scan = new ApkScan(collection, options, findings);
  if (collection.members.size > 0) {
    if (source.size <= maxScanLength) scan.run('', source.read(0, source.size));
    else findings.add('analysis-incomplete', 'medium', '', `${source.size} bytes are too many for one scan`);
    const archive = openArchive(source, findings);
    if (archive !== null) scanEntries(archive, scan, findings, options);
    scan.end();
  }
  const timings = { yara: Math.round(performance.now() - started) };
  return { rulesets: scan.outcomes(), findings: findings.list(), timings };
}

/** A file that is no archive is scanned as it is. */
function openArchive(source: ByteSource, findings: Findings): ZipArchive | null {
  try {
    return openZip(source, new Findings());
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    if (error.code !== 'not-a-zip') findings.add('analysis-incomplete', 'medium', '', error.message);
    return null;
  }
}

function scanEntries(archive: ZipArchive, scan: ApkScan, findings: Findings, { progress }: ScanOptions): void {
  for (const entry of archive.entries) {
    if ((entry.index & 15) === 0) progress('yara', entry.index / archive.entries.length);
    if (entry.name.endsWith('/') && entry.size === 0) continue;
    if (archive.budget.spent > archive.budget.limit) return;
    let bytes: Uint8Array;
    try {
      bytes = archive.read(entry);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      findings.add('analysis-incomplete', 'medium', entry.name, error.message);
      continue;
    }
    scan.run(entry.name, bytes);
  }
}

/** What rulesets ask besides the bytes. */
interface Asked {
  /** On the APK's reports, answered once. */
  globals: GlobalValues;
  /** On each file, by the global that stands for each. */
  fileCalls: readonly (readonly [string, ModuleCall])[];
}

interface MeasuredRule {
  namespace: string;
  name: string;
  engineRules: EngineRules;
  asked: Asked;
  milliseconds: number;
  isDone: boolean;
}

interface ActiveGroup {
  group: RuleGroup;
  /** Of the rulesets that are asked for here: a group may hold others, or some that another group answers for. */
  keys: ReadonlySet<string>;
  asked: Asked;
}

class ApkScan {
  readonly #collection: RulesetCollection;
  readonly #rulesetTimeout: number;
  readonly #findings: Findings;
  readonly #valueOf: ReturnType<typeof callEvaluator>;
  #groups: ActiveGroup[];
  /** Groups compiled in the course of this scan, after a slow ruleset was found. */
  readonly #isolated: ActiveGroup[] = [];
  /** By namespace; several rulesets of the same text share one. */
  readonly #outcomes = new Map<string, RulesetOutcome[]>();
  readonly #allOutcomes: RulesetOutcome[] = [];
  /** By namespace, what the set of rules behind the places of its strings sees. */
  #measured: MeasuredRule[] = [];
  #measuringTime = 0;
  readonly #placesAsked = new Map<string, Asked>();
  /** Of the file that is scanned. */
  #facts = new FileFacts({ name: '', bytes: new Uint8Array() });

  constructor(collection: RulesetCollection, options: ScanOptions, findings: Findings) {
    const { reports, rulesetTimeout, measuresRules } = options;
    this.#collection = collection;
    this.#rulesetTimeout = rulesetTimeout;
    this.#findings = findings;
    this.#valueOf = callEvaluator(reports);
    const slow = new Set([...collection.members.keys()].filter((namespace) => !this.#isEvaluated(namespace)));
    this.#groups = collection.groups
      .filter(({ engineRules }) => engineRules !== null)
      .map((group) => {
        const keys = [...group.members.values()]
          .filter((member) => collection.members.get(namespaceOf(member.key)) === member)
          .map(({ key }) => key)
          .filter((key) => !slow.has(namespaceOf(key)));
        return { group, keys: new Set(keys), asked: this.#askedBy(keys) };
      });
    for (const { id, key } of collection.rulesets) {
      const errors = collection.errorsOf(key);
      const namespace = namespaceOf(key);
      const status = errors !== null ? 'broken' : slow.has(namespace) ? 'timeout' : 'done';
      const outcome: RulesetOutcome = {
        id,
        status,
        errors: errors ?? [],
        matches_count: 0,
        rules_matched: [],
        rules_measured: [],
      };
      this.#allOutcomes.push(outcome);
      this.#outcomes.set(namespace, [...(this.#outcomes.get(namespace) ?? []), outcome]);
    }
    if (measuresRules === true) this.#measured = this.#rulesToMeasure(slow);
  }

  /** Whether what a ruleset asks of the reports is answered in the time that it may take; the answers are kept. */
  #isEvaluated(namespace: string): boolean {
    const started = performance.now();
    try {
      for (const [name, call] of this.#collection.members.get(namespace)!.calls) {
        if (!isFileCall(call)) this.#valueOf(name, call);
        if (performance.now() - started > this.#rulesetTimeout) throw new ScanTimeout('the calls took too long');
      }
      return true;
    } catch (error) {
      if (!(error instanceof ScanTimeout)) throw error;
      this.#findings.add('analysis-incomplete', 'medium', '', `a ruleset is left out: ${error.message}`);
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

  /** Scans one piece of bytes; `file` is the entry's name, empty for the APK itself. */
  run(file: string, bytes: Uint8Array): void {
    const timeout = this.#timeoutFor(bytes);
    this.#facts = new FileFacts({ name: file, bytes });
    for (const active of this.#groups) {
      const result = this.#tryScan(active.group.engineRules, active.asked, bytes, timeout);
      if (Array.isArray(result)) this.#record(active, result, file, bytes);
      else this.#isolate(active, file, bytes);
    }
    for (const rule of this.#measured) this.#measure(rule, bytes, timeout);
  }

  #rulesToMeasure(leftOut: ReadonlySet<string>): MeasuredRule[] {
    const measurable = [...this.#collection.members].filter(([namespace]) => !leftOut.has(namespace));
    const rules = measurable.flatMap(([namespace, { key, rules: reported }]) =>
      [...reported].map(([engineName, { name }]) => ({ namespace, key, engineName, name })),
    );
    return rules.slice(0, maxMeasuredRules).map(({ namespace, key, engineName, name }) => ({
      namespace,
      name,
      engineRules: this.#collection.ruleAlone(key, engineName),
      asked: this.#askedByOne(namespace, key),
      milliseconds: 0,
      isDone: false,
    }));
  }

  /** A rule that is too slow for one file shows that time, and is asked no more. */
  #measure(rule: MeasuredRule, bytes: Uint8Array, timeout: number): void {
    if (rule.isDone || this.#measuringTime > maxMeasuringTime) return;
    const started = performance.now();
    rule.isDone = !Array.isArray(this.#tryScan(rule.engineRules, rule.asked, bytes, timeout));
    const milliseconds = performance.now() - started;
    rule.milliseconds += milliseconds;
    this.#measuringTime += milliseconds;
  }

  /** Tells the times, and frees what was compiled for this scan alone. */
  end(): void {
    for (const { group } of this.#isolated) group.engineRules?.free();
    for (const { namespace, name, engineRules, milliseconds } of this.#measured) {
      engineRules.free();
      const measured = { name, milliseconds: Math.round(milliseconds * 1000) / 1000 };
      for (const outcome of this.#outcomes.get(namespace)!) outcome.rules_measured.push(measured);
    }
  }

  /** In steps, since every other one costs the engine a new start. */
  #timeoutFor(bytes: Uint8Array): number {
    return this.#rulesetTimeout + readingTime * Math.floor(bytes.length / readingLength);
  }

  /** Finds those that the engine cannot do in time, and goes on without them. */
  #isolate(active: ActiveGroup, file: string, bytes: Uint8Array): void {
    const left: string[] = [];
    this.#tryParts([...active.keys], file, bytes, left);
    // Where none is to blame, together they are too many for such a file.
    const size = left.length === active.keys.size ? Math.ceil(left.length / parts) : left.length;
    const rest = chunks(left, size).map((keys) => this.#activate(keys));
    this.#isolated.push(...rest);
    this.#groups = this.#groups.flatMap((other) => (other === active ? rest : [other]));
  }

  #activate(keys: readonly string[]): ActiveGroup {
    return { group: this.#collection.compileSome(keys), keys: new Set(keys), asked: this.#askedBy(keys) };
  }

  #tryParts(keys: readonly string[], file: string, bytes: Uint8Array, left: string[]): void {
    for (const some of chunks(keys, Math.ceil(keys.length / parts))) {
      const active = this.#activate(some);
      const timeout = Math.ceil(this.#timeoutFor(bytes) / (some.length > 1 ? haste : 1));
      const result = this.#tryScan(active.group.engineRules, active.asked, bytes, timeout);
      active.group.engineRules?.free();
      if (Array.isArray(result)) {
        this.#record(active, result, file, bytes);
        left.push(...some);
      } else if (some.length > 1) {
        this.#tryParts(some, file, bytes, left);
      } else {
        const isSlow = result instanceof ScanTimeout;
        const reason = isSlow ? 'took longer than it may' : `made the engine fail (${result.message.slice(0, 100)})`;
        this.#findings.add('analysis-incomplete', 'medium', file, `a ruleset ${reason}; it is left out`);
        for (const outcome of this.#outcomes.get(namespaceOf(some[0]!)) ?? []) {
          outcome.status = isSlow ? 'timeout' : 'failed';
        }
      }
    }
  }

  #record({ group, keys }: ActiveGroup, matches: readonly EngineMatch[], file: string, bytes: Uint8Array): void {
    for (const [key, some] of Map.groupBy(matches, (match) => group.owners.get(labelOf(match))?.key)) {
      // Private rules have no owner.
      if (key === undefined || !keys.has(key)) continue;
      const namespace = namespaceOf(key);
      const outcomes = this.#outcomes.get(namespace)!;
      const [first] = outcomes;
      for (const outcome of outcomes) outcome.matches_count += some.length;
      const room = maxMatchesPerRuleset - first!.rules_matched.length;
      if (room <= 0) continue;
      const recorded = this.#withPlaces(namespace, some.slice(0, room), file, bytes);
      for (const outcome of outcomes) outcome.rules_matched.push(...recorded);
    }
  }

  /** The matches of one ruleset, with the strings that they rest on. */
  #withPlaces(namespace: string, matches: readonly EngineMatch[], file: string, bytes: Uint8Array): RuleMatch[] {
    const member = this.#collection.members.get(namespace)!;
    const names = matches.map(({ rule }) => rule).filter((rule) => member.rules.get(rule)!.hasPlaces);
    const places = this.#placesOf(namespace, member.key, names, file, bytes);
    return matches.map(({ rule, tags, metadata }) => {
      const strings = places.get(rule) ?? [];
      return {
        name: member.rules.get(rule)!.name,
        tags: tags.map(authorsWord),
        metadata: Object.fromEntries(Object.entries(metadata).map(([word, value]) => [authorsWord(word), value])),
        file,
        strings: strings.slice(0, maxStringsPerMatch).map(({ identifier, offset, length }) => ({
          identifier,
          offset,
          length,
          data: printable(bytes.subarray(offset, offset + Math.min(length, maxDataLength))),
        })),
        strings_count: strings.length,
      };
    });
  }

  #placesOf(
    namespace: string,
    key: string,
    names: readonly string[],
    file: string,
    bytes: Uint8Array,
  ): Map<string, EngineString[]> {
    const found = new Map<string, EngineString[]>();
    // A rule that counts further than the places go does not match with so few; it is asked for all of them.
    for (const maxMatches of [maxPlaces, allPlaces]) {
      const missing = names.filter((name) => !found.has(name));
      if (missing.length === 0) break;
      const engineRules = this.#collection.rulesWithPlaces(key, missing, maxMatches);
      const result = this.#tryScan(engineRules, this.#askedByOne(namespace, key), bytes, this.#timeoutFor(bytes));
      if (!Array.isArray(result)) {
        this.#findings.add('analysis-incomplete', 'low', file, 'the places of matching strings took too long to find');
        break;
      }
      for (const { rule, strings } of result) if (missing.includes(rule)) found.set(rule, strings);
    }
    return found;
  }

  #askedByOne(namespace: string, key: string): Asked {
    let asked = this.#placesAsked.get(namespace);
    if (asked === undefined) {
      asked = this.#askedBy([key]);
      this.#placesAsked.set(namespace, asked);
    }
    return asked;
  }

  /** The matches, or why there are none. */
  #tryScan(
    engineRules: EngineRules | null,
    { globals, fileCalls }: Asked,
    bytes: Uint8Array,
    timeout: number,
  ): EngineMatch[] | Error {
    if (engineRules === null) return [];
    try {
      const ofFile = fileCalls.length === 0 ? undefined : valuesOnFile(fileCalls, this.#facts);
      return engineRules.scan(bytes, globals, timeout, ofFile);
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  }

  outcomes(): RulesetOutcome[] {
    return this.#allOutcomes;
  }
}

const chunks = (keys: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, index) => keys.slice(index * size, (index + 1) * size));

/** Printable ASCII as it is, other bytes as `\x00`, a backslash doubled. */
function printable(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    if (byte === 92) text += '\\\\';
    else if (byte >= 32 && byte < 127) text += String.fromCharCode(byte);
    else text += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return text;
}
