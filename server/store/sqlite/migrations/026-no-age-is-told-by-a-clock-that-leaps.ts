// An installation notes until when its clock was believed, so that one that is far ahead deletes nothing for its age.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '026-no-age-is-told-by-a-clock-that-leaps',
  apply(database) {
    database.exec(`
      alter table installation add column lived_until integer;
      alter table installation add column ahead_for integer not null default 0;
    `);
  },
};
