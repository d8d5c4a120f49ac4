// Scans an APK, and each file inside it unpacked, with compiled rulesets. Knows engines by their interface alone.
import type { RuleMatch, RulesetOutcome, YaraResult } from '../../contract/yara.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { Findings } from '../findings.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { openZip, type ZipArchive } from '../formats/zip/archive.ts';
import type { RulesetCollection } from './compilation.ts';
import { type EngineMatch, type EngineRules, ScanTimeout } from './engine.ts';
import { evaluateCall, type ModuleReports } from './module-functions.ts';

/** A rule that matches every byte would else fill the report; how many there were is told. */
const maxStringsPerMatch = 50;
/** Matching rules of one ruleset over all files of an APK. */
const maxMatchesPerRuleset = 500;
/** Of the bytes that a string matched. */
const maxDataLength = 128;
/** An engine takes its bytes in one piece, and a process has only so much memory. */
const maxScanLength = 768 * 1024 * 1024;

export interface ScanOptions {
  reports: ModuleReports;
  /** For one file and all rulesets together; where that is too short, for each ruleset. */
  timeoutMs: number;
  progress(stage: string, done: number): void;
}

/** Runs all rulesets over the file itself and over every file inside it. */
export function scanApk(source: ByteSource, collection: RulesetCollection, options: ScanOptions): YaraResult {
  const started = performance.now();
  const findings = new Findings();
  const scan = new ApkScan(collection, options, findings);
  if (collection.engineRules !== null) {
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

class ApkScan {
  readonly #collection: RulesetCollection;
  readonly #timeoutMs: number;
  readonly #findings: Findings;
  readonly #globals: Record<string, number> = {};
  /** By namespace, once all together were too slow. */
  #alone: Map<string, { rules: EngineRules; globals: Readonly<Record<string, number>> }> | null = null;
  readonly #outcomes = new Map<string, RulesetOutcome>();
  readonly #hidden = new Map<
    string,
    { rules: ReadonlySet<string>; strings: ReadonlyMap<string, ReadonlySet<string>> }
  >();

  constructor(collection: RulesetCollection, { reports, timeoutMs }: ScanOptions, findings: Findings) {
    this.#collection = collection;
    this.#timeoutMs = timeoutMs;
    this.#findings = findings;
    for (const [name, call] of collection.calls) {
      const value = evaluateCall(call, reports);
      if (value !== 0) this.#globals[name] = value;
    }
    for (const { namespace, id, rewritten } of collection.members) {
      this.#outcomes.set(namespace, {
        id,
        status: 'done',
        errors: [],
        matches_count: 0,
        rules_matched: [],
        rules_measured: [],
      });
      this.#hidden.set(namespace, {
        rules: new Set(rewritten.rules.filter(({ isPrivate }) => isPrivate).map(({ name }) => name)),
        strings: new Map(rewritten.rules.map(({ name, privateStrings }) => [name, new Set(privateStrings)])),
      });
    }
  }

  /** Scans one piece of bytes; `file` is the entry's name, empty for the APK itself. */
  run(file: string, bytes: Uint8Array): void {
    if (this.#alone === null) {
      const matches = this.#matches(this.#collection.engineRules!, this.#globals, bytes);
      if (matches !== null) {
        for (const match of matches) this.#record(match, file, bytes);
        return;
      }
      this.#separate();
    }
    for (const [namespace, { rules, globals }] of this.#alone!) {
      const matches = this.#matches(rules, globals, bytes);
      if (matches === null) {
        this.#findings.add('analysis-incomplete', 'medium', file, 'a ruleset took longer than it may; it is left out');
        this.#outcomes.get(namespace)!.status = 'timeout';
        this.#alone!.delete(namespace);
        rules.free();
        continue;
      }
      for (const match of matches) this.#record(match, file, bytes);
    }
  }

  /** Together they take too long: from here on each runs by itself, so that only the slow ones end early. */
  #separate(): void {
    this.#alone = new Map();
    for (const { namespace, rewritten } of this.#collection.members) {
      const own = Object.entries(this.#globals).filter(([name]) => rewritten.calls.has(name));
      this.#alone.set(namespace, {
        rules: this.#collection.compileAlone(namespace),
        globals: Object.fromEntries(own),
      });
    }
  }

  /** null where the scan was too slow. */
  #matches(rules: EngineRules, globals: Readonly<Record<string, number>>, bytes: Uint8Array): EngineMatch[] | null {
    try {
      return rules.scan(bytes, globals, this.#timeoutMs);
    } catch (error) {
      if (error instanceof ScanTimeout) return null;
      throw error;
    }
  }

  end(): void {
    for (const { rules } of this.#alone?.values() ?? []) rules.free();
  }

  #record(match: EngineMatch, file: string, bytes: Uint8Array): void {
    const outcome = this.#outcomes.get(match.namespace)!;
    const hidden = this.#hidden.get(match.namespace)!;
    if (hidden.rules.has(match.rule)) return;
    outcome.matches_count += 1;
    if (outcome.rules_matched.length >= maxMatchesPerRuleset) return;
    const privateStrings = hidden.strings.get(match.rule);
    const strings = privateStrings?.size
      ? match.strings.filter(({ identifier }) => !privateStrings.has(identifier))
      : match.strings;
    const recorded: RuleMatch = {
      name: match.rule,
      tags: match.tags,
      metadata: match.metadata,
      file,
      strings: strings.slice(0, maxStringsPerMatch).map(({ identifier, offset, length }) => ({
        identifier,
        offset,
        length,
        data: printable(bytes.subarray(offset, offset + Math.min(length, maxDataLength))),
      })),
      strings_count: strings.length,
    };
    outcome.rules_matched.push(recorded);
  }

  outcomes(): RulesetOutcome[] {
    const broken = [...this.#collection.broken].map(
      ([id, errors]): RulesetOutcome => ({
        id,
        status: 'broken',
        errors,
        matches_count: 0,
        rules_matched: [],
        rules_measured: [],
      }),
    );
    return [...this.#outcomes.values(), ...broken];
  }
}

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
