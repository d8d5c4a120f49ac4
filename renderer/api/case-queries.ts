// Questions and changes about cases. Knows no screen.
import { keepPreviousData } from '@tanstack/react-query';
import type { EntryKind } from '../../server/contract/catalogue/case.ts';
import { ask } from './client.ts';
import { always, useAnswer, useChange } from './query-client.ts';

const casesKey = ['cases'] as const;
/** Searches may name them too. */
const stale = [casesKey, ['catalogue-head'], ['catalogue-page'], ['completions']] as const;
const pageSize = 50;

export const useCases = (search: string, isClosed: boolean, page: number, isAsked = true) =>
  useAnswer(
    [...casesKey, 'list', search, isClosed, page],
    'GET /cases/',
    { query: { search: search === '' ? undefined : search, is_closed: isClosed, page, page_size: pageSize } },
    { ...always, placeholderData: keepPreviousData, enabled: isAsked },
  );

export const useCase = (id: string) => useAnswer([...casesKey, id], 'GET /cases/<id>/', { id }, always);

export const useCaseApks = (id: string, page: number) =>
  useAnswer(
    [...casesKey, id, 'apks', page],
    'GET /cases/<id>/apks/',
    { id, query: { page, page_size: pageSize } },
    { ...always, placeholderData: keepPreviousData },
  );

export const useCaseEntries = (id: string, kind: EntryKind | undefined, page: number) =>
  useAnswer(
    [...casesKey, id, 'entries', kind, page],
    'GET /cases/<id>/entries/',
    { id, query: { kind, page, page_size: pageSize } },
    { ...always, placeholderData: keepPreviousData },
  );

export const useCasesOf = (sha256: string) =>
  useAnswer([...casesKey, 'of', sha256], 'GET /apks/<sha256>/cases/', { sha256 }, always);

export const useCreateCase = () =>
  useChange((body: { name: string; note: string }) => ask('POST /cases/', { body }), ...stale);

export const useImportCase = () =>
  useChange(
    // What is in the file is for the server to refuse.
    async (file: File) => ask('POST /cases/import/', { body: JSON.parse(await file.text()) as never }),
    ...stale,
  );

interface Changes {
  name?: string;
  note?: string;
  is_closed?: boolean;
  people?: string[];
}
export const useChangeCase = (id: string) =>
  useChange((body: Changes) => ask('PATCH /cases/<id>/', { id, body }), ...stale);

export const useDeleteCase = (id: string) => useChange(() => ask('DELETE /cases/<id>/', { id }), ...stale);

interface Added {
  id: string;
  body: { apks?: string[]; search?: string };
}
export const useAddToCase = () =>
  useChange(({ id, body }: Added) => ask('POST /cases/<id>/apks/', { id, body }), ...stale);

export const useRemoveFromCase = (id: string) =>
  useChange((sha256: string) => ask('DELETE /cases/<id>/apks/<sha256>/', { id, sha256 }), ...stale);

interface NewEntry {
  kind: EntryKind;
  text: string;
  assignee?: string;
  happened_at?: string;
}
export const useWriteEntry = (id: string) =>
  useChange((body: NewEntry) => ask('POST /cases/<id>/entries/', { id, body }), casesKey);

interface ChangedEntry {
  entry: string;
  body: { answer?: string; is_done?: boolean };
}
export const useChangeEntry = (id: string) =>
  useChange(
    ({ entry, body }: ChangedEntry) => ask('PATCH /cases/<id>/entries/<entry>/', { id, entry, body }),
    casesKey,
  );

export const useDeleteEntry = (id: string) =>
  useChange((entry: string) => ask('DELETE /cases/<id>/entries/<entry>/', { id, entry }), casesKey);
