// Searches find names in code, by an index of whole names, and marks that many APKs share, which lie together by APK.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '032-searches-find-code-and-findings',
  apply(database) {
    database.exec(`
      alter table apks add column findings_count integer;
      alter table apks add column techniques_count integer;
      alter table apks add column trackers_count integer;
      create table apk_marks (
        apk_id integer primary key references apks (id) on delete cascade,
        -- Ids of terms, each in four bytes, the lowest first.
        terms blob not null
      ) strict;
      -- A name is a whole token: nothing in it parts it.
      create virtual table apk_names using fts5 (
        names, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '.$-_<>:*'"
      );
      insert into apk_names (apk_names, rank) values ('automerge', 16);
      insert into apk_names (apk_names, rank) values ('crisismerge', 64);
      create trigger apk_names_deleted after delete on apks begin
        delete from apk_names where rowid = old.id;
      end;
      -- What was analysed before is indexed again, from its stored reports.
      delete from indexed_reports;
    `);
  },
};
