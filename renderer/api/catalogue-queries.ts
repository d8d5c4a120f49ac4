// What the catalogue's screen asks beside its rows: facets, completions, saved searches, bulk actions, figures.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BulkAnswer, BulkRequest } from '../../server/contract/bulk.ts';
import type { CatalogueStatistics } from '../../server/contract/catalogue-statistics.ts';
import type { Completions } from '../../server/contract/completion.ts';
import type { Facets } from '../../server/contract/facet.ts';
import type { Page } from '../../server/contract/list.ts';
import type { SavedSearch } from '../../server/contract/saved-search.ts';
import { request } from './client.ts';

export const useFacets = (search: string, isShown: boolean) =>
  useQuery({
    queryKey: ['facets', search],
    queryFn: ({ signal }) =>
      request<Facets>('/apks/facets/', { query: { search: search === '' ? undefined : search, values: 8 }, signal }),
    enabled: isShown,
    staleTime: 5_000,
    placeholderData: keepPreviousData,
    retry: false,
  });

export const useCompletions = (search: string, position: number, isAsked: boolean) =>
  useQuery({
    queryKey: ['completions', search, position],
    queryFn: ({ signal }) => request<Completions>('/apks/completions/', { query: { search, position }, signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
  });

const savedKey = ['saved-searches'];

export const useSavedSearches = () =>
  useQuery({
    queryKey: savedKey,
    queryFn: ({ signal }) => request<Page<SavedSearch>>('/account/searches/', { query: { page_size: 100 }, signal }),
  });

export function useSaveSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; search: string; ordering: string }) =>
      request<SavedSearch>('/account/searches/', { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: savedKey }),
  });
}

export function useForgetSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<void>(`/account/searches/${encodeURIComponent(id)}/`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: savedKey }),
  });
}

export function useBulk() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BulkRequest) => request<BulkAnswer>('/apks/bulk/', { method: 'POST', body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['jobs'] });
      void client.invalidateQueries({ queryKey: ['facets'] });
    },
  });
}

export const useFigures = (days: number) =>
  useQuery({
    queryKey: ['figures', days],
    queryFn: ({ signal }) => request<CatalogueStatistics>('/statistics/', { query: { days }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
