// An app that is installed as several files is one APK with its parts, which are known by their hashes, as is what they came in.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '066-apps-come-in-parts',
  apply(database) {
    // By the hash of the base and not by its row: parts stay while it lies in the trash.
    database.exec(`
      create table apk_parts (
        id integer primary key autoincrement,
        whole_sha256 blob not null,
        sha256 blob not null,
        sha1 blob not null,
        md5 blob not null,
        size integer not null,
        name text not null,
        adds text not null,
        created_at integer not null,
        unique (whole_sha256, sha256)
      ) strict;
      create index apk_parts_by_sha256 on apk_parts (sha256);
      create index apk_parts_by_sha1 on apk_parts (sha1);
      create index apk_parts_by_md5 on apk_parts (md5);
      create table apk_containers (
        whole_sha256 blob not null,
        sha256 blob not null,
        name text not null,
        created_at integer not null,
        primary key (whole_sha256, sha256)
      ) strict, without rowid;
      create index apk_containers_by_sha256 on apk_containers (sha256);
    `);
  },
};
