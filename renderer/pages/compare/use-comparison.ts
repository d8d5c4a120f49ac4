// The differences of two APKs by part, as their reports arrive. Knows which reports a part needs, not how it is shown.
import { useCallback, useEffect, useMemo } from 'react';
import type { ApkDetail, FilesDocument } from '../../../server/contract/catalogue/apk.ts';
import type { AndroguardReport, CuckooReport } from '../../../server/contract/engine/reports.ts';
import type { Match } from '../../../server/contract/rules/match.ts';
import { useMatches, useReportPart, useServerComparison } from '../../api/apk-queries.ts';
import { useFiles } from '../../api/queries.ts';
import { comparedLines, comparedSections } from './compared-parts.ts';
import type { Difference } from './differences.ts';
import {
  fileDifferences,
  matchDifferences,
  reportDifferences,
  type SectionName,
  stringDifferences,
} from './sections.ts';

export type SideName = 'first' | 'second';

/** What two answers give, or why they give nothing yet. */
export type Known<T> =
  | { state: 'ready'; value: T }
  | { state: 'loading' }
  | { state: 'failed'; error: Error; retry: () => void }
  | { state: 'unreported'; sides: readonly SideName[] };

/** null: that analysis was not made yet. */
interface Answer<T> {
  data: T | null | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** @param compare must be stable between renders */
function useBoth<T, Result>(
  first: Answer<T>,
  second: Answer<T>,
  compare: (first: T, second: T) => Result,
): Known<Result> {
  const { data: one, error: oneError, refetch: askOne } = first;
  const { data: other, error: otherError, refetch: askOther } = second;
  return useMemo(() => {
    if (oneError !== null) return { state: 'failed', error: oneError, retry: () => void askOne() };
    if (otherError !== null) return { state: 'failed', error: otherError, retry: () => void askOther() };
    if (one === undefined || other === undefined) return { state: 'loading' };
    if (one !== null && other !== null) return { state: 'ready', value: compare(one, other) };
    const sides: SideName[] = [];
    if (one === null) sides.push('first');
    if (other === null) sides.push('second');
    return { state: 'unreported', sides };
  }, [one, other, oneError, otherError, askOne, askOther, compare]);
}

/** Every match of an APK: compared by the first page alone, the others would count as differences. */
function useAllMatches(sha256: string): Answer<Match[]> {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useMatches(sha256);
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { data: hasNextPage ? undefined : data?.items, error, refetch };
}

export interface Comparison {
  of: (name: SectionName) => Known<readonly Difference[]>;
  /** Both static reports, for the summary of the two. */
  reports: Known<{ first: AndroguardReport; second: AndroguardReport }>;
}

const asPair = (first: AndroguardReport, second: AndroguardReport) => ({ first, second });

/** @param shown the strings are most of a report: they are asked for when they are looked at */
export function useComparison(first: ApkDetail, second: ApkDetail, shown: SectionName): Comparison {
  const { sha256: one } = first;
  const { sha256: other } = second;
  const reports = useBoth(useReportPart(one, 'androguard'), useReportPart(other, 'androguard'), asPair);
  const files = useBoth(
    useFiles(one),
    useFiles(other),
    useCallback(
      (mine: FilesDocument, theirs: FilesDocument) =>
        fileDifferences({ sha256: one, ...mine }, { sha256: other, ...theirs }),
      [one, other],
    ),
  );
  const matches = useBoth(
    useAllMatches(one),
    useAllMatches(other),
    useCallback(
      (mine: Match[], theirs: Match[]) =>
        matchDifferences({ sha256: one, matches: mine }, { sha256: other, matches: theirs }),
      [one, other],
    ),
  );
  const server = useServerComparison(one, other, reports.state === 'ready');
  const { data } = server;
  const compared = useMemo(() => {
    if (data === undefined || 'stage' in data) return null;
    return new Map(comparedSections.map((section) => [section as SectionName, comparedLines(data, section, one)]));
  }, [data, one]);
  const areStringsWanted = shown === 'strings';
  const strings = useBoth(
    useReportPart(one, 'cuckoo', areStringsWanted),
    useReportPart(other, 'cuckoo', areStringsWanted),
    stringDifferencesOf,
  );
  const ofReports = useMemo(
    () =>
      reports.state === 'ready'
        ? reportDifferences({ apk: first, report: reports.value.first }, { apk: second, report: reports.value.second })
        : null,
    [reports, first, second],
  );
  const of = (name: SectionName): Known<readonly Difference[]> => {
    if (name === 'files') return files;
    if (name === 'matches') return matches;
    if (name === 'strings') return strings;
    if (reports.state !== 'ready') return reports;
    if (comparedSections.some((section) => section === name)) {
      if (server.error !== null) return { state: 'failed', error: server.error, retry: () => void server.refetch() };
      return compared === null ? { state: 'loading' } : { state: 'ready', value: compared.get(name) ?? [] };
    }
    return { state: 'ready', value: ofReports?.[name] ?? [] };
  };
  return { of, reports };
}

const stringDifferencesOf = (first: CuckooReport, second: CuckooReport) =>
  stringDifferences(first.strings, second.strings);
