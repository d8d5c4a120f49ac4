// An upload is analysed without being asked for: whoever uploaded sees and may withdraw those jobs, and asked for none.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '020-uploads-are-no-requests',
  apply(database) {
    database.exec(
      'alter table job_requests add column is_by_upload integer not null default 0 check (is_by_upload in (0, 1));',
    );
  },
};
