// The packages of the feeds. Their zips lie in files.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '008-feeds-come-in-packages',
  apply(database) {
    database.exec(`
      create table feed_packages (
        id integer primary key,
        feed_type text not null check (feed_type in ('apks', 'analyses', 'detected')),
        package_type text not null check (package_type in ('5-minutes', '1-hour')),
        starts_at integer not null,
        members integer not null,
        created_at integer not null
      ) strict;
      create index feed_packages_by_start on feed_packages (starts_at);
    `);
  },
};
