// What a dry run of rules shows, added up APK by APK. Knows neither jobs nor workers.

import {
  type CompiledRuleset,
  matchesByRule,
  type RuleDiagnostic,
  type RuleMatch,
} from '../../contract/engine/yara.ts';
import { maxNamedRules, maxShownMatches, maxShownRules, maxShownStrings } from '../../contract/rules/dry-run.ts';
import type { ApkScan, ScanOutcome } from './ruleset-isolation.ts';

/** Rules that are told of one by one. */
const maxRules = 5000;
/** Identifiers of one rule. */
const maxIdentifiers = 20;
const maxFailures = 100;
/** After this many APKs on which the rules do not finish, no further one is tried. */
const maxUnfinished = 3;
/**
 * Milliseconds for a megabyte of APK past which rules are slow; usual ones take one or two. What every scan of an APK takes
 * says nothing of them, nor does a sum that other work on the machine can make.
 */
const slowPace = {
  rule: { perMegabyte: 30, perApk: 10, least: 100 },
  ruleset: { perMegabyte: 200, perApk: 50, least: 1000 },
} as const;

export interface DryRunRuleResult {
  name: string;
  matches: number;
  knownGoodMatches: number;
  files: number;
  milliseconds: number | null;
  /** Hits by identifier. */
  strings: Record<string, number>;
}

/** Stored as JSON. */
export interface DryRunResult {
  apks: number;
  knownGood: number;
  scanned: number;
  failed: number;
  unfinished: number;
  warnings: RuleDiagnostic[];
  rules: DryRunRuleResult[];
  matches: { apkId: number; isKnownGood: boolean; rulesCount: number; rules: RuleMatch[] }[];
  matchesCount: number;
  knownGoodMatchesCount: number;
  isCapped: boolean;
  failures: { apkId: number; code: string; message: string }[];
  scanMs: number;
  compileMs: number;
  slowestMs: number;
  /** Bytes of the scanned APKs, and of those that the times of rules are measured on. */
  bytes: number;
  measuredBytes: number;
  measured: number;
}

export interface ScannedApk {
  id: number;
  size: number;
  isKnownGood: boolean;
}

/** The result of a dry run that has not scanned anything yet. @param apks how many will be scanned */
export function emptyDryRun({ rules, warnings }: CompiledRuleset, apks: number, knownGood: number): DryRunResult {
  const shown = rules.filter(({ is_private }) => !is_private).slice(0, maxRules);
  const nothing = { matches: 0, knownGoodMatches: 0, files: 0, milliseconds: null };
  return {
    apks,
    knownGood,
    scanned: 0,
    failed: 0,
    unfinished: 0,
    warnings,
    rules: shown.map(({ name }) => ({ name, ...nothing, strings: {} })),
    matches: [],
    matchesCount: 0,
    knownGoodMatchesCount: 0,
    isCapped: false,
    failures: [],
    scanMs: 0,
    compileMs: 0,
    slowestMs: 0,
    bytes: 0,
    measuredBytes: 0,
    measured: 0,
  };
}

/** Whether rules end on so few APKs that the author knows enough. */
export const isHopeless = ({ unfinished, scanned }: DryRunResult): boolean =>
  unfinished >= maxUnfinished && unfinished * 2 > scanned;

/** Adds an APK that is left out because the rules are hopeless. */
export function addUntried(result: DryRunResult, apkId: number): void {
  result.unfinished += 1;
  const message = 'The rules were not tried: on other APKs before they did not end.';
  if (result.failures.length < maxFailures) result.failures.push({ apkId, code: 'untried', message });
}

/** Adds the scan of one APK. */
export function addScan(result: DryRunResult, apk: ScannedApk, scan: ApkScan): void {
  result.scanned += 1;
  const [outcome] = scan.status === 'failed' ? [] : scan.outcomes;
  if (scan.status === 'failed' || outcome === undefined || outcome.status !== 'done') {
    const { code, message } = scan.status === 'failed' ? scan : (outcome ?? { code: 'internal', message: '' });
    if (scan.status === 'failed') result.failed += 1;
    else result.unfinished += 1;
    if (result.failures.length < maxFailures) result.failures.push({ apkId: apk.id, code, message });
  }
  if (scan.status === 'failed') return;
  const { compile = 0, yara = 0, measuring = 0 } = scan.timings;
  // Measuring each rule is no part of what the scan will take.
  const scanning = Math.max(0, Math.round(yara - measuring));
  result.compileMs = Math.max(result.compileMs, compile);
  result.scanMs += scanning;
  result.slowestMs = Math.max(result.slowestMs, scanning);
  result.bytes += apk.size;
  if (outcome !== undefined) addOutcome(result, apk, outcome);
}

