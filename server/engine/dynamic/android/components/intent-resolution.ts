// Whether an intent fits a filter, by Android's rules. Knows no machine.
import type { IntentFilter } from '../../../app/manifest/components.ts';
import { splitUri } from '../data/uri.ts';

/** What resolution looks at. */
export interface IntentShape {
  readonly action: string | null;
  readonly data: string | null;
  readonly type: string | null;
  readonly categories: readonly string[];
  /** Class name of an explicit intent. */
  readonly className: string | null;
  /** Of the component, else the one the intent is limited to. */
  readonly packageName: string | null;
}

/** What a filter asks for; one made at run time has no more. */
export type FilterShape = Pick<IntentFilter, 'actions' | 'categories' | 'data'>;

const defaultCategory = 'android.intent.category.DEFAULT';

/**
 * `android:pathPattern`: a dot is any character, an asterisk any number of the character before it, a backslash takes the
 * next one as it is. What follows `.*` ends it where it first occurs, so that no pattern is tried twice.
 * https://developer.android.com/reference/android/os/PatternMatcher#PATTERN_SIMPLE_GLOB
 */
function matchesPattern(pattern: string, path: string): boolean {
  const tokens = Array.from(pattern.matchAll(/\\?([\s\S])(\*?)/g), ([all, character, star]) => ({
    character: character!,
    isAny: all === `.${star}`,
    isRepeated: star === '*',
  }));
  let at = 0;
  for (const [index, { character, isAny, isRepeated }] of tokens.entries()) {
    if (!isRepeated) {
      if (at >= path.length || (!isAny && path[at] !== character)) return false;
      at += 1;
    } else if (isAny) {
      const next = tokens[index + 1];
      if (next === undefined) return true;
      if (!next.isAny) at = path.indexOf(next.character, at);
      if (at < 0) return false;
    } else while (path[at] === character) at += 1;
  }
  return at === path.length;
}

const matchesType = (wanted: string, type: string): boolean => {
  if (wanted === '*/*' || wanted === '*' || type === '*/*') return true;
  const [main, sub] = wanted.split('/');
  const [ownMain, ownSub] = type.split('/');
  return main === ownMain && (sub === '*' || ownSub === '*' || sub === ownSub);
};

/** What a filter says under a name in all its `data` elements together. */
export const dataValues = ({ data }: FilterShape, name: string): string[] =>
  data.flatMap((each) => (each[name] === undefined ? [] : [each[name]]));

function matchesData(filter: FilterShape, data: string | null, type: string | null): boolean {
  const values = (name: string) => dataValues(filter, name);
  const types = values('mimeType');
  const schemes = values('scheme');
  if (type === null ? types.length > 0 : !types.some((wanted) => matchesType(wanted, type))) return false;
  if (data === null) return schemes.length === 0 || (type !== null && schemes.length === 0);
  const uri = splitUri(data);
  if (schemes.length === 0) return types.length > 0 ? uri.scheme === 'content' || uri.scheme === 'file' : false;
  if (!schemes.includes(uri.scheme ?? '')) return false;
  const hosts = values('host');
  if (hosts.length === 0) return true;
  const host = (uri.authority ?? '').replace(/^.*@/, '').replace(/:\d*$/, '');
  const fitsHost = hosts.some((each) => (each.startsWith('*') ? host.endsWith(each.slice(1)) : each === host));
  if (!fitsHost) return false;
  const ports = values('port');
  if (ports.length > 0 && !ports.includes(/:(\d+)$/.exec(uri.authority ?? '')?.[1] ?? '')) return false;
  const path = uri.path ?? '';
  const tests = [
    ...values('path').map((each) => each === path),
    ...values('pathPrefix').map((each) => path.startsWith(each)),
    ...values('pathSuffix').map((each) => path.endsWith(each)),
    ...[...values('pathPattern'), ...values('pathAdvancedPattern')].map((each) => matchesPattern(each, path)),
  ];
  return tests.length === 0 || tests.includes(true);
}

/** @param needsDefault an implicit start of an activity asks for the category DEFAULT of itself */
export function matchesFilter(filter: FilterShape, intent: IntentShape, needsDefault = false): boolean {
  if (intent.action === null ? filter.actions.length === 0 : !filter.actions.includes(intent.action)) return false;
  const categories = needsDefault ? [...intent.categories, defaultCategory] : intent.categories;
  const isLauncher = filter.categories.includes('android.intent.category.LAUNCHER');
  const fitsCategories = categories.every(
    (category) => filter.categories.includes(category) || (category === defaultCategory && isLauncher),
  );
  return fitsCategories && matchesData(filter, intent.data, intent.type);
}
