// APKs carry a score of their risk and the severity of their gravest finding, so that lists can show and order by them.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '030-apks-carry-a-risk',
  apply(database) {
    database.exec(`
      -- From 0 to 100; null: no report yet.
      alter table apks add column risk integer check (risk between 0 and 100);
      -- Of the gravest finding that nobody has dismissed, from 0, info, to 4, critical; null: no finding.
      alter table apks add column severity integer check (severity between 0 and 4);
    `);
  },
};
