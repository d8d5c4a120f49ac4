// Packages of rulesets, in the shape that is sent.
import type {
  PackageChange,
  RulePackage,
  PackagePreview as SentPreview,
} from '../../../contract/rules/rule-package.ts';
import type { PackagePreview, RulePackageRecord } from '../../../services/rules/rule-packages.ts';
import { timestamp } from '../presenting.ts';

export function presentRulePackage(record: RulePackageRecord): RulePackage {
  const { added, changed, removed, refused, left_out } = JSON.parse(record.change) as PackageChange;
  return {
    name: record.name,
    version: record.version,
    licence: record.licence,
    source: record.source,
    is_enabled: record.isEnabled,
    is_public: record.isPublic,
    rulesets_count: record.rulesetsCount,
    enabled_count: record.enabledCount,
    rules_count: record.rulesCount,
    matches_count: record.matchesCount,
    duplicates_count: record.duplicatesCount,
    imported_at: timestamp(record.importedAt),
    last_change: {
      added: added.length,
      changed: changed.length,
      removed: removed.length,
      refused: refused.length,
      left_out,
    },
  };
}

export const presentRulePackageDetail = (record: RulePackageRecord) => ({
  ...presentRulePackage(record),
  last_change: JSON.parse(record.change) as PackageChange,
});

export const presentPackagePreview = ({ isNew, ...preview }: PackagePreview): SentPreview => ({
  ...preview,
  is_new: isNew,
});
