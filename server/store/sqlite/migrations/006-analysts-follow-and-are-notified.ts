// Who follows whom, notifications, e-mails that wait to be sent, and the limit of the analysts resource.
import type { Migration } from '../migrator.ts';

/** Requests per minute by group. */
const analystsLimits = { basic: 500, bronze: 500, silver: 500, gold: 500, workstation: 1_000_000 } as const;

export const migration: Migration = {
  name: '006-analysts-follow-and-are-notified',
  apply(database) {
    database.exec(`
      create table follows (
        id integer primary key autoincrement,
        follower_id integer not null references accounts (id) on delete cascade,
        followed_id integer not null references accounts (id) on delete cascade,
        created_at integer not null,
        unique (follower_id, followed_id),
        check (follower_id <> followed_id)
      ) strict;
      create index follows_by_followed on follows (followed_id, id);
      create table notifications (
        id integer primary key autoincrement,
        account_id integer not null references accounts (id) on delete cascade,
        type text not null,
        is_read integer not null default 0,
        apk_id integer references apks (id) on delete cascade,
        ruleset_id integer references rulesets (id) on delete cascade,
        match_id integer references matches (id) on delete set null,
        comment_id integer references comments (id) on delete cascade,
        analyst_id integer references accounts (id) on delete cascade,
        job_id integer references jobs (id) on delete set null,
        created_at integer not null
      ) strict;
      create index notifications_by_account on notifications (account_id, id);
      create index notifications_unread on notifications (account_id, id) where is_read = 0;
      create index notifications_by_apk on notifications (apk_id) where apk_id is not null;
      create index notifications_by_ruleset on notifications (ruleset_id) where ruleset_id is not null;
      create index notifications_by_match on notifications (match_id) where match_id is not null;
      create index notifications_by_comment on notifications (comment_id) where comment_id is not null;
      create index notifications_by_analyst on notifications (analyst_id) where analyst_id is not null;
      create index notifications_by_job on notifications (job_id) where job_id is not null;
      create table emails (
        id integer primary key autoincrement,
        account_id integer not null references accounts (id) on delete cascade,
        message_id text not null unique,
        recipient text not null,
        subject text not null,
        body text not null,
        attempts integer not null default 0,
        last_error text,
        next_attempt_at integer not null,
        created_at integer not null
      ) strict;
      create index emails_by_account on emails (account_id);
      create index emails_waiting on emails (next_attempt_at);
    `);
    const insert = database.prepare('insert into group_limits (api_group, name, amount, unit) values (?, ?, ?, ?)');
    for (const [group, amount] of Object.entries(analystsLimits)) insert.run(group, 'analysts', amount, 'min');
  },
};
