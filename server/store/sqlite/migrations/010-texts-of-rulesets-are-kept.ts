// Every saved text of a ruleset, and how rulesets do in analyses.
import { zstdCompressSync } from 'node:zlib';
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '010-texts-of-rulesets-are-kept',
  apply(database) {
    database.exec(`
      alter table rulesets add column version integer not null default 1;
      alter table rulesets add column scan_state text not null default 'ok'
        check (scan_state in ('ok', 'slow', 'timed_out', 'failed', 'suspended'));
      alter table rulesets add column scan_error text;
      alter table rulesets add column trouble integer not null default 0;
      create table ruleset_versions (
        id integer primary key autoincrement,
        ruleset_id integer not null references rulesets (id) on delete cascade,
        version integer not null,
        author_id integer not null references accounts (id) on delete cascade,
        rules blob not null,
        length integer not null,
        rules_count integer not null,
        uses_dynamic integer not null,
        was_public integer not null,
        active_since integer,
        created_at integer not null,
        unique (ruleset_id, version)
      ) strict;
      create index ruleset_versions_in_use on ruleset_versions (ruleset_id, version, active_since, rules_count, uses_dynamic)
        where active_since is not null;
      create index ruleset_versions_by_author on ruleset_versions (author_id);
    `);
    const insert = database.prepare(`
      insert into ruleset_versions (ruleset_id, version, author_id, rules, length, rules_count, uses_dynamic, was_public,
        active_since, created_at)
      values (?, 1, ?, ?, ?, ?, ?, ?, ?, ?)
    `);
    for (const ruleset of database.prepare('select * from rulesets').all() as RulesetRow[]) {
      const { id, author_id, rules, rules_count, is_public, active_since, updated_at } = ruleset;
      const usesDynamic = Number(/\bimport\s+"(?:cuckoo|droidbox)"/.test(rules));
      const content = zstdCompressSync(rules);
      insert.run(id, author_id, content, rules.length, rules_count, usesDynamic, is_public, active_since, updated_at);
    }
  },
};

interface RulesetRow {
  id: number;
  author_id: number;
  rules: string;
  rules_count: number;
  is_public: number;
  active_since: number | null;
  updated_at: number;
}
