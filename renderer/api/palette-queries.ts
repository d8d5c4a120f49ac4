// What the command palette finds by name beside pages and actions. Knows nothing of how it looks.
import { keepPreviousData } from '@tanstack/react-query';
import { useCompletions } from './catalogue-queries.ts';
import { useMentionable } from './comment-queries.ts';
import { useAnswer } from './query-client.ts';

/** Fewer letters are in too many names. */
const minLetters = 2;
const mostOfAKind = 5;

/** One thing by its name: a search that finds the APKs, a ruleset's id, an analyst's name. */
export interface Found {
  kind: 'app' | 'package' | 'ruleset' | 'analyst';
  name: string;
  /** What its address is made of. */
  key: string;
  count: number | null;
}

/** Uses completions rather than searches, which are limited per day. */
export function useFound(text: string): Found[] {
  const isWanted = text.length >= minLetters && !text.includes('"');
  const appSearch = `app:"${text}`;
  const packageSearch = `package:"${text}`;
  const apps = useCompletions(appSearch, appSearch.length, isWanted);
  const packages = useCompletions(packageSearch, packageSearch.length, isWanted);
  const rulesets = useAnswer(
    ['rulesets', 'by-name', text],
    'GET /rulesets/',
    { query: { name__icontains: text, page_size: mostOfAKind } },
    { enabled: isWanted, placeholderData: keepPreviousData, retry: false },
  );
  const { data: analysts = [] } = useMentionable(isWanted);
  if (!isWanted) return [];
  const apksBy = (field: 'app' | 'package', { data }: typeof apps): Found[] =>
    (data?.completions ?? []).slice(0, mostOfAKind).map(({ text: value, count }) => ({
      kind: field,
      name: value.replace(/^"(.*)"$/s, '$1'),
      key: `${field}:${value}`,
      count,
    }));
  return [
    ...apksBy('app', apps),
    ...apksBy('package', packages),
    ...(rulesets.data?.results ?? []).map(({ id, name }): Found => ({ kind: 'ruleset', name, key: id, count: null })),
    ...analysts
      .filter((name) => name.toLowerCase().includes(text.toLowerCase()))
      .slice(0, mostOfAKind)
      .map((name): Found => ({ kind: 'analyst', name, key: name, count: null })),
  ];
}
