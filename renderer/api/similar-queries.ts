// Questions about what an APK is like. Knows no screen.
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { ask } from './client.ts';
import { always } from './query-client.ts';

const similarOptions = (sha256: string) =>
  queryOptions({
    queryKey: ['similar', sha256],
    queryFn: ({ signal }) => ask('GET /apks/<sha256>/similar/', { sha256, signal }),
    ...always,
    retry: false,
  });

export const useSimilar = (sha256: string) => useQuery(similarOptions(sha256));
export const useSimilarOfAll = (sha256s: readonly string[]) => useQueries({ queries: sha256s.map(similarOptions) });