/** Each rule once before one of them a second time, so that none hides another. */
function shownOf(rules: readonly RuleMatch[][]): RuleMatch[] {
  const once = rules.slice(0, maxNamedRules).flatMap(([first]) => first!);
  const more = rules.flatMap(([, ...others]) => others).slice(0, Math.max(0, maxShownRules - once.length));
  return [...once, ...more].map((match, at) => ({
    ...match,
    strings: match.strings.slice(0, at < maxShownRules ? maxShownStrings : 1),
  }));
}

function addOutcome(result: DryRunResult, apk: ScannedApk, outcome: ScanOutcome): void {
  const byName = new Map(result.rules.map((rule) => [rule.name, rule]));
  const { rules_measured: measured } = outcome;
  const matchedRules = matchesByRule(outcome.rules_matched);
  if (measured.length > 0) {
    result.measured += 1;
    result.measuredBytes += apk.size;
  }
  for (const { name, milliseconds } of measured) {
    const rule = byName.get(name);
    if (rule !== undefined) rule.milliseconds = Math.round(((rule.milliseconds ?? 0) + milliseconds) * 1000) / 1000;
  }
  let rulesCount = 0;
  for (const found of matchedRules) {
    const [{ name, files_count }] = found as [RuleMatch];
    const files = Math.max(files_count, found.length);
    rulesCount += files;
    if (files > found.length) result.isCapped = true;
    const rule = byName.get(name);
    if (rule === undefined) continue;
    rule.files += files;
    for (const match of found) countStrings(rule, match);
    if (apk.isKnownGood) rule.knownGoodMatches += 1;
    else rule.matches += 1;
  }
  if (matchedRules.length === 0) return;
  if (apk.isKnownGood) result.knownGoodMatchesCount += 1;
  else result.matchesCount += 1;
  result.matches.push({ apkId: apk.id, isKnownGood: apk.isKnownGood, rulesCount, rules: shownOf(matchedRules) });
  if (result.matches.length <= maxShownMatches) return;
  // What should match nothing is what the author wants to see.
  const leastTelling = result.matches.findLastIndex(({ isKnownGood }) => !isKnownGood);
  result.matches.splice(leastTelling < 0 ? maxShownMatches : leastTelling, 1);
}

function countStrings(rule: DryRunRuleResult, { strings, strings_count: total }: RuleMatch): void {
  for (const { identifier } of strings) {
    if (!(identifier in rule.strings) && Object.keys(rule.strings).length >= maxIdentifiers) continue;
    rule.strings[identifier] = (rule.strings[identifier] ?? 0) + 1;
  }
  // Strings that the worker left out of the list can be counted only if the rule has a single identifier.
  const [only, another] = new Set(strings.map(({ identifier }) => identifier));
  if (only !== undefined && another === undefined)
    rule.strings[only] = (rule.strings[only] ?? 0) + total - strings.length;
}

export interface SlowRule {
  /** Empty: all together. */
  rule: string;
  milliseconds: number;
  message: string;
}

/** Milliseconds for each megabyte, null where they are no sign of slow rules. */
function slowness(kind: keyof typeof slowPace, milliseconds: number, apks: number, bytes: number): number | null {
  const { perMegabyte, perApk, least } = slowPace[kind];
  const pace = (milliseconds - perApk * apks) / Math.max(0.1, bytes / 1e6);
  return milliseconds >= least && pace >= perMegabyte ? Math.round(pace) : null;
}

/** Rules that take long for what they read, the slowest first. */
export function slowRules(result: DryRunResult): SlowRule[] {
  const { rules, measured, measuredBytes, scanned, scanMs, bytes } = result;
  const slow = rules.flatMap(({ name, milliseconds }): SlowRule[] => {
    const pace = slowness('rule', milliseconds ?? 0, measured, measuredBytes);
    if (milliseconds === null || pace === null) return [];
    const message = `${name} takes ${pace} ms for each megabyte of an APK.`;
    return [{ rule: name, milliseconds: Math.round(milliseconds), message }];
  });
  slow.sort((one, other) => other.milliseconds - one.milliseconds);
  const together = slowness('ruleset', scanMs, scanned, bytes);
  if (together !== null) {
    const message = `All rules together take ${together} ms for each megabyte of an APK.`;
    slow.unshift({ rule: '', milliseconds: Math.round(scanMs), message });
  }
  return slow.slice(0, 50);
}
