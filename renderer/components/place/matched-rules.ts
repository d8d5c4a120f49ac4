// The rules of a match grouped for reading: a rule without matching strings is listed once for all its files. Knows matches only.
import { matchesByRule } from '../../../server/contract/engine/yara.ts';
import type { Match } from '../../../server/contract/rules/match.ts';

export type MatchedRule = Match['rules_matched'][number];

export interface RuleWithFiles {
  rule: MatchedRule;
  /** Names inside the APK, empty for the APK itself. */
  files: string[];
  /** How many files it matches in beside those that are listed. */
  moreFiles: number;
}

/** Rules whose strings hit stay apart for each file, since each has bytes of its own to show. */
export function rulesWithFiles(rules: readonly MatchedRule[]): RuleWithFiles[] {
  const withoutStrings = new Map<string, RuleWithFiles>();
  const found: RuleWithFiles[] = [];
  for (const rule of matchesByRule(rules).flat()) {
    const known = rule.strings.length === 0 ? withoutStrings.get(rule.name) : undefined;
    if (known !== undefined) {
      known.files.push(rule.file);
      continue;
    }
    const added = { rule, files: [rule.file], moreFiles: 0 };
    found.push(added);
    if (rule.strings.length === 0) withoutStrings.set(rule.name, added);
  }
  // The number of further files is given once for each rule: with the last of its files that are listed.
  const told = Map.groupBy(found, ({ rule }) => rule.name);
  for (const some of told.values()) {
    const files = some.reduce((sum, one) => sum + one.files.length, 0);
    some.at(-1)!.moreFiles = Math.max(0, some[0]!.rule.files_count - files);
  }
  return found;
}
