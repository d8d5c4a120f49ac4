// One analyst: profile, following, and by tabs what the analyst did, wrote and whom the analyst follows.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, Navigate, NavLink, useParams } from 'react-router';
import type { Activity } from '../../../server/contract/people/activity.ts';
import type { Analyst } from '../../../server/contract/people/analyst.ts';
import type { Ruleset } from '../../../server/contract/rules/ruleset.ts';
import { profileThread } from '../../api/comment-queries.ts';
import { type AnalystLists, useAnalyst, useAnalystList, useFollow, useFollowing } from '../../api/people-queries.ts';
import { useAccount } from '../../api/queries.ts';
import { CommentThread } from '../../components/comments/comment-thread.tsx';
import frame from '../../components/page/page.module.css';
import { ScrollRegion, usePageTitle } from '../../components/page/page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { AnalystLink, ApkLink } from '../../components/place/named-link.tsx';
import { MoreButton } from '../../components/table/more-button.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatDate, formatFull, formatWhen } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import styles from './analysts.module.css';
import { Avatar } from './avatar.tsx';
import { analystsTexts as words } from './texts.ts';

function ActivityLine({ activity }: { activity: Activity }) {
  const { type, apk, ruleset, comment, kind, profile, created_at } = activity;
  return (
    <div className={styles.line} data-testid="activity">
      <time className="tabular" dateTime={created_at} title={formatFull(created_at)}>
        {formatWhen(created_at)}
      </time>
      <span>
        {words.activity[type]} {kind !== null && `${words.voteKinds[kind]} `}
        {apk !== null && <ApkLink apk={apk} />}
        {ruleset !== null && (
          <Link to={`/rulesets/${ruleset.id}`}>
            <HostileText value={ruleset.name} max={80} isFixed />
          </Link>
        )}
        {profile !== null && <AnalystLink username={profile} />}
        {comment !== null && (
          <>
            {': '}
            <HostileText value={comment.text} max={200} />
          </>
        )}
      </span>
    </div>
  );
}

const AnalystLine = ({ analyst }: { analyst: Analyst }) => (
  <div className={styles.line}>
    <span className={styles.who}>
      <Avatar url={analyst.avatar_url} name={analyst.username} size={22} />
      <AnalystLink username={analyst.username} />
      <span className={styles.soft}>
        <HostileText value={analyst.occupation} max={120} isFixed />
      </span>
    </span>
  </div>
);

const RulesetLine = ({ ruleset }: { ruleset: Ruleset }) => (
  <div className={styles.line}>
    <time className="tabular" dateTime={ruleset.updated_at}>
      {formatWhen(ruleset.updated_at)}
    </time>
    <Link to={`/rulesets/${ruleset.id}`}>
      <HostileText value={ruleset.name} max={120} isFixed />
    </Link>
  </div>
);

type Tab = keyof typeof words.tabs;
type ListTab = keyof AnalystLists;

/** One thing of each list. */
const lines: { [Name in ListTab]: (item: AnalystLists[Name], index: number) => ReactNode } = {
  activity: (item, index) => <ActivityLine key={`${item.created_at}${index}`} activity={item} />,
  rulesets: (item) => <RulesetLine key={item.id} ruleset={item} />,
  followers: (item) => <AnalystLine key={item.username} analyst={item} />,
  following: (item) => <AnalystLine key={item.username} analyst={item} />,
};

function TabContent<Name extends ListTab>({ username, tab }: { username: string; tab: Name }) {
  const list = useAnalystList(username, tab);
  if (!list.isSuccess) return <QueryState query={list} />;
  const items = list.data.pages.flatMap(({ results }) => results);
  return (
    <>
      {items.length === 0 && <p className={styles.soft}>{words.none[tab]}</p>}
      {items.map(lines[tab])}
      <MoreButton list={list} />
    </>
  );
}

export function Component() {
  const { username = '', tab = 'activity' } = useParams();
  const analyst = useAnalyst(username);
  const account = useAccount();
  const own = account.data?.username ?? '';
  const following = useFollowing(own);
  const follow = useFollow();
  usePageTitle(username);
  const address = `/analysts/${encodeURIComponent(username)}`;
  if (!(tab in words.tabs)) return <Navigate to={address} replace />;
  if (!analyst.isSuccess) return <QueryState query={analyst} isPage />;
  const { data } = analyst;
  const isFollowed = following.data?.has(username) ?? false;
  const counts: Partial<Record<Tab, number>> = {
    rulesets: data.total_public_rulesets,
    followers: data.total_followers,
    following: data.total_following,
  };
  return (
    <div className={frame.page}>
      <div className={styles.head}>
        <Avatar url={data.avatar_url} name={data.username} size={56} />
        <div className={styles.about}>
          <span className={styles.who}>
            <h1>
              <HostileText value={data.username} max={80} isFixed />
            </h1>
            {data.is_expert && (
              <Chip tone="good" title={words.expertText}>
                {words.expert}
              </Chip>
            )}
            {data.is_disabled && <Chip tone="quiet">{words.disabled}</Chip>}
          </span>
          <span className={styles.soft}>
            <HostileText
              value={[`${data.first_name} ${data.last_name}`.trim(), data.occupation].filter(Boolean).join(' · ')}
              max={200}
              isFixed
            />
          </span>
          <HostileText value={data.bio} max={400} />
          <span className={styles.soft}>
            {words.joined(formatDate(new Date(data.date_joined * 1000).toISOString()))} · {words.roles[data.role]}
          </span>
        </div>
        {username === own ? (
          <Button component={Link} to="/account/profile" variant="default">
            {words.editProfile}
          </Button>
        ) : (
          <Button
            variant={isFollowed ? 'default' : 'filled'}
            loading={follow.isPending}
            disabled={following.isPending}
            onClick={() => follow.mutate({ username, isFollowed: !isFollowed })}
          >
            {isFollowed ? words.unfollow : words.follow}
          </Button>
        )}
      </div>
      <nav className={frame.tabs} aria-label={words.title}>
        {(Object.keys(words.tabs) as Tab[]).map((name) => (
          <NavLink key={name} to={name === 'activity' ? address : `${address}/${name}`} end replace>
            {words.tabs[name]}{' '}
            {counts[name] !== undefined && <span className="tabular">{formatCount(counts[name])}</span>}
          </NavLink>
        ))}
      </nav>
      <ScrollRegion label={words.tabs[tab as Tab]}>
        {tab === 'comments' ? (
          <CommentThread thread={profileThread(username)} />
        ) : (
          <TabContent username={username} tab={tab as ListTab} />
        )}
      </ScrollRegion>
    </div>
  );
}
