// Notifications, analysts, feeds and one's own account, as the screens ask for them. Knows nothing of how they look.
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { FeedPackage } from '../../server/contract/catalogue/feed.ts';
import type { Page } from '../../server/contract/list.ts';
import type { AccountChangesBody } from '../../server/contract/people/account.ts';
import type { Activity } from '../../server/contract/people/activity.ts';
import type { Analyst } from '../../server/contract/people/analyst.ts';
import type { Ruleset } from '../../server/contract/rules/ruleset.ts';
import { ask, type BodyOf, type QueryOf } from './client.ts';
import { keys } from './queries.ts';
import { always, askAnew, queryClient, toldByForm, useAnswer, useChange, useCursorList } from './query-client.ts';

const pageSize = 50;

export type NotificationFilter = Pick<QueryOf<'GET /notifications/'>, 'type' | 'is_read'>;

const listKey = ['notifications'] as const;
const unreadKey = ['notifications-unread'] as const;

export const useNotifications = (filter: NotificationFilter) =>
  useCursorList([...listKey, filter], ({ query, signal }) =>
    ask('GET /notifications/', { query: { ...query, ...filter }, signal }),
  );

/** How many notifications nobody has read, and the newest of them. */
export const useUnread = () => useAnswer(unreadKey, 'GET /notifications/', { query: { is_read: false, page_size: 8 } });

export const useMarkRead = () =>
  useChange(
    ({ id, isRead }: { id: string; isRead: boolean }) =>
      ask('PATCH /notifications/<id>/', { id, body: { is_read: isRead } }),
    listKey,
    unreadKey,
  );
export const useMarkAllRead = () => useChange(() => ask('POST /notifications/mark_all_as_read/'), listKey, unreadKey);

export const useAnalysts = (page: number) =>
  useAnswer(['analysts', page], 'GET /analysts/', { query: { page, page_size: pageSize } });

export const useAnalyst = (username: string) =>
  useAnswer(['analyst', username], 'GET /analysts/<username>/', { username });

export interface AnalystLists {
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
    ...always,
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

export const useFollow = () =>
  useChange(
    ({ username, isFollowed }: { username: string; isFollowed: boolean }) =>
      ask(`POST /analysts/<username>/${isFollowed ? 'follow' : 'unfollow'}/`, { username }),
    ['analyst'],
    ['analysts'],
  );

type FeedFilter = Pick<FeedPackage, 'feed_type' | 'package_type'>;

export const useFeed = (filter: FeedFilter) =>
  useCursorList(['feed', filter], ({ query, signal }) => ask('GET /feed/', { query: { ...query, ...filter }, signal }));

export const useAccountUpdate = () =>
  useMutation({
    mutationFn: (changes: AccountChangesBody) => ask('PATCH /account/', { body: changes }),
    onSuccess: (account) => queryClient.setQueryData(keys.account, account),
    meta: toldByForm,
  });
export const useAvatarRemoval = () => useChange(() => ask('DELETE /account/avatar/'), keys.account);

export const useStatistics = () => useAnswer(['account-statistics'], 'GET /account/statistics/', {}, always);

export const useTokens = () => useAnswer(['tokens'], 'GET /account/tokens/');
export const useCreateToken = () =>
  useChange((name: string) => ask('POST /account/tokens/', { body: { name } }), ['tokens']);
export const useRevokeToken = () => useChange((id: string) => ask('DELETE /account/tokens/<id>/', { id }), ['tokens']);

export const useSessions = () => useAnswer(['sessions'], 'GET /account/sessions/', {}, always);
export const useRevokeSession = () =>
  useChange((id: string) => ask('DELETE /account/sessions/<id>/', { id }), ['sessions']);

export const useSecondFactor = () => useAnswer(['second-factor'], 'GET /account/second_factor/', {}, always);

const useSecondFactorAct = <Body, Answer>(act: (body: Body) => Promise<Answer>) =>
  useMutation({ mutationFn: act, onSuccess: () => askAnew(['second-factor'], ['sessions']), meta: toldByForm });

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

/** What the program is made of; that does not change while the server runs. */
export const useAbout = () => useAnswer(['about'], 'GET /about/', {}, { staleTime: Number.POSITIVE_INFINITY });
