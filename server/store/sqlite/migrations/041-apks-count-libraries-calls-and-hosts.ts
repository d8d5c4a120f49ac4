// APKs count their known libraries, notable calls and hosts.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '041-apks-count-libraries-calls-and-hosts',
  apply(database) {
    database.exec(`
      alter table apks add column libraries_count integer;
      alter table apks add column apis_count integer;
      alter table apks add column hosts_count integer;
      -- What was analysed before is indexed again, from its stored reports.
      delete from indexed_reports;
    `);
  },
};
