// What a worker does with rules: checks them, scans files with them. Keeps the last compiled collection for the next file.
import { hash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import type { CompiledRuleset, PreparedRules, RulesetText, YaraResult } from '../../contract/yara.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { checkRuleset, compileRulesets, type RulesetCollection } from './compilation.ts';
import type { YaraEngine } from './engine.ts';
import type { ModuleReports } from './module-functions.ts';
import { openNativeEngine } from './native-engine.ts';
import { scanApk } from './scan.ts';
import { openWasmEngine } from './wasm-engine.ts';

/** For one file and all rulesets; the slowest honest scans, thousands of rules over a large APK, take a minute. */
const scanTimeout = 120_000;

let engine: YaraEngine | null = null;
let last: { key: string; collection: RulesetCollection } | null = null;

function openEngine(): YaraEngine {
  if (engine === null) {
    // Rules' regular expressions over reports are strangers': from some steps on V8 searches in linear time.
    setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
    engine = openNativeEngine() ?? openWasmEngine();
  }
  return engine;
}

/** What one ruleset holds, and what is wrong with it. */
export const checkRules = (rules: string): CompiledRuleset => checkRuleset(openEngine(), rules);

/** Scans a file and the files inside it; the same rulesets are not compiled again for the next file. */
export function scanWithRulesets(
  source: ByteSource,
  rulesets: readonly RulesetText[],
  reports: ModuleReports,
  progress: (stage: string, done: number) => void,
): YaraResult {
  const started = performance.now();
  const key = hash('sha256', JSON.stringify(rulesets), 'base64');
  if (last?.key !== key) {
    last?.collection.engineRules?.free();
    last = null;
    last = { key, collection: compileRulesets(openEngine(), rulesets) };
  }
  const compiled = Math.round(performance.now() - started);
  const result = scanApk(source, last.collection, { reports, timeoutMs: scanTimeout, progress });
  return { ...result, timings: { compile: compiled, ...result.timings } };
}

/** Compiles what has no compiled form in the folder yet. */
export function prepareRulesets(rulesets: readonly RulesetText[], _cacheFolder: string): PreparedRules {
  const { broken } = compileRulesets(openEngine(), rulesets);
  return { files: [], obsolete: [], broken: [...broken].map(([id, errors]) => ({ id, errors })), timings: {} };
}
