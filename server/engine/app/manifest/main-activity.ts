// Which activities a launcher shows. Knows nothing but components.
import type { Component } from './components.ts';

const main = 'android.intent.action.MAIN';
const launcher = 'android.intent.category.LAUNCHER';

/**
 * Names of the enabled activities and aliases with MAIN and LAUNCHER: those that have both in one filter first, activities
 * before aliases, each in the order of the manifest and once.
 */
export function mainActivitiesOf(components: readonly Component[]): string[] {
  const ranked: { name: string; rank: number }[] = [];
  for (const component of components) {
    if ((component.kind !== 'activity' && component.kind !== 'activity-alias') || !component.enabled) continue;
    const filters = component.intentFilters;
    const hasMain = filters.some((filter) => filter.actions.includes(main));
    const hasLauncher = filters.some((filter) => filter.categories.includes(launcher));
    if (!hasMain || !hasLauncher) continue;
    const isOneFilter = filters.some((filter) => filter.actions.includes(main) && filter.categories.includes(launcher));
    ranked.push({ name: component.name, rank: (isOneFilter ? 0 : 2) + (component.kind === 'activity' ? 0 : 1) });
  }
  return [...new Set(ranked.sort((a, b) => a.rank - b.rank).map((each) => each.name))];
}
