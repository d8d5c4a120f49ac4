// Votes, comments, rulesets with their matches, and the detections that these and antivirus engines make.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '005-analysts-judge-apks-together',
  apply(database) {
    database.exec(`
      create table votes (
        id integer primary key autoincrement,
        apk_id integer not null references apks (id) on delete cascade,
        account_id integer not null references accounts (id) on delete cascade,
        kind text not null check (kind in ('positive', 'negative')),
        created_at integer not null,
        unique (apk_id, account_id)
      ) strict;
      create index votes_by_apk on votes (apk_id, id);
      create index votes_by_account on votes (account_id, id);
      create table rulesets (
        id integer primary key autoincrement,
        author_id integer not null references accounts (id) on delete cascade,
        name text not null,
        folded_name text not null,
        rules text not null default '',
        rules_count integer not null default 0,
        is_enabled integer not null,
        is_public integer not null,
        is_notifier integer not null,
        social_status text not null default 'none'
          check (social_status in ('none', 'pending', 'accepted', 'rejected')),
        active_since integer,
        created_at integer not null,
        updated_at integer not null
      ) strict;
      create index rulesets_by_author on rulesets (author_id, id);
      create index rulesets_by_name on rulesets (folded_name);
      create table matches (
        id integer primary key autoincrement,
        apk_id integer not null references apks (id) on delete cascade,
        ruleset_id integer not null references rulesets (id) on delete cascade,
        rules text not null,
        created_at integer not null,
        updated_at integer not null,
        unique (apk_id, ruleset_id)
      ) strict;
      create index matches_by_ruleset on matches (ruleset_id, id);
      create index matches_by_apk on matches (apk_id, id);
      create table match_rules (
        match_id integer not null references matches (id) on delete cascade,
        name text not null collate nocase,
        primary key (match_id, name)
      ) strict, without rowid;
      create index match_rules_by_name on match_rules (name, match_id);
      create table detections (
        id integer primary key autoincrement,
        apk_id integer not null references apks (id) on delete cascade,
        kind text not null check (kind in ('community', 'ruleset', 'antivirus')),
        ruleset_id integer references rulesets (id) on delete cascade,
        antivirus text not null default '',
        information text not null,
        created_at integer not null,
        updated_at integer not null,
        check ((kind = 'ruleset') = (ruleset_id is not null)),
        check ((kind = 'antivirus') = (antivirus <> ''))
      ) strict;
      create unique index detections_by_source on detections (apk_id, kind, antivirus, coalesce(ruleset_id, 0));
      create index detections_by_ruleset on detections (ruleset_id) where ruleset_id is not null;
      create index detections_by_update on detections (updated_at, apk_id);
      create table comments (
        id integer primary key autoincrement,
        author_id integer not null references accounts (id) on delete cascade,
        apk_id integer references apks (id) on delete cascade,
        ruleset_id integer references rulesets (id) on delete cascade,
        profile_id integer references accounts (id) on delete cascade,
        text text not null,
        created_at integer not null,
        updated_at integer not null,
        check ((apk_id is not null) + (ruleset_id is not null) + (profile_id is not null) = 1)
      ) strict;
      create index comments_by_author on comments (author_id, id);
      create index comments_by_apk on comments (apk_id, id) where apk_id is not null;
      create index comments_by_ruleset on comments (ruleset_id, id) where ruleset_id is not null;
      create index comments_by_profile on comments (profile_id, id) where profile_id is not null;
    `);
  },
};
