// Notifications, analysts, feeds and one's own account, as the screens ask for them. Knows nothing of how they look.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FeedPackage } from '../../server/contract/catalogue/feed.ts';
import type { Page } from '../../server/contract/list.ts';
import type { AccountChangesBody } from '../../server/contract/people/account.ts';
import type { Activity } from '../../server/contract/people/activity.ts';
import type { Analyst } from '../../server/contract/people/analyst.ts';
import type { Ruleset } from '../../server/contract/rules/ruleset.ts';
import { ask, type BodyOf, type QueryOf } from './client.ts';
import { keys as commonKeys, cursorOf } from './queries.ts';

const pageSize = 50;

export type NotificationFilter = Pick<QueryOf<'GET /notifications/'>, 'type' | 'is_read'>;

const peopleKeys = {
  notifications: (filter: NotificationFilter) => ['notifications', filter] as const,
  unread: ['notifications-unread'] as const,
};

export const useNotifications = (filter: NotificationFilter) =>
  useInfiniteQuery({
    queryKey: peopleKeys.notifications(filter),
    queryFn: ({ pageParam, signal }) =>
      ask('GET /notifications/', { query: { cursor: pageParam, page_size: pageSize, ...filter }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: 0,
  });

/** How many notifications nobody has read, and the newest of them. */
export const useUnread = () =>
  useQuery({
    queryKey: peopleKeys.unread,
    queryFn: ({ signal }) => ask('GET /notifications/', { query: { is_read: false, page_size: 8 }, signal }),
  });

export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isRead }: { id: string; isRead: boolean }) =>
      ask('PATCH /notifications/<id>/', { id, body: { is_read: isRead } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['notifications'] });
      void client.invalidateQueries({ queryKey: peopleKeys.unread });
    },
  });
}

export function useMarkAllRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => ask('POST /notifications/mark_all_as_read/'),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['notifications'] });
      void client.invalidateQueries({ queryKey: peopleKeys.unread });
    },
  });
}

export const useAnalysts = (page: number) =>
  useQuery({
    queryKey: ['analysts', page],
    queryFn: ({ signal }) => ask('GET /analysts/', { query: { page, page_size: pageSize }, signal }),
  });

export const useAnalyst = (username: string) =>
  useQuery({
    queryKey: ['analyst', username],
    queryFn: ({ signal }) => ask('GET /analysts/<username>/', { username, signal }),
  });

interface AnalystLists {
  activity: Activity;
  followers: Analyst;
  following: Analyst;
  rulesets: Ruleset;
}

interface AnalystListAsked {
  username: string;
  query: { page: number; page_size: number };
  signal: AbortSignal;
}

const analystLists: {
  [Name in keyof AnalystLists]: (asked: AnalystListAsked) => Promise<Page<AnalystLists[Name]>>;
} = {
  activity: (asked) => ask('GET /analysts/<username>/activity/', asked),
  followers: (asked) => ask('GET /analysts/<username>/followers/', asked),
  following: (asked) => ask('GET /analysts/<username>/following/', asked),
  rulesets: (asked) => ask('GET /analysts/<username>/rulesets/', asked),
};

export const useAnalystList = <Name extends keyof AnalystLists>(username: string, list: Name) =>
  useInfiniteQuery({
    queryKey: ['analyst', username, list],
    queryFn: ({ pageParam, signal }) =>
      analystLists[list]({ username, query: { page: pageParam, page_size: pageSize }, signal }),
    initialPageParam: 1,
    getNextPageParam: (page, _pages, current) => (page.next === null ? undefined : current + 1),
    staleTime: 0,
  });

/** Whether one follows an analyst: one's own list says. */
export const useFollowing = (own: string) =>
  useQuery({
    queryKey: ['analyst', own, 'following-names'],
    queryFn: async ({ signal }) => {
      const page = await ask('GET /analysts/<username>/following/', {
        username: own,
        query: { page_size: 100 },
        signal,
      });
      return new Set(page.results.map(({ username }) => username));
    },
    enabled: own !== '',
  });

export function useFollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ username, isFollowed }: { username: string; isFollowed: boolean }) =>
      ask(`POST /analysts/<username>/${isFollowed ? 'follow' : 'unfollow'}/`, { username }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['analyst'] });
      void client.invalidateQueries({ queryKey: ['analysts'] });
    },
  });
}

type FeedFilter = Pick<FeedPackage, 'feed_type' | 'package_type'>;

export const useFeed = (filter: FeedFilter) =>
  useInfiniteQuery({
    queryKey: ['feed', filter],
    queryFn: ({ pageParam, signal }) =>
      ask('GET /feed/', { query: { cursor: pageParam, page_size: 100, ...filter }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: 0,
  });

export function useAccountUpdate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: AccountChangesBody) => ask('PATCH /account/', { body: changes }),
    onSuccess: (account) => client.setQueryData(commonKeys.account, account),
  });
}

export function useAvatarRemoval() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => ask('DELETE /account/avatar/'),
    onSuccess: () => client.invalidateQueries({ queryKey: commonKeys.account }),
  });
}

export const useStatistics = () =>
  useQuery({
    queryKey: ['account-statistics'],
    queryFn: ({ signal }) => ask('GET /account/statistics/', { signal }),
    staleTime: 0,
  });

export const useTokens = () =>
  useQuery({ queryKey: ['tokens'], queryFn: ({ signal }) => ask('GET /account/tokens/', { signal }) });

export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => ask('POST /account/tokens/', { body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => ask('DELETE /account/tokens/<id>/', { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  });
}

export const useSessions = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => ask('GET /account/sessions/', { signal }),
    staleTime: 0,
  });

export function useRevokeSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => ask('DELETE /account/sessions/<id>/', { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
}

export const useSecondFactor = () =>
  useQuery({
    queryKey: ['second-factor'],
    queryFn: ({ signal }) => ask('GET /account/second_factor/', { signal }),
    staleTime: 0,
  });

function useSecondFactorAct<Body, Answer>(act: (body: Body) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['second-factor'] }),
        client.invalidateQueries({ queryKey: ['sessions'] }),
      ]),
  });
}

/** The steps of setting a second factor up and of taking it away. */
export const useSecondFactorActs = () => ({
  begin: useSecondFactorAct((body: BodyOf<'POST /account/second_factor/'>) =>
    ask('POST /account/second_factor/', { body }),
  ),
  confirm: useSecondFactorAct((body: BodyOf<'POST /account/second_factor/confirm/'>) =>
    ask('POST /account/second_factor/confirm/', { body }),
  ),
  renew: useSecondFactorAct((body: BodyOf<'POST /account/second_factor/renew_recovery_codes/'>) =>
    ask('POST /account/second_factor/renew_recovery_codes/', { body }),
  ),
  remove: useSecondFactorAct((body: BodyOf<'POST /account/second_factor/remove/'>) =>
    ask('POST /account/second_factor/remove/', { body }),
  ),
});

/** What the program is made of; it stays so as long as the server runs. */
export const useAbout = () =>
  useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => ask('GET /about/', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
