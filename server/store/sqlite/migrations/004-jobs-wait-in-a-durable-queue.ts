// Jobs and the accounts that asked for them.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '004-jobs-wait-in-a-durable-queue',
  apply(database) {
    database.exec(`
      create table jobs (
        id integer primary key autoincrement,
        kind text not null,
        apk_id integer references apks (id) on delete cascade,
        payload text not null,
        priority integer not null,
        is_automatic integer not null,
        status text not null check (status in ('queued', 'running', 'done', 'partial', 'failed', 'cancelled')),
        progress real not null default 0,
        stage text not null default '',
        error_code text,
        error text,
        attempts integer not null default 0,
        created_at integer not null,
        started_at integer,
        finished_at integer
      ) strict;
      create index jobs_waiting on jobs (priority, id) where status = 'queued';
      create index jobs_by_status on jobs (status);
      create unique index jobs_open_once on jobs (apk_id, kind) where status in ('queued', 'running') and apk_id is not null;
      create index jobs_by_apk on jobs (apk_id, kind);
      create table job_requests (
        job_id integer not null references jobs (id) on delete cascade,
        account_id integer not null references accounts (id) on delete cascade,
        created_at integer not null,
        primary key (job_id, account_id)
      ) strict, without rowid;
      create index job_requests_by_account on job_requests (account_id, job_id);
    `);
  },
};
