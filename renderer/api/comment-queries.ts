// Comment threads of APKs, rulesets and profiles, as the screens ask for them. Knows nothing of how they look.
import { type QueryKey, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { Analyst } from '../../server/contract/analyst.ts';
import type { Comment } from '../../server/contract/comment.ts';
import type { Page } from '../../server/contract/list.ts';
import { request } from './client.ts';
import { queryClient } from './queries.ts';

/** Where a thread stands in the API, and the record that counts its comments. */
export interface Thread {
  /** `/apks/<sha256>/comments/`, `/rulesets/<id>/comments/` or `/analysts/<username>/profile_comments/` */
  path: string;
  record: QueryKey;
}

export const threadKey = (path: string) => ['comments', path] as const;

/** What follows in a list of the API, by the link that the list itself gives. */
const followingPath = (link: string | null): string | undefined => {
  if (link === null) return undefined;
  const { pathname, search } = new URL(link);
  return pathname + search;
};

export const useThread = ({ path }: Thread) =>
  useInfiniteQuery({
    queryKey: threadKey(path),
    queryFn: ({ pageParam, signal }) => request<Page<Comment>>(pageParam, { signal }),
    initialPageParam: path,
    getNextPageParam: ({ next }) => followingPath(next),
    staleTime: 10_000,
  });

/** Writes a comment (no id), changes one (with a text) or deletes it (without). */
export const useCommenting = ({ path, record }: Thread) =>
  useMutation({
    mutationFn: ({ id, text }: { id?: string; text?: string }) =>
      request<unknown>(id === undefined ? path : `${path}${encodeURIComponent(id)}/`, {
        method: id === undefined ? 'POST' : text === undefined ? 'DELETE' : 'PATCH',
        ...(text === undefined ? {} : { body: { text } }),
      }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: threadKey(path) }),
        queryClient.invalidateQueries({ queryKey: record }),
      ]),
  });

/** Names that can be mentioned: those of the first hundred analysts, which is as many as the API gives at once. */
export const useMentionable = (isWanted: boolean) =>
  useQuery({
    queryKey: ['mentionable'],
    queryFn: async ({ signal }) => {
      const { results } = await request<Page<Analyst>>('/analysts/', { query: { page_size: 100 }, signal });
      return results.filter(({ is_disabled }) => !is_disabled).map(({ username }) => username);
    },
    enabled: isWanted,
  });
