// Divides rules by what files they can match at all begin with, so that those for programs of Windows are not run over anything
// else. Knows the engines' texts, no engine.
import type { Condition } from '../language/condition-outlook.ts';
import { readCondition } from '../language/condition-reader.ts';
import { type OutlinedRule, outlineRules } from '../language/rule-outline.ts';
import { type Token, tokenize } from '../language/tokens.ts';
import { zeroGlobal } from '../rewriting/rewriting.ts';
import { type Beginnings, beginningsOf } from './beginnings.ts';
import type { EngineSource } from './engine.ts';

/** Rules of one kind, in the order of the sources. */
export interface RulesOfKind {
  /** One of them begins every file that the rules can match, in one or two characters, a byte each; null: any file. */
  beginnings: Beginnings;
  sources: EngineSource[];
}

/** Bytes by which kinds are told apart. */
const telling = 2;
/** Kinds of their own besides "any file". */
const maxKinds = 6;

/** Rules that stay together, of one source. */
interface Piece {
  kind: string;
  source: number;
  rules: OutlinedRule[];
}

const anyKind = '';
const keyOf = (beginnings: Beginnings): string =>
  beginnings === null
    ? anyKind
    : JSON.stringify([...new Set(beginnings.map((bytes) => bytes.slice(0, telling)))].sort());

/**
 * Rules that name each other stay together, and a source with a global rule as it is.
 * @param least rules of a kind that are worth a part of their own
 * @param globals names of the globals that the sources are compiled with
 * @returns those for any file first, if only with no rules
 */
export function divideByKind(
  sources: readonly EngineSource[],
  globals: readonly string[],
  least: number,
): RulesOfKind[] {
  const names = new Set(globals);
  const pieces = sources.flatMap(({ text }, source) => piecesOf(text, source, names));
  const counts = new Map<string, number>();
  for (const { kind, rules } of pieces) counts.set(kind, (counts.get(kind) ?? 0) + rules.length);
  counts.delete(anyKind);
  const kinds = [...counts]
    .filter(([, count]) => count >= least)
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxKinds)
    .map(([kind]) => kind);
  if (kinds.length === 0) return [{ beginnings: null, sources: [...sources] }];
  return [anyKind, ...kinds].map((kind) => ({
    beginnings: kind === anyKind ? null : (JSON.parse(kind) as string[]),
    sources: sourcesOf(
      sources,
      pieces.filter((piece) => (kind === anyKind ? !kinds.includes(piece.kind) : piece.kind === kind)),
      kind === anyKind ? [] : (JSON.parse(kind) as string[]),
    ),
  }));
}

function piecesOf(text: string, source: number, globals: ReadonlySet<string>): Piece[] {
  const rules = outlineRules(text);
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  if (rules.some(({ isGlobal, condition }) => isGlobal || namesMany(condition, byName))) {
    return [{ kind: anyKind, source, rules }];
  }
  const groups = connected(rules, byName);
  const beginnings = new Map<string, Beginnings>();
  for (const { name, strings, condition } of rules) {
    const identifiers = strings.map(({ identifier }, string) => ({ identifier, string }));
    const read: Condition = readCondition(condition, {
      strings: identifiers,
      globals,
      rules: new Set(beginnings.keys()),
    });
    beginnings.set(
      name,
      beginningsOf(read, (other) => beginnings.get(other) ?? null),
    );
  }
  return groups.map((group) => {
    const kinds = new Set(group.filter(({ isPrivate }) => !isPrivate).map(({ name }) => keyOf(beginnings.get(name)!)));
    const [kind = anyKind, other] = kinds;
    return { kind: other === undefined ? kind : anyKind, source, rules: group };
  });
}

/** Whether a condition may mean rules by `prefix*`. */
const namesMany = (condition: readonly Token[], rules: ReadonlyMap<string, OutlinedRule>): boolean =>
  condition.some(({ kind, text, end }, index) => {
    const next = condition[index + 1];
    if (kind !== 'word' || next?.text !== '*' || next.start !== end) return false;
    for (const name of rules.keys()) if (name.startsWith(text)) return true;
    return false;
  });

