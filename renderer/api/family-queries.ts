// Questions and changes about families of APKs. Knows no screen.
import { keepPreviousData } from '@tanstack/react-query';
import type { FamilyOrder } from '../../server/contract/catalogue/family.ts';
import type { NewVerdict } from '../../server/contract/catalogue/verdict.ts';
import { ask } from './client.ts';
import { always, useAnswer, useChange, useCursorList } from './query-client.ts';

/** All that is known of families: each change may concern several of them. */
export const familiesKey = ['families'] as const;
/** Members' records and the catalogue's name it too. */
const stale = [familiesKey, ['apk'], ['catalogue-head'], ['catalogue-page'], ['completions']] as const;

interface FamilyList {
  search: string;
  ordering: FamilyOrder;
  page: number;
}

const pageSize = 50;

export const useFamilies = ({ search, ordering, page }: FamilyList, isAsked = true) =>
  useAnswer(
    [...familiesKey, 'list', search, ordering, page],
    'GET /families/',
    { query: { search: search === '' ? undefined : search, ordering, page, page_size: pageSize } },
    { ...always, placeholderData: keepPreviousData, enabled: isAsked },
  );

export const useFamily = (id: string) => useAnswer([...familiesKey, id], 'GET /families/<id>/', { id }, always);

const memberPageSize = 100;

export const useMembers = (id: string, page: number) =>
  useAnswer(
    [...familiesKey, id, 'apks', page],
    'GET /families/<id>/apks/',
    { id, query: { page, page_size: memberPageSize } },
    { ...always, placeholderData: keepPreviousData },
  );

export const useFamilyActions = (id: string) =>
  useCursorList([...familiesKey, id, 'actions'], (asked) => ask('GET /families/<id>/actions/', { id, ...asked }));

export const useChangeFamily = (id: string) =>
  useChange((body: { name?: string; note?: string }) => ask('PATCH /families/<id>/', { id, body }), ...stale);

export const useSplitFamily = (id: string) =>
  useChange(
    ({ apks, name = '' }: { apks: string[]; name?: string }) =>
      ask('POST /families/<id>/split/', { id, body: { apks, name } }),
    ...stale,
  );

export const useMergeFamily = (id: string) =>
  useChange((family: string) => ask('POST /families/<id>/merge/', { id, body: { family } }), ...stale);

/** Takes APKs out that do not belong, one after the other. */
export const useRemoveMembers = (id: string) =>
  useChange(
    async (apks: readonly string[]) => {
      for (const sha256 of apks) await ask('DELETE /families/<id>/apks/<sha256>/', { id, sha256 });
    },
    ...stale,
  );

export const useJudgeFamily = (id: string) =>
  useChange(
    (body: NewVerdict & { verdict: NonNullable<NewVerdict['verdict']> }) =>
      ask('POST /families/<id>/verdict/', { id, body }),
    ...stale,
    ['jobs'],
    ['facets'],
  );

export const useUndoFamilyAction = (id: string) =>
  useChange((action: string) => ask('POST /families/<id>/undo/', { id, body: { action } }), ...stale);
