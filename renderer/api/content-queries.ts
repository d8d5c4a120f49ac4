// Searches in the files of APKs, as the screens ask for them. Knows nothing of how they look.
import { useQuery } from '@tanstack/react-query';
import type { ContentSearch } from '../../server/contract/catalogue/content-search.ts';
import { ask } from './client.ts';
import { askAnew, queryClient, useAnswer, useChange, useCursorList } from './query-client.ts';

const keys = {
  begun: (search: string) => ['content-search', search] as const,
  state: (id: string) => ['content-search-state', id] as const,
  hits: (id: string) => ['content-search-hits', id] as const,
};

/** Whether a search names contents: outside of quotes there is their field. */
export const namesContent = (search: string): boolean =>
  /(?:^|[\s(-])content\s*:/i.test(search.replaceAll(/"[^"]*"/g, '""'));

/** Begins a search, once: whoever comes back to it finds what it found. */
export const useBegunContentSearch = (search: string) =>
  useQuery({
    queryKey: keys.begun(search),
    queryFn: () => ask('POST /content_searches/', { body: { search } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** What a search has come to; events renew it. */
export const useContentSearch = (id: string) =>
  useAnswer(keys.state(id), 'GET /content_searches/<id>/', { id }, { retry: false, staleTime: 0 });

export const useContentHits = (id: string) =>
  useCursorList(keys.hits(id), (asked) => ask('GET /content_searches/<id>/hits/', { id, ...asked }));

export const useCancelContentSearch = (id: string) =>
  useChange(() => ask('POST /content_searches/<id>/cancel/', { id, body: {} }), keys.state(id));

/** Forgets a search, which begins again where it is looked at. */
export const beginAgain = (search: string) => queryClient.resetQueries({ queryKey: keys.begun(search) });

/** Asks for what an event says has changed. */
export const contentSearchChanged = ({ id }: ContentSearch) => askAnew(keys.state(id), keys.hits(id));
