// Refusals of one kind stand in one record of the audit log, with how many there were and when the last one was.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '023-refusals-are-counted',
  apply(database) {
    database.exec(`
      alter table audit add column count integer not null default 1;
      -- null where there was one.
      alter table audit add column last_at integer;
    `);
  },
};
