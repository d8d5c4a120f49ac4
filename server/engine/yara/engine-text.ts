// Rewritten rules as engines get them for a scan: all of them or some, with the places of strings or without. Knows no engine.
import { type Replacement, RewrittenText } from './language/position-map.ts';
import type { RewrittenRules, RuleHeader } from './rewriting/rewriting.ts';

export interface TextOptions {
  /** The wanted rules by the engine's names, to which those that they refer to and global ones are added; all by default. */
  names?: ReadonlySet<string>;
  /**
   * With places, every rule matches whatever its condition says: which rules match is known by then, and only the places
   * of their strings are still wanted. Without places all strings are private, which matches the same and saves the
   * engine its list of places, millions of them for a string like `"a"`.
   */
  hasPlaces: boolean;
}

/** Rewritten rules as an engine gets them for a scan. */
export function engineText(rules: string, rewritten: RewrittenRules, { names, hasPlaces }: TextOptions): string {
  const { replacements, publicStrings, rules: headers } = rewritten;
  const dropped = names === undefined ? [] : headersWithout(headers, names);
  const openings = hasPlaces ? headers.map(({ conditionStart }) => insertion(conditionStart, ' (')) : [];
  // An engine only looks for strings that a condition asks for: so the condition stays, and `or true` follows it.
  const closings = hasPlaces ? headers.map(({ end }) => insertion(end - 1, ') or filesize >= 0 ')) : [];
  const privacy = hasPlaces ? [] : publicStrings.map((place) => insertion(place, ' private '));
  // An insertion where a rule begins belongs before the rule.
  const isWithin = ({ start, end }: Replacement, header: RuleHeader) =>
    start < header.end && (header.start < start || (header.start === start && end > start));
  const isDropped = (replacement: Replacement) => dropped.some((header) => isWithin(replacement, header));
  const all = [
    ...[...openings, ...replacements, ...privacy, ...closings].filter((replacement) => !isDropped(replacement)),
    ...dropped.map(({ start, end }) => ({ start, end, text: '' })),
  ].sort((a, b) => a.start - b.start || a.end - b.end);
  return new RewrittenText(rules, all).text;
}

const insertion = (place: number, text: string): Replacement => ({ start: place, end: place, text });

/** The rules that the wanted ones do not need. */
function headersWithout(headers: readonly RuleHeader[], names: ReadonlySet<string>): RuleHeader[] {
  const kept = new Set<RuleHeader>();
  const waiting = headers.filter(({ engineName, isGlobal }) => isGlobal || names.has(engineName));
  for (let header = waiting.pop(); header !== undefined; header = waiting.pop()) {
    if (kept.has(header)) continue;
    kept.add(header);
    for (const other of headers) if (!kept.has(other) && refersTo(header, other)) waiting.push(other);
  }
  return headers.filter((header) => !kept.has(header));
}

function refersTo({ words }: RuleHeader, { engineName, name }: RuleHeader): boolean {
  if (words.has(name) || words.has(engineName)) return true;
  for (const word of words) if (word.endsWith('*') && engineName.startsWith(word.slice(0, -1))) return true;
  return false;
}
