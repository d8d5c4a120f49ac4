// What the catalogue's screen asks beside its rows: facets, completions, saved searches, bulk actions, figures.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BulkRequest } from '../../server/contract/jobs/bulk.ts';
import { ask } from './client.ts';

export const useFacets = (search: string, isShown: boolean) =>
  useQuery({
    queryKey: ['facets', search],
    queryFn: ({ signal }) =>
      ask('GET /apks/facets/', { query: { search: search === '' ? undefined : search, values: 8 }, signal }),
    enabled: isShown,
    staleTime: 5_000,
    placeholderData: keepPreviousData,
    retry: false,
  });

export const useCompletions = (search: string, position: number, isAsked: boolean) =>
  useQuery({
    queryKey: ['completions', search, position],
    queryFn: ({ signal }) => ask('GET /apks/completions/', { query: { search, position }, signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
  });

const savedKey = ['saved-searches'];

export const useSavedSearches = () =>
  useQuery({
    queryKey: savedKey,
    queryFn: ({ signal }) => ask('GET /account/searches/', { query: { page_size: 100 }, signal }),
  });

export function useSaveSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; search: string; ordering: string }) => ask('POST /account/searches/', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: savedKey }),
  });
}

export function useForgetSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => ask('DELETE /account/searches/<id>/', { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: savedKey }),
  });
}

export function useBulk() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BulkRequest) => ask('POST /apks/bulk/', { body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['jobs'] });
      void client.invalidateQueries({ queryKey: ['facets'] });
    },
  });
}

export const useFigures = (days: number) =>
  useQuery({
    queryKey: ['figures', days],
    queryFn: ({ signal }) => ask('GET /statistics/', { query: { days }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
