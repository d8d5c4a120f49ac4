// Checks a ruleset: what is wrong with it, with the names and positions of its author's text. Knows no APK.
import type { CompiledRuleset, RuleDiagnostic } from '../../contract/engine/yara.ts';
import type { EngineDiagnostic, YaraEngine } from './engines/engine.ts';
import type { ModuleCall } from './modules/module-functions.ts';
import { type RewrittenRules, type RuleProblem, rewriteRules, slowPattern, zeroGlobal } from './rewriting/rewriting.ts';

/** Longer texts are data: the largest public collections of rules in one file have some 5 MB. */
const maxRulesLength = 10 * 1024 * 1024;
/** Diagnostics that are reported of one ruleset. */
const maxDiagnostics = 100;

/**
 * Checks one ruleset and tells what it holds.
 * @returns errors where it cannot be used, warnings of slow rules, notes on translated dialect
 */
export function checkRuleset(engine: YaraEngine, rules: string): CompiledRuleset {
  if (rules.length > maxRulesLength) return { rules: [], warnings: [], errors: [tooLong(rules.length)] };
  const rewritten = rewriteRules(rules);
  const { errors, warnings } = engine.check(rewritten.text.text, globalsOf([rewritten.calls]));
  const authorsWarnings = warnings.filter((warning) => !isOurs(warning, rewritten));
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

/** The diagnostic of a text that is too long for rules; null where it is not. */
export const lengthProblem = (rules: string): RuleDiagnostic[] | null =>
  rules.length > maxRulesLength ? [tooLong(rules.length)] : null;

/** What keeps a ruleset from being compiled; empty where nothing does. */
export function errorsOf(engine: YaraEngine, rewritten: RewrittenRules): RuleDiagnostic[] {
  const { errors } = engine.check(rewritten.text.text, globalsOf([rewritten.calls]));
  return faultsOf(errors, rewritten);
}

/** The faults found while rewriting, and those of the engine at other places: where rewriting found a fault, the engine sees a placeholder. */
function faultsOf(engines: readonly EngineDiagnostic[], rewritten: RewrittenRules): RuleDiagnostic[] {
  const own = new Set(rewritten.problems.map(({ start }) => start));
  const elsewhere =
    own.size === 0 ? engines : engines.filter(({ place }) => !own.has(rewritten.text.originalOffset(place ?? start)));
  return diagnosticsOf(rewritten.problems, elsewhere, rewritten);
}

/** The globals that rulesets with these calls are compiled with. */
export function globalsOf(rulesets: readonly ReadonlyMap<string, ModuleCall>[]): string[] {
  return [zeroGlobal, ...new Set(rulesets.flatMap((calls) => [...calls.keys()]))];
}

/** The first diagnostics of each kind, in the order of the author's text. Few, for mapping a place takes time. */
function diagnosticsOf(
  own: readonly RuleProblem[],
  engines: readonly EngineDiagnostic[],
  rewritten: RewrittenRules,
): RuleDiagnostic[] {
  const diagnostics = [
    ...own.slice(0, maxDiagnostics).map((problem) => ownDiagnostic(problem, rewritten)),
    ...engines.slice(0, maxDiagnostics).map((said) => inAuthorsWords(said, rewritten)),
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

/** The position of compiler messages that have none. */
const start = { line: 1, column: 1 };

/** One of the engine's messages with the author's positions and words. */
function inAuthorsWords(
  { code, title, labels, help, place, width }: EngineDiagnostic,
  { text, calls }: RewrittenRules,
): RuleDiagnostic {
  const { line, column } = place ?? start;
  const from = text.placeOf(text.originalOffset({ line, column }));
  const to = text.placeOf(text.originalOffset({ line, column: column + width }, true));
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
const isOurs = ({ place, text: said }: EngineDiagnostic, { text }: RewrittenRules): boolean =>
  place !== null && said.includes('__') && text.isReplaced(place);
