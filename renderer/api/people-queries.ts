// Notifications, analysts, feeds and one's own account, as the screens ask for them. Knows nothing of how they look.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { About } from '../../server/contract/about.ts';
import type {
  Account,
  AccountChangesBody,
  CreatedToken,
  Statistics,
  sessionListSchema,
  tokenListSchema,
} from '../../server/contract/account.ts';
import type { Activity } from '../../server/contract/activity.ts';
import type { Analyst } from '../../server/contract/analyst.ts';
import type { FeedPackage } from '../../server/contract/feed.ts';
import type { Page } from '../../server/contract/list.ts';
import type { Notification } from '../../server/contract/notification.ts';
import type { Ruleset } from '../../server/contract/ruleset.ts';
import type {
  CreatedSecondFactor,
  RecoveryCodes,
  SecondFactorBody,
  SecondFactorChange,
} from '../../server/contract/second-factor.ts';
import { request } from './client.ts';
import type { Thread } from './comment-queries.ts';
import { keys as commonKeys, cursorOf } from './queries.ts';

export type Sessions = z.infer<typeof sessionListSchema>;
export type Tokens = z.infer<typeof tokenListSchema>;

const pageSize = 50;
const analystPath = (username: string, rest = '') => `/analysts/${encodeURIComponent(username)}/${rest}`;

export type NotificationFilter = { type?: string; is_read?: 'false' };

const peopleKeys = {
  notifications: (filter: NotificationFilter) => ['notifications', filter] as const,
  unread: ['notifications-unread'] as const,
};

export const useNotifications = (filter: NotificationFilter) =>
  useInfiniteQuery({
    queryKey: peopleKeys.notifications(filter),
    queryFn: ({ pageParam, signal }) =>
      request<Page<Notification>>('/notifications/', {
        query: { cursor: pageParam, page_size: pageSize, ...filter },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: 0,
  });

/** How many notifications nobody has read, and the newest of them. */
export const useUnread = () =>
  useQuery({
    queryKey: peopleKeys.unread,
    queryFn: ({ signal }) =>
      request<Page<Notification>>('/notifications/', { query: { is_read: 'false', page_size: 8 }, signal }),
  });

export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isRead }: { id: string; isRead: boolean }) =>
      request<Notification>(`/notifications/${encodeURIComponent(id)}/`, {
        method: 'PATCH',
        body: { is_read: isRead },
      }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['notifications'] });
      void client.invalidateQueries({ queryKey: peopleKeys.unread });
    },
  });
}

export function useMarkAllRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<unknown>('/notifications/mark_all_as_read/', { method: 'POST' }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['notifications'] });
      void client.invalidateQueries({ queryKey: peopleKeys.unread });
    },
  });
}

export const useAnalysts = (page: number) =>
  useQuery({
    queryKey: ['analysts', page],
    queryFn: ({ signal }) => request<Page<Analyst>>('/analysts/', { query: { page, page_size: pageSize }, signal }),
  });

export const useAnalyst = (username: string) =>
  useQuery({
    queryKey: ['analyst', username],
    queryFn: ({ signal }) => request<Analyst>(analystPath(username), { signal }),
  });

interface AnalystLists {
  activity: Activity;
  followers: Analyst;
  following: Analyst;
  rulesets: Ruleset;
}

export const useAnalystList = <Name extends keyof AnalystLists>(username: string, list: Name) =>
  useInfiniteQuery({
    queryKey: ['analyst', username, list],
    queryFn: ({ pageParam, signal }) =>
      request<Page<AnalystLists[Name]>>(analystPath(username, `${list}/`), {
        query: { page: pageParam, page_size: pageSize },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: (page, _pages, current) => (page.next === null ? undefined : current + 1),
    staleTime: 0,
  });

/** Whether one follows an analyst: one's own list says. */
export const useFollowing = (own: string) =>
  useQuery({
    queryKey: ['analyst', own, 'following-names'],
    queryFn: async ({ signal }) => {
      const page = await request<Page<Analyst>>(analystPath(own, 'following/'), { query: { page_size: 100 }, signal });
      return new Set(page.results.map(({ username }) => username));
    },
    enabled: own !== '',
  });

export function useFollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ username, isFollowed }: { username: string; isFollowed: boolean }) =>
      request<Analyst>(analystPath(username, isFollowed ? 'follow/' : 'unfollow/'), { method: 'POST' }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['analyst'] });
      void client.invalidateQueries({ queryKey: ['analysts'] });
    },
  });
}

/** The comments on an analyst's profile. */
export const profileThread = (username: string): Thread => ({
  path: analystPath(username, 'profile_comments/'),
  record: ['analyst', username],
});

export const useFeed = (filter: { feed_type: string; package_type: string }) =>
  useInfiniteQuery({
    queryKey: ['feed', filter],
    queryFn: ({ pageParam, signal }) =>
      request<Page<FeedPackage>>('/feed/', { query: { cursor: pageParam, page_size: 100, ...filter }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: 0,
  });

export function useAccountUpdate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: AccountChangesBody) => request<Account>('/account/', { method: 'PATCH', body: changes }),
    onSuccess: (account) => client.setQueryData(commonKeys.account, account),
  });
}

export function useAvatarRemoval() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<unknown>('/account/avatar/', { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: commonKeys.account }),
  });
}

export const useStatistics = () =>
  useQuery({
    queryKey: ['account-statistics'],
    queryFn: ({ signal }) => request<Statistics>('/account/statistics/', { signal }),
    staleTime: 0,
  });

export const useTokens = () =>
  useQuery({ queryKey: ['tokens'], queryFn: ({ signal }) => request<Tokens>('/account/tokens/', { signal }) });

export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => request<CreatedToken>('/account/tokens/', { method: 'POST', body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<void>(`/account/tokens/${encodeURIComponent(id)}/`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  });
}

export const useSessions = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => request<Sessions>('/account/sessions/', { signal }),
    staleTime: 0,
  });

export function useRevokeSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<void>(`/account/sessions/${encodeURIComponent(id)}/`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
}

export const useSecondFactor = () =>
  useQuery({
    queryKey: ['second-factor'],
    queryFn: ({ signal }) => request<SecondFactorBody>('/account/second_factor/', { signal }),
    staleTime: 0,
  });

/** The steps of setting a second factor up and of taking it away. */
const secondFactorPaths = {
  begin: '',
  confirm: 'confirm/',
  renew: 'renew_recovery_codes/',
  remove: 'remove/',
} as const;

function useSecondFactorAct<Answer>(act: keyof typeof secondFactorPaths) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<SecondFactorChange>) =>
      request<Answer>(`/account/second_factor/${secondFactorPaths[act]}`, { method: 'POST', body }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['second-factor'] }),
        client.invalidateQueries({ queryKey: ['sessions'] }),
      ]),
  });
}

export const useSecondFactorActs = () => ({
  begin: useSecondFactorAct<CreatedSecondFactor>('begin'),
  confirm: useSecondFactorAct<RecoveryCodes>('confirm'),
  renew: useSecondFactorAct<RecoveryCodes>('renew'),
  remove: useSecondFactorAct<void>('remove'),
});

/** What the program is made of; it stays so as long as the server runs. */
export const useAbout = () =>
  useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => request<About>('/about/', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
