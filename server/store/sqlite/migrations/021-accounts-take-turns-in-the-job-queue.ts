// Jobs say whose turn they use, so that one account's hundreds do not stand before another's one.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '021-accounts-take-turns-in-the-job-queue',
  apply(database) {
    database.exec(`
      alter table jobs add column account_id integer not null default 0;
      update jobs set account_id = coalesce((
        select account_id from job_requests where job_id = jobs.id order by created_at, account_id limit 1
      ), 0) where status in ('queued', 'running');
      drop index jobs_waiting;
      create index jobs_turns on jobs (kind, priority, account_id, id) where status = 'queued';
    `);
  },
};
