// APKs with their signers, tags and compressed reports.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '003-the-catalogue-holds-apks-and-reports',
  apply(database) {
    database.exec(`
      create table signers (
        id integer primary key autoincrement,
        sha256 blob not null unique,
        sha1 blob not null,
        is_trusted integer not null default 0
      ) strict;
      create index signers_by_sha1 on signers (sha1);
      create table apks (
        id integer primary key autoincrement,
        sha256 blob not null unique,
        sha1 blob not null,
        md5 blob not null,
        size integer not null,
        app text not null default '',
        package_name text not null default '',
        company text not null default '',
        version text not null default '',
        version_code text not null default '',
        signer_id integer references signers (id),
        has_icon integer not null default 0,
        is_trusted integer not null default 0,
        is_installed integer not null default 0,
        is_detected integer not null default 0,
        is_corrupted integer not null default 0,
        is_static_analyzed integer not null default 0,
        is_dynamic_analyzed integer not null default 0,
        rating integer not null default 0,
        votes_count integer not null default 0,
        comments_count integer not null default 0,
        matches_count integer not null default 0,
        file_state text not null default 'ok' check (file_state in ('ok', 'missing', 'altered')),
        uploader_id integer references accounts (id) on delete set null,
        last_yara_analysis_at integer,
        created_at integer not null unique,
        updated_at integer not null
      ) strict;
      create index apks_by_sha1 on apks (sha1);
      create index apks_by_md5 on apks (md5);
      create index apks_by_package_name on apks (package_name);
      create index apks_by_signer on apks (signer_id);
      create index apks_by_uploader on apks (uploader_id);
      create table apk_tags (
        apk_id integer not null references apks (id) on delete cascade,
        name text not null,
        created_at integer not null,
        primary key (apk_id, name)
      ) strict, without rowid;
      create index apk_tags_by_name on apk_tags (name, apk_id);
      create table reports (
        id integer primary key,
        apk_id integer not null references apks (id) on delete cascade,
        kind text not null,
        status text not null check (status in ('done', 'partial')),
        engine_version integer not null,
        size integer not null,
        created_at integer not null,
        content blob not null,
        unique (apk_id, kind)
      ) strict;
      create index reports_by_engine_version on reports (kind, engine_version, apk_id);
    `);
  },
};
