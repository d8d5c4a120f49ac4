// What an editor of rulesets is told, in its current shape.
import type { RulesVerdict } from '../../../contract/rules/dry-run.ts';
import type { StartingRules } from '../../../contract/rules/starting-rules.ts';
import type { YaraVocabulary } from '../../../contract/rules/yara-vocabulary.ts';
import type { RulesetRecord, Rulesets } from '../../../services/rules/rulesets.ts';
import type { startingRules } from '../../../services/rules/starting-rules.ts';
import type { yaraVocabulary } from '../../../services/rules/yara-vocabulary.ts';
import type { Presenting } from '../presenting.ts';

export const presentVerdict = (compiled: Awaited<ReturnType<Rulesets['validate']>>): RulesVerdict => ({
  is_valid: compiled.errors.length === 0,
  rules_count: compiled.rules.length,
  ...compiled,
});

/** @param own the account's ruleset of that name */
export const presentStartingRules = (
  { ids }: Presenting,
  { name, description, rulesCount, rules }: ReturnType<typeof startingRules>[number],
  own: RulesetRecord | null,
): StartingRules => ({
  name,
  description,
  rules_count: rulesCount,
  rules,
  ruleset: own === null ? null : ids.encode('ruleset', own.id),
});

export const presentYaraVocabulary = ({ keywords, modules }: typeof yaraVocabulary): YaraVocabulary => ({
  keywords,
  modules: modules.map(({ name, isReport, description, members }) => ({
    name,
    is_report: isReport,
    description,
    members,
  })),
});
