// Checks a ruleset: what is wrong with it, in its author's own words and positions. Knows no APK.
import type { CompiledRuleset, RuleDiagnostic } from '../../contract/yara.ts';
import type { YaraEngine } from './engines/engine.ts';
import type { ModuleCall } from './modules/module-functions.ts';
import { type RewrittenRules, type RuleProblem, rewriteRules, slowPattern, zeroGlobal } from './rewriting/rewriting.ts';

/** Longer texts are data: the largest public collections of rules in one file have some 5 MB. */
const maxRulesLength = 10 * 1024 * 1024;
/** Of one ruleset; the first ones tell what is wrong. */
const maxDiagnostics = 100;

/**
 * Checks one ruleset and tells what it holds.
 * @returns errors where it cannot be used, warnings of slow rules, notes on translated dialect
 */
export function checkRuleset(engine: YaraEngine, rules: string): CompiledRuleset {
  if (rules.length > maxRulesLength) return { rules: [], warnings: [], errors: [tooLong(rules.length)] };
  const rewritten = rewriteRules(rules);
  const { errors, warnings } = engine.check(rewritten.text.text, globalsOf([rewritten.calls]));
  const authorsWarnings = warnings.filter((text) => !isOurs(text, rewritten));
  const told = diagnosticsOf(rewritten.notes, authorsWarnings, rewritten);
  return {
    rules: rewritten.rules.map(({ name, isPrivate, isGlobal, tags, metaCount }) => ({
      name,
      is_private: isPrivate,
      is_global: isGlobal,
      tags,
      meta_count: metaCount,
    })),
    errors: faultsOf(errors, rewritten),
    warnings: told.filter((warning, index) => !isToldBefore(warning, told[index - 1])),
  };
}

/** A text that is too long to be taken for rules, told as the compiler tells faults; null where it is not. */
export const lengthProblem = (rules: string): RuleDiagnostic[] | null =>
  rules.length > maxRulesLength ? [tooLong(rules.length)] : null;

/** What keeps a ruleset from being compiled; empty where nothing does. */
export function errorsOf(engine: YaraEngine, rewritten: RewrittenRules): RuleDiagnostic[] {
  const { errors } = engine.check(rewritten.text.text, globalsOf([rewritten.calls]));
  return faultsOf(errors, rewritten);
}

/** What was found before the engine saw the rules, and what the engine finds elsewhere: at the same place it sees a stand-in. */
function faultsOf(engines: readonly string[], rewritten: RewrittenRules): RuleDiagnostic[] {
  const own = new Set(rewritten.problems.map(({ start }) => start));
  const elsewhere = own.size === 0 ? engines : engines.filter((message) => !own.has(originalPlace(message, rewritten)));
  return diagnosticsOf(rewritten.problems, elsewhere, rewritten);
}

/** Where an engine's message points in the author's text. */
function originalPlace(message: string, { text }: RewrittenRules): number {
  const [, line, column] = placePattern.exec(message) ?? [];
  return text.originalOffset({ line: Number(line ?? 1), column: Number(column ?? 1) });
}

/** The globals that rulesets with these calls are compiled with. */
export function globalsOf(rulesets: readonly ReadonlyMap<string, ModuleCall>[]): string[] {
  return [zeroGlobal, ...new Set(rulesets.flatMap((calls) => [...calls.keys()]))];
}

/** The first ones of each kind, in the order of the author's text: to find the place of one takes its time. */
function diagnosticsOf(
  own: readonly RuleProblem[],
  engines: readonly string[],
  rewritten: RewrittenRules,
): RuleDiagnostic[] {
  const diagnostics = [
    ...own.slice(0, maxDiagnostics).map((problem) => ownDiagnostic(problem, rewritten)),
    ...engines.slice(0, maxDiagnostics).map((text) => engineDiagnostic(text, rewritten)),
  ];
  return diagnostics.sort((a, b) => a.line - b.line || a.column - b.column).slice(0, maxDiagnostics);
}

/** Whether the engine has called the same string slow, with all of its definition as the place. */
const isToldBefore = ({ code, line }: RuleDiagnostic, before: RuleDiagnostic | undefined): boolean =>
  code === slowPattern && before?.code === slowPattern && before.line === line;

function tooLong(length: number): RuleDiagnostic {
  const title = `the rules have ${length} characters, the limit is ${maxRulesLength}`;
  return { code: 'too-long', title, line: 1, column: 1, end_line: 1, end_column: 1, help: null };
}

function ownDiagnostic({ code, title, start, end, help }: RuleProblem, { text }: RewrittenRules): RuleDiagnostic {
  const from = text.placeOf(start);
  const to = text.placeOf(end);
  return { code, title, line: from.line, column: from.column, end_line: to.line, end_column: to.column, help };
}

const headPattern = /^(?:error|warning)(?:\[(\w+)\])?: (.*)/;
const placePattern = /--> line:(\d+):(\d+)/;
/** The line of carets (or hyphens) under the fault. */
const underlinePattern = /^ *\| +(?:-+ +)*(\^+|-+)/m;
/** What is said of the parts that are underlined: of the last beside its line, of the others below, each under a bar. */
const labelPattern = /^ *\| [-^|_ ]*?([^-^|_\s].*)$/gm;

/** Puts one of YARA-X's messages into the author's positions and words. */
function engineDiagnostic(message: string, { text, calls }: RewrittenRules): RuleDiagnostic {
  const [, code = 'error', title = message] = headPattern.exec(message) ?? [];
  const [, line, column] = placePattern.exec(message) ?? [];
  const [, carets = ''] = underlinePattern.exec(message) ?? [];
  const labels = Array.from(message.matchAll(labelPattern), ([, label]) => label!).reverse();
  const place = { line: Number(line ?? 1), column: Number(column ?? 1) };
  const from = text.placeOf(text.originalOffset(place));
  const to = text.placeOf(text.originalOffset({ line: place.line, column: place.column + carets.length }, true));
  const help = /^ *= (?:help|note): (.*)$/m.exec(message)?.[1] ?? null;
  const words = (said: string) => authorsWords(said, calls);
  return {
    code,
    title: words(labels.length === 0 ? title : `${title}: ${labels.join(', ')}`),
    line: from.line,
    column: from.column,
    end_line: to.line,
    end_column: to.column,
    help: help === null ? null : words(help),
  };
}

/** Messages quote what was compiled; authors know only what they wrote. */
function authorsWords(said: string, calls: ReadonlyMap<string, ModuleCall>): string {
  if (!said.includes('__')) return said;
  return said
    .replaceAll(`(filesize+${zeroGlobal})`, 'filesize')
    .replaceAll(`${zeroGlobal}+`, '')
    .replace(/__(?:call|text)_\w{16}/g, (name) => calls.get(name)?.path ?? name);
}

/** Warnings about integers used as truth values and the like, where the integer is a global that stands for a call. */
function isOurs(message: string, { text }: RewrittenRules): boolean {
  const [, line, column] = placePattern.exec(message) ?? [];
  if (line === undefined) return false;
  return message.includes('__') && text.isReplaced({ line: Number(line), column: Number(column) });
}
