// What a worker does with rules: checks them, compiles them for later, scans files with them. Knows nothing of queues.
import type { PackedReport } from '../../contract/engine/analysis-results.ts';
import type { RuleArchive } from '../../contract/engine/rule-archive.ts';
import type { CompiledRuleset, PreparedRules, SentRuleset, YaraResult } from '../../contract/engine/yara.ts';
import type { SentTaskOf } from '../../contract/process-line/tasks.ts';
import { rulesetTimeout } from '../../contract/rules/ruleset-limits.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { unpackJson } from '../../vault/packed-json.ts';
import { cpuMilliseconds } from '../cpu-time.ts';
import { CompiledRules } from './compiled-rules.ts';
import { withCandidates } from './engines/candidate-engine.ts';
import type { YaraEngine } from './engines/engine.ts';
import { withKinds } from './engines/kind-engine.ts';
import { openNativeEngine } from './engines/native-engine.ts';
import { openWasmEngine } from './engines/wasm-engine.ts';
import { readRuleArchive } from './rule-archive.ts';
import { checkRuleset } from './rule-check.ts';
import { scanApk } from './scan.ts';

let engine: YaraEngine | null = null;
let compiledRules: CompiledRules | null = null;

function openEngine(): YaraEngine {
  if (engine !== null) return engine;
  const native = openNativeEngine();
  engine = native === null ? withCandidates(openWasmEngine()) : withKinds(native);
  return engine;
}

function openCompiledRules(): CompiledRules {
  compiledRules ??= new CompiledRules(openEngine());
  return compiledRules;
}

/** What one ruleset holds, and what is wrong with it. */
export const checkRules = (rules: string): CompiledRuleset => checkRuleset(openEngine(), rules);

/** Compiles what has no compiled form in the folder yet. */
export const prepareRulesets = (rulesets: readonly SentRuleset[], cacheFolder: string): PreparedRules =>
  openCompiledRules().prepare(rulesets, cacheFolder);

/** Rules of an archive or a folder, checked. */
export const readArchivedRules = (
  { file, fileName, known }: SentTaskOf<'rule_archive'>,
  progress: (stage: string, done: number) => void,
): RuleArchive => readRuleArchive(file, { fileName, known: new Set(known) }, checkRules, progress);

const unpacked = <T>(report: PackedReport | null): T | null => (report === null ? null : unpackJson<T>(report));

/** Scans a file and the files inside it; the same rulesets are not compiled again for the next file. */
export function scanWithRulesets(
  source: ByteSource,
  { rulesets, reports, left, only, cacheFolder, isAwaited, measuresRules }: SentTaskOf<'yara'>,
  progress: (stage: string, done: number) => void,
): YaraResult {
  const started = cpuMilliseconds();
  const collection = openCompiledRules().collectionOf(rulesets, cacheFolder);
  const compiled = Math.round(cpuMilliseconds() - started);
  const result = scanApk(source, collection, {
    reports: {
      androguard: unpacked(reports.androguard),
      cuckoo: unpacked(reports.cuckoo),
      droidbox: unpacked(reports.droidbox),
    },
    rulesetTimeout,
    isAwaited: isAwaited === true,
    measuresRules: measuresRules === true,
    ...(left === undefined ? {} : { left }),
    ...(only === undefined ? {} : { only }),
    progress,
  });
  return { ...result, timings: { compile: compiled, ...result.timings } };
}
