// The differences of two APKs by part, as the server tells them, and those of what rules and people say. Knows no screen.
import { useEffect, useMemo } from 'react';
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import type { Comparison as ServerComparison } from '../../../server/contract/engine/comparison.ts';
import type { Match } from '../../../server/contract/rules/match.ts';
import { useMatches, useServerComparison } from '../../api/apk-queries.ts';
import { differencesOf, type Entry, isServerPart, type Section, type SectionName, sectionOf } from './differences.ts';

export type SideName = 'first' | 'second';

/** Two answers, or why they are not there yet. */
export type Known<T> =
  | { state: 'ready'; value: T }
  /** Where the server tells it, how far it is. */
  | { state: 'loading'; progress?: { stage: string; done: number } }
  | { state: 'failed'; error: Error; retry: () => void }
  | { state: 'unreported'; sides: readonly SideName[] };

/** Every match of an APK: compared by the first page alone, the others would count as differences. */
function useAllMatches(sha256: string): Entry[] | undefined {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useMatches(sha256);
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const items = hasNextPage ? undefined : data?.items;
  return useMemo(
    () =>
      items?.map(({ ruleset, rules_matched }: Match) => ({
        name: ruleset.name,
        text: [...new Set(rules_matched.map(({ name }) => name))].sort().join(', '),
        address: `/apks/${sha256}/matches`,
      })),
    [items, sha256],
  );
}

const detectionEntries = ({ sha256, detections }: ApkDetail): Entry[] =>
  detections.map(({ source, information }) => ({
    name: source,
    text: JSON.stringify(information),
    address: `/apks/${sha256}/community`,
  }));

export interface Comparison {
  of: (name: SectionName) => Known<Section>;
  /** What the server says of both; its left side is the left one, unless somebody has swapped them. */
  whole: Known<ServerComparison>;
}

function useWhole(first: ApkDetail, second: ApkDetail): Known<ServerComparison> {
  const sides = { first, second };
  const missing = (['first', 'second'] as const).filter((side) => !sides[side].is_static_analyzed);
  const { data, error, refetch } = useServerComparison(first.sha256, second.sha256, missing.length === 0);
  if (missing.length > 0) return { state: 'unreported', sides: missing };
  if (error !== null) return { state: 'failed', error, retry: () => void refetch() };
  if (data === undefined) return { state: 'loading' };
  return 'stage' in data ? { state: 'loading', progress: data } : { state: 'ready', value: data };
}

/** @param first the side that stands left */
export function useComparison(first: ApkDetail, second: ApkDetail): Comparison {
  const whole = useWhole(first, second);
  const [mine, theirs] = [useAllMatches(first.sha256), useAllMatches(second.sha256)];
  const matches = useMemo(
    () => (mine === undefined || theirs === undefined ? null : differencesOf(mine, theirs)),
    [mine, theirs],
  );
  const detections = useMemo(() => differencesOf(detectionEntries(first), detectionEntries(second)), [first, second]);
  const value = whole.state === 'ready' ? whole.value : null;
  // A large part is turned into lines when it is first looked at; its count is there at once.
  const sections = useMemo(() => {
    const known = new Map<SectionName, Section>();
    return (name: SectionName): Section | null => {
      if (value === null) return null;
      if (!known.has(name)) {
        if (isServerPart(name)) known.set(name, sectionOf(value, name, value.first !== first.sha256));
        else {
          const { removed, added, is_cut: isCut } = value.manifest;
          known.set(name, { differences: [], total: removed + added, same: 0, isCut });
        }
      }
      return known.get(name)!;
    };
  }, [value, first.sha256]);
  const of = (name: SectionName): Known<Section> => {
    if (name === 'detections') return { state: 'ready', value: detections };
    if (name === 'matches') return matches === null ? { state: 'loading' } : { state: 'ready', value: matches };
    if (whole.state !== 'ready') return whole;
    return { state: 'ready', value: sections(name)! };
  };
  return { of, whole };
}
