// How `analyze` and `scan` show what they find: JSON lines, a table, or a few lines for a person. Runs nothing.

import { childName } from '../contract/engine/child.ts';
import type { AndroguardReport, CuckooReport, DynamicReport } from '../contract/engine/reports.ts';
import { matchesByRule } from '../contract/engine/yara.ts';
import type { Finding } from '../contract/findings/finding.ts';
import { findingText } from '../contract/findings/finding-catalogue.ts';
import { jsonLine } from '../contract/json-line.ts';
import { isAtEnd, type ScanOutcome } from '../services/rules/ruleset-isolation.ts';
import type { WeighedRisk } from '../services/triage/risk.ts';
import type { AnalyzedChild } from './analyzed-children.ts';
import { type Column, Table } from './table-output.ts';
import { terminalText } from './terminal-text.ts';

/** One line of output. `file` is the path as it was given. */
export interface AnalysisLine {
  sha256: string | null;
  file: string;
  status: 'done' | 'partial' | 'failed';
  cuckoo: CuckooReport | null;
  androguard: AndroguardReport | null;
  dynamic: DynamicReport | null;
  yara: ScanOutcome[] | null;
  /** Files of code that came out of it; null where neither analysis that tells of them was made. */
  children: AnalyzedChild[] | null;
  findings: Finding[];
  /** null where nothing of the file could be analysed. */
  risk: Pick<WeighedRisk, 'score' | 'level' | 'parts'> | null;
  /** Milliseconds by stage: of the processor where rules run, else of the clock, as `total` is. */
  timings: Record<string, number>;
  error?: { code: string; message: string };
}

const analysisFormats = ['jsonl', 'table', 'summary'] as const;
export type AnalysisFormat = (typeof analysisFormats)[number];

export interface AnalysisOutput {
  /** What is to be written of one file; empty where it comes later. */
  show(line: AnalysisLine): string;
  /** What is left. */
  end(): string;
}

/**
 * @param isScan the static report was not asked for
 * @param width columns of the terminal that is written to; null: no terminal, tables are as wide as their cells
 */
export function analysisOutput(format: AnalysisFormat, isScan: boolean, width: number | null): AnalysisOutput {
  if (format === 'jsonl') {
    return { show: (line) => jsonLine({ ...line, findings: line.findings.map(classified) }), end: () => '' };
  }
  if (format === 'summary') return { show: (line) => `${summaryOf(line)}\n`, end: () => '' };
  return new Table(isScan ? scanColumns : analysisColumns, isScan ? scanRows : analysisRows, width);
}

/**
 * A finding with the ids of the weakness that it is, of the OWASP MASVS controls that it fails, and of the techniques of
 * MITRE ATT&CK for Mobile that it shows; none where there are none.
 */
function classified(finding: Finding) {
  const { cwe, masvs, attack } = findingText(finding.code);
  return { ...finding, cwe, masvs, attack };
}

const scanColumns: readonly Column[] = [
  { title: 'FILE', share: 34, showsEnd: true },
  { title: 'RULE', share: 24 },
  { title: 'RULESET', share: 20, showsEnd: true },
  { title: 'WHERE', share: 22, showsEnd: true },
];
const analysisColumns: readonly Column[] = [
  { title: 'FILE', share: 26, showsEnd: true },
  { title: 'STATUS', share: 8 },
  { title: 'PACKAGE', share: 24 },
  { title: 'VERSION', share: 10 },
  { title: 'FINDINGS', share: 12 },
  { title: 'RULES', share: 20 },
];

interface FoundRule {
  name: string;
  ruleset: string;
  where: string[];
}

/** Each rule once, with the files inside where it matches. */
function foundRules({ yara }: AnalysisLine): FoundRule[] {
  return (yara ?? []).flatMap(({ id, rules_matched: matched }) =>
    matchesByRule(matched).map((matches) => ({
      name: matches[0]!.name,
      ruleset: id,
      where: matches.map(({ file }) => file),
    })),
  );
}

const placeOf = (where: readonly string[]): string => {
  const [first = ''] = where;
  return `${first === '' ? '(file itself)' : first}${where.length > 1 ? ` +${where.length - 1}` : ''}`;
};

/** A row for each rule that matches, and for each ruleset that was not run to its end. */
function scanRows(line: AnalysisLine): string[][] {
  const { file, status, error } = line;
  if (error !== undefined) return [[file, status, '', error.message]];
  const unfinished = (line.yara ?? [])
    .filter((outcome) => !isAtEnd(outcome))
    .map(({ id, status: outcome, message }) => [file, outcome, id, message]);
  const rules = foundRules(line).map(({ name, ruleset, where }) => [file, name, ruleset, placeOf(where)]);
  return [...rules, ...unfinished];
}

const severities = ['critical', 'high', 'medium', 'low'];

function analysisRows(line: AnalysisLine): string[][] {
  const { file, status, androguard, findings, error } = line;
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const names = [...new Set(foundRules(line).map(({ name }) => name))];
  return [
    [
      file,
      status,
      error?.message ?? androguard?.package_name ?? '',
      androguard?.displayed_version ?? '',
      counts.join(', '),
      names.join(' '),
    ],
  ];
}

/** The weightiest parts, as many as one takes in at a glance. */
const partsShown = 5;

function payloadLine({ kind, ways, findings, severity }: AnalyzedChild): string {
  const gravest = severity === null ? '' : `, the gravest ${severity}`;
  return `  payload  ${kind} ${childName(ways[0]!)}: ${findings} findings${gravest}`;
}

function summaryOf({ file, sha256, status, androguard, yara, children, error, risk }: AnalysisLine): string {
  const rules = (yara ?? []).flatMap(({ id, status: outcome, errors, message, rules_matched }) =>
    outcome === 'done'
      ? matchesByRule(rules_matched)
          .flat()
          .map((match) => `  rule     ${match.name} (${id})${match.file === '' ? '' : ` in ${match.file}`}`)
      : [`  rules    ${id}: ${outcome}: ${errors[0] ? `line ${errors[0].line}: ` : ''}${message}`],
  );
  if (androguard === null) {
    return [`${file}: ${status}${error ? `: ${error.message}` : ''}`, ...rules].map(terminalText).join('\n');
  }
  const { app_name, package_name, displayed_version, signature, permissions, findings } = androguard;
  const signed = signature.verified ? 'signature verifies' : 'signature does not verify';
  const notable = findings.filter(({ severity }) => severity !== 'info');
  return [
    `${file}: ${status}`,
    `  ${app_name} (${package_name} ${displayed_version}), ${permissions.length} permissions, ${signed}`,
    `  sha256 ${sha256}`,
    ...(risk === null ? [] : [`  risk     ${risk.score} of 100, ${risk.level}`]),
    ...(risk?.parts ?? [])
      .slice(0, partsShown)
      .map(
        ({ points, title, evidence: [first] }) =>
          `  ${`+${points}`.padEnd(8)} ${title}${first === undefined ? '' : `: ${first.where} ${first.text}`}`,
      ),
    ...notable.map(({ severity, code, where, evidence }) => `  ${severity.padEnd(8)} ${code}: ${where} ${evidence}`),
    ...(children ?? []).map(payloadLine),
    ...rules,
  ]
    .map(terminalText)
    .join('\n');
}