/** Rules by whom they name, each group and all groups in the order of the text. */
function connected(rules: readonly OutlinedRule[], byName: ReadonlyMap<string, OutlinedRule>): OutlinedRule[][] {
  const groupOf = new Map<OutlinedRule, OutlinedRule[]>(rules.map((rule) => [rule, [rule]]));
  for (const rule of rules) {
    for (const { kind, text } of rule.condition) {
      const other = kind === 'word' ? byName.get(text) : undefined;
      const [group, others] = [groupOf.get(rule)!, other === undefined ? undefined : groupOf.get(other)!];
      if (others === undefined || others === group) continue;
      const joined = [...group, ...others];
      for (const one of joined) groupOf.set(one, joined);
    }
  }
  return [...new Set(groupOf.values())].map((group) => group.sort((a, b) => a.start - b.start));
}

/** The texts again with these pieces alone; sources that lose all their rules are left out. */
function sourcesOf(
  sources: readonly EngineSource[],
  pieces: readonly Piece[],
  beginnings: readonly string[],
): EngineSource[] {
  return [...Map.groupBy(pieces, ({ source }) => source)].map(([index, some]) => {
    const { namespace, text } = sources[index]!;
    const rules = some.flatMap((piece) => piece.rules).sort((a, b) => a.start - b.start);
    const used = new Set(rules.flatMap(({ condition }) => condition.map((token) => token.text)));
    const imports = importsOf(text).filter((module) => used.has(module.slice(1, -1)));
    const texts = rules.map((rule) => textOf(rule, text, beginnings));
    return { namespace, text: `${[...imports.map((module) => `import ${module}`), ...texts].join('\n')}\n` };
  });
}

/** A rule without asking again how the file begins, where that is known: a third less to load. */
function textOf({ start, end, condition }: OutlinedRule, text: string, beginnings: readonly string[]): string {
  const parts: string[] = [];
  let position = start;
  for (const [index, { start: first }] of condition.entries()) {
    const length = lengthOfKnown(condition, index, beginnings);
    if (length === 0) continue;
    parts.push(text.slice(position, first), 'true');
    position = condition[index + length - 1]!.end;
  }
  return [...parts, text.slice(position, end)].join('');
}

const before: ReadonlySet<string | undefined> = new Set([undefined, 'and', 'or', 'not', '(']);
const behind: ReadonlySet<string | undefined> = new Set([undefined, 'and', 'or', ')']);

/** Of how many tokens `uint16(0) == 0x5a4d` is, where every such file begins so; 0 where it is something else. */
function lengthOfKnown(condition: readonly Token[], index: number, [beginning, other]: readonly string[]): number {
  const { text: reader } = condition[index]!;
  if (beginning?.length !== telling || other !== undefined || !/^uint16(?:be)?$/.test(reader)) return 0;
  const texts = condition.slice(index, index + 10).map(({ text }) => text);
  const isRewritten = texts[2] === zeroGlobal && texts[3] === '+';
  const [open, at, close, first, second, number = ''] = [texts[1], ...texts.slice(isRewritten ? 4 : 2)];
  const isSense = open === '(' && Number(at) === 0 && close === ')' && first === '=' && second === '=';
  const bytes = Buffer.from(beginning, 'latin1');
  const value = reader === 'uint16' ? bytes.readUInt16LE(0) : bytes.readUInt16BE(0);
  const length = isRewritten ? 9 : 7;
  const isWhole = before.has(condition[index - 1]?.text) && behind.has(condition[index + length]?.text);
  return isSense && Number(number) === value && isWhole ? length : 0;
}

/** As they are written, with quotation marks. */
function importsOf(text: string): string[] {
  const found = text.match(/\bimport\s*"\w+"/g) ?? [];
  return [...new Set(found.map((words) => tokenize(words)[1]!.text))];
}
