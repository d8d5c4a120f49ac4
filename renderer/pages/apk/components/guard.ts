// Whether other apps can start a component as they like. Knows components only.
import type { ComponentRecord } from '../../../../server/contract/engine/reports.ts';

/** What Android's home screen starts: every app has one, and it has to be open. */
export const isLauncher = ({ kind, intent_filters: filters }: ComponentRecord): boolean =>
  (kind === 'activity' || kind === 'activity-alias') &&
  filters.some(
    ({ actions, categories }) =>
      actions.includes('android.intent.action.MAIN') &&
      categories.some((category) => /^android\.intent\.category\.(?:LEANBACK_)?LAUNCHER$/.test(category)),
  );

/** No permission stands before it, and it is not what the home screen starts; of a provider reading and writing each. */
export const isUnguarded = (component: ComponentRecord): boolean => {
  const { kind, permission, read_permission: read, write_permission: write } = component;
  const isGuarded = permission !== null || (kind === 'provider' && read !== null && write !== null);
  return !isGuarded && !isLauncher(component);
};
