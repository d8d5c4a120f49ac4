// Files of code that came out of an APK in their current shape.
import type { ShownChildList } from '../../contract/catalogue/child.ts';
import type { ChildrenView } from '../../services/analyses/children.ts';
import type { Presenting } from './presenting.ts';

export const presentChildren = (
  { ids }: Presenting,
  { children, status, left_out, left_out_count }: ChildrenView,
): ShownChildList => ({
  results: children.map(({ child, risk, matches, matchesCount, isInCatalogue, ...state }) => ({
    ...child,
    status: state.status,
    error: state.error,
    findings: state.findings,
    severity: state.severity,
    risk: child.kind === 'apk' ? risk : null,
    matches: matches.map(({ rulesetId, ruleset, rule }) => ({
      ruleset: ids.encode('ruleset', rulesetId),
      ruleset_name: ruleset,
      rule,
    })),
    matches_count: matchesCount,
    is_in_catalogue: isInCatalogue,
  })),
  count: children.length,
  left_out,
  left_out_count,
  status,
});
