// APKs are found by what they consist of besides their own code: a fingerprint of each, and what those that are alike have in common.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '049-apks-are-found-by-what-they-consist-of',
  apply(database) {
    database.exec(`
      create table fingerprints (
        apk_id integer primary key references apks (id) on delete cascade,
        icon blob,
        digests text not null,
        files integer not null,
        file_hashes blob not null,
        symbols integer not null,
        symbol_hashes blob not null
      ) strict;
      create table likeness_keys (
        key integer not null,
        apk_id integer not null references apks (id) on delete cascade,
        primary key (key, apk_id)
      ) strict, without rowid;
      create index likeness_keys_by_apk on likeness_keys (apk_id);
    `);
  },
};
