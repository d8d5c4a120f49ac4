// Reads what YARA-X's compiler says: both builds tell it as text alone, laid out for a terminal. Knows no ruleset.
import type { EngineDiagnostic, EngineDiagnostics } from './engine.ts';

const head = /^(?:error|warning)(?:\[(\w+)\])?: (.*)/;
const placeLine = /--> line:(\d+):(\d+)/;
/** The line of carets (or hyphens) under the fault. */
const underline = /^ *\| +(?:-+ +)*(\^+|-+)/m;
/** What is said of the parts that are underlined: of the last beside its line, of the others below, each under a bar. */
const label = /^ *\| [-^|_ ]*?([^-^|_\s].*)$/gm;
const helpLine = /^ *= (?:help|note): (.*)$/m;

function readDiagnostic(text: string): EngineDiagnostic {
  const [, code = 'error', title = text] = head.exec(text) ?? [];
  const [, line, column] = placeLine.exec(text) ?? [];
  const [, carets = ''] = underline.exec(text) ?? [];
  return {
    code,
    title,
    labels: Array.from(text.matchAll(label), ([, said]) => said!).reverse(),
    help: helpLine.exec(text)?.[1] ?? null,
    place: line === undefined ? null : { line: Number(line), column: Number(column) },
    width: carets.length,
    text,
  };
}

/** @param errors as the compiler prints each */
export const readDiagnostics = (errors: readonly string[], warnings: readonly string[]): EngineDiagnostics => ({
  errors: errors.map(readDiagnostic),
  warnings: warnings.map(readDiagnostic),
});
