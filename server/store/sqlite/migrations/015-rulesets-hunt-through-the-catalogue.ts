// Retrohunts, with what they found, and dry runs of rules.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '015-rulesets-hunt-through-the-catalogue',
  apply(database) {
    database.exec(`
      create table retrohunts (
        id integer primary key autoincrement,
        job_id integer references jobs (id) on delete cascade,
        account_id integer not null references accounts (id) on delete cascade,
        search text not null,
        place integer not null,
        ahead text not null,
        apks_count integer not null,
        scanned_count integer not null default 0,
        failed_count integer not null default 0,
        unfinished_count integer not null default 0,
        created_at integer not null
      ) strict;
      create index retrohunts_by_job on retrohunts (job_id);
      create index retrohunts_by_account on retrohunts (account_id, id);

      create table retrohunt_rulesets (
        retrohunt_id integer not null references retrohunts (id) on delete cascade,
        ruleset_id integer not null references rulesets (id) on delete cascade,
        version integer not null,
        status text not null check (status in ('hunting', 'done', 'broken', 'changed', 'suspended')),
        matches_count integer not null default 0,
        new_matches_count integer not null default 0,
        changed_matches_count integer not null default 0,
        unfinished_count integer not null default 0,
        primary key (retrohunt_id, ruleset_id)
      ) strict, without rowid;
      create index retrohunt_rulesets_by_ruleset on retrohunt_rulesets (ruleset_id);

      create table retrohunt_matches (
        id integer primary key autoincrement,
        retrohunt_id integer not null references retrohunts (id) on delete cascade,
        match_id integer not null references matches (id) on delete cascade,
        is_new integer not null,
        unique (retrohunt_id, match_id)
      ) strict;
      create index retrohunt_matches_in_order on retrohunt_matches (retrohunt_id, id);
      create index retrohunt_matches_by_match on retrohunt_matches (match_id);

      create table retrohunt_failures (
        id integer primary key autoincrement,
        retrohunt_id integer not null references retrohunts (id) on delete cascade,
        apk_id integer not null references apks (id) on delete cascade,
        code text not null,
        message text not null,
        created_at integer not null,
        unique (retrohunt_id, apk_id)
      ) strict;
      create index retrohunt_failures_in_order on retrohunt_failures (retrohunt_id, id);
      create index retrohunt_failures_by_apk on retrohunt_failures (apk_id);

      create table dry_runs (
        id integer primary key autoincrement,
        job_id integer references jobs (id) on delete cascade,
        account_id integer not null references accounts (id) on delete cascade,
        task text not null,
        result text not null,
        created_at integer not null
      ) strict;
      create index dry_runs_by_job on dry_runs (job_id);
      create index dry_runs_by_account on dry_runs (account_id);
      create index dry_runs_by_age on dry_runs (created_at);
    `);
  },
};
