// Accounts, their tokens, the limits of their groups and what they used of them.
import type { Migration } from '../migrator.ts';

type Row = readonly [name: string, unit: 'day' | 'min', basic: number, bronze: number, silver: number, gold: number];
const limits: readonly Row[] = [
  ['apk-search', 'day', 500, 2500, 5000, 10_000],
  ['apk-detail', 'min', 60, 300, 600, 1200],
  ['apk-download', 'day', 50, 500, 1000, 2000],
  ['apk-analyze', 'day', 50, 250, 500, 1000],
  ['apk-analysis', 'day', 500, 2500, 5000, 10_000],
  ['api-usage', 'min', 500, 1000, 2000, 4000],
];
const groups = ['basic', 'bronze', 'silver', 'gold'] as const;
/** The owner's own group is counted and reported, but never in the way. */
const ownerAmount = 1_000_000;

export const migration: Migration = {
  name: '002-accounts-sign-in-with-tokens',
  apply(database) {
    database.exec(`
      create table accounts (
        id integer primary key autoincrement,
        username text not null collate nocase unique,
        first_name text not null default '',
        last_name text not null default '',
        email text not null default '',
        password_hash text,
        role text not null check (role in ('owner', 'analyst')),
        api_group text not null,
        is_disabled integer not null default 0,
        is_expert integer not null default 0,
        avatar text not null default '',
        occupation text not null default '',
        biography text not null default '',
        twitter text not null default '',
        settings text not null,
        last_login_at integer,
        created_at integer not null
      ) strict;
      create table tokens (
        id integer primary key autoincrement,
        account_id integer not null references accounts (id) on delete cascade,
        kind text not null check (kind in ('api', 'session')),
        name text not null,
        secret_sha256 blob not null unique,
        created_at integer not null,
        expires_at integer,
        last_used_at integer
      ) strict;
      create index tokens_by_account on tokens (account_id);
      create index tokens_by_expiry on tokens (expires_at) where expires_at is not null;
      create table group_limits (
        api_group text not null,
        name text not null,
        amount integer not null,
        unit text not null check (unit in ('day', 'min')),
        primary key (api_group, name)
      ) strict, without rowid;
      create table limit_usage (
        account_id integer not null references accounts (id) on delete cascade,
        name text not null,
        window_start integer not null,
        used integer not null,
        primary key (account_id, name, window_start)
      ) strict, without rowid;
    `);
    const insert = database.prepare('insert into group_limits (api_group, name, amount, unit) values (?, ?, ?, ?)');
    for (const [name, unit, ...amounts] of limits) {
      for (const [index, group] of groups.entries()) insert.run(group, name, amounts[index], unit);
      insert.run('workstation', name, ownerAmount, unit);
    }
  },
};
