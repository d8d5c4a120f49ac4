// What the catalogue's screen asks beside its rows: facets, completions, saved searches, bulk actions, figures.
import { keepPreviousData } from '@tanstack/react-query';
import type { BulkRequest } from '../../server/contract/jobs/bulk.ts';
import { ask } from './client.ts';
import { always, useAnswer, useChange } from './query-client.ts';

export const useFacets = (search: string) =>
  useAnswer(
    ['facets', search],
    'GET /apks/facets/',
    { query: { search: search === '' ? undefined : search, values: 8 } },
    { staleTime: 5_000, placeholderData: keepPreviousData, retry: false },
  );

export const useCompletions = (search: string, position: number, isAsked: boolean) =>
  useAnswer(
    ['completions', search, position],
    'GET /apks/completions/',
    { query: { search, position } },
    { enabled: isAsked, placeholderData: keepPreviousData, retry: false },
  );

/** The next APK without a verdict. @param after the APK that is open */
export const askQueue = (search: string, after: string | undefined) =>
  ask('GET /apks/queue/', { query: { search: search === '' ? undefined : search, after } });

/** How many APKs without a verdict are left. */
export const useQueuePlace = (search: string, after: string) =>
  useAnswer(
    ['queue', search, after],
    'GET /apks/queue/',
    { query: { search: search === '' ? undefined : search, after } },
    { ...always, placeholderData: keepPreviousData },
  );

const savedKey = ['saved-searches'];

export const useSavedSearches = () => useAnswer(savedKey, 'GET /account/searches/');
export const useSaveSearch = () =>
  useChange(
    (body: { name: string; search: string; ordering: string }) => ask('POST /account/searches/', { body }),
    savedKey,
  );
export const useForgetSearch = () => useChange((id: string) => ask('DELETE /account/searches/<id>/', { id }), savedKey);

export const useBulk = () => useChange((body: BulkRequest) => ask('POST /apks/bulk/', { body }), ['jobs'], ['facets']);

const outdatedKey = ['outdated-analyses'];

export const useOutdated = (isAsked: boolean) =>
  useAnswer(outdatedKey, 'GET /analyses/outdated/', {}, { enabled: isAsked });
export const useRenewOutdated = () =>
  useChange(() => ask('POST /analyses/outdated/', { body: {} }), ['jobs'], outdatedKey);

export const useFigures = (days: number) =>
  useAnswer(
    ['figures', days],
    'GET /statistics/',
    { query: { days } },
    { ...always, placeholderData: keepPreviousData },
  );
