// How backups by schedule ended is kept.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '059-backups-run-by-schedule',
  apply(database) {
    database.exec(`
      create table scheduled_backups (
        id integer primary key autoincrement,
        folder text not null,
        started_at integer not null,
        ended_at integer not null,
        error text,
        apks integer not null,
        copied integer not null,
        size integer not null,
        states integer not null,
        damaged integer not null,
        lost integer not null
      ) strict;
    `);
  },
};
