// Rulesets that were imported together are a package, which a newer archive updates.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '057-rulesets-come-in-packages',
  apply(database) {
    database.exec(`
      create table rule_packages (
        id integer primary key autoincrement,
        author_id integer not null references accounts (id) on delete cascade,
        name text not null unique,
        version text not null,
        licence text not null,
        source text not null,
        is_enabled integer not null,
        is_public integer not null,
        change text not null,
        imported_at integer not null
      ) strict;
      create index rule_packages_by_author on rule_packages (author_id);
      -- A ruleset may lie in the trash while its package is removed: it comes back as one without.
      create table packaged_rulesets (
        ruleset_id integer primary key references rulesets (id) on delete cascade,
        package_id integer not null,
        path text not null,
        sha256 text not null,
        version integer not null,
        unique (package_id, path)
      ) strict;
      create index packaged_rulesets_by_text on packaged_rulesets (sha256);
    `);
  },
};
