// Files of code that came out of an APK keep what their own analyses found, and the APK a summary of them.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '039-files-that-came-out-of-apks-are-analysed',
  apply(database) {
    database.exec(`
      -- JSON: how many of which kind, and the gravest severity; null: none, or none was looked for yet.
      alter table apks add column children text;
      create table children (
        id integer primary key,
        apk_id integer not null references apks (id) on delete cascade,
        sha256 text not null,
        -- JSON, as it was found.
        described text not null,
        status text not null check (status in ('waiting', 'running', 'done', 'failed')),
        error text,
        -- Of its analysis: which engine made it, and what it says.
        engine_version integer not null,
        findings integer not null default 0,
        severity integer check (severity between 0 and 4),
        risk integer check (risk between 0 and 100),
        -- Reports compressed by zstd, with their lengths before; null: not there.
        report blob,
        report_size integer,
        files blob,
        files_size integer,
        unique (apk_id, sha256)
      ) strict;
    `);
  },
};
