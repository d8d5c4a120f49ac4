// Questions about what an APK is like, and about what leads from it to others. Knows no screen.
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import type { Apk } from '../../server/contract/catalogue/apk.ts';
import type { Pivots } from '../../server/contract/catalogue/pivot.ts';
import type { Page } from '../../server/contract/list.ts';
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

/** APKs that one trait leads to at once; the catalogue lists all. */
export const havingPageSize = 20;

/** What APKs have, and who has it. */
export const useTies = (asked: readonly ({ sha256: string } | { search: string })[]) =>
  useQueries({
    queries: asked.map((one) =>
      queryOptions<Pivots | Page<Apk>>({
        queryKey: ['ties', one],
        queryFn: ({ signal }) =>
          'sha256' in one
            ? ask('GET /apks/<sha256>/pivots/', { ...one, signal })
            : ask('GET /apks/', { query: { ...one, page_size: havingPageSize }, signal }),
        ...always,
        retry: false,
      }),
    ),
  });
