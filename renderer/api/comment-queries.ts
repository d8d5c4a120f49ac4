// Comment threads of APKs, rulesets and profiles, as the screens ask for them. Knows nothing of how they look.
import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { Page } from '../../server/contract/list.ts';
import type { Comment } from '../../server/contract/people/comment.ts';
import { ask } from './client.ts';
import { useChange, useCursorList } from './query-client.ts';

/** Comments of one thing: how they are asked for and changed, and the record that counts them. */
export interface Thread {
  key: QueryKey;
  record: QueryKey;
  /** Whether `#word` tags what is commented. */
  hasTags: boolean;
  /** @param cursor of the page; none for the first. Threads of profiles page by number. */
  list: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Comment>>;
  write: (text: string) => Promise<unknown>;
  change: (comment: string, text: string) => Promise<unknown>;
  remove: (comment: string) => Promise<unknown>;
}

export const apkThread = (sha256: string): Thread => ({
  key: ['comments', 'apk', sha256],
  record: ['apk', sha256],
  hasTags: true,
  list: (cursor, signal) => ask('GET /apks/<sha256>/comments/', { sha256, query: { cursor }, signal }),
  write: (text) => ask('POST /apks/<sha256>/comments/', { sha256, body: { text } }),
  change: (comment, text) => ask('PATCH /apks/<sha256>/comments/<comment>/', { sha256, comment, body: { text } }),
  remove: (comment) => ask('DELETE /apks/<sha256>/comments/<comment>/', { sha256, comment }),
});

export const rulesetThread = (id: string): Thread => ({
  key: ['comments', 'ruleset', id],
  record: ['ruleset', id],
  hasTags: false,
  list: (cursor, signal) => ask('GET /rulesets/<id>/comments/', { id, query: { cursor }, signal }),
  write: (text) => ask('POST /rulesets/<id>/comments/', { id, body: { text } }),
  change: (comment, text) => ask('PATCH /rulesets/<id>/comments/<comment>/', { id, comment, body: { text } }),
  remove: (comment) => ask('DELETE /rulesets/<id>/comments/<comment>/', { id, comment }),
});

/** The comments on an analyst's profile. */
export const profileThread = (username: string): Thread => ({
  key: ['comments', 'profile', username],
  record: ['analyst', username],
  hasTags: false,
  list: (page = '1', signal) =>
    ask('GET /analysts/<username>/profile_comments/', { username, query: { page: Number(page) }, signal }),
  write: (text) => ask('POST /analysts/<username>/profile_comments/', { username, body: { text } }),
  change: (comment, text) =>
    ask('PATCH /analysts/<username>/profile_comments/<comment>/', { username, comment, body: { text } }),
  remove: (comment) => ask('DELETE /analysts/<username>/profile_comments/<comment>/', { username, comment }),
});

export const useThread = ({ key, list }: Thread) =>
  useCursorList(key, ({ query, signal }) => list(query.cursor, signal), { staleTime: 10_000 });

/** Writes a comment (no id), changes one (with a text) or deletes it (without). */
export const useCommenting = ({ key, record, write, change, remove }: Thread) =>
  useChange(
    ({ id, text }: { id?: string; text?: string }) =>
      id === undefined ? write(text ?? '') : text === undefined ? remove(id) : change(id, text),
    key,
    record,
  );

/** Names that can be mentioned: those of the first hundred analysts, which is as many as the API gives at once. */
export const useMentionable = (isWanted: boolean) =>
  useQuery({
    queryKey: ['mentionable'],
    queryFn: async ({ signal }) => {
      const { results } = await ask('GET /analysts/', { query: { page_size: 100 }, signal });
      return results.filter(({ is_disabled }) => !is_disabled).map(({ username }) => username);
    },
    enabled: isWanted,
  });
