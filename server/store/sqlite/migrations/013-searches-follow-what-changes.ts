// What changes in the catalogue is noted for the search thread; SDK levels; words are found by their beginnings.
import type { Migration } from '../migrator.ts';

const columns = 'app, package_name, company, version';
const note = (trigger: string, event: string, id: string, part: string) => `
  create trigger ${trigger} after ${event} begin
    insert into apk_changes (apk_id, part) values (${id}, '${part}');
  end;`;
/** The search thread keeps these in memory. */
const formerIndexes = [
  'size',
  'rating',
  'trusted',
  'installed',
  'detected',
  'corrupted',
  'static_analyzed',
  'dynamic_analyzed',
];

export const migration: Migration = {
  name: '013-searches-follow-what-changes',
  apply(database) {
    database.exec(`
      alter table apks add column min_sdk integer;
      alter table apks add column target_sdk integer;
      ${formerIndexes.map((name) => `drop index apks_by_${name};`).join('\n')}
      create index apks_by_app on apks (app collate nocase);
      create index apks_by_company on apks (company collate nocase);
      drop table apk_vocabulary;
      drop table apk_words;
      create virtual table apk_words using fts5 (
        ${columns}, content = 'apks', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 0',
        detail = column, prefix = '1 2 3 4'
      );
      create virtual table apk_vocabulary using fts5vocab (apk_words, 'row');
      insert into apk_words (apk_words) values ('rebuild');
      create table apk_changes (
        seq integer primary key autoincrement,
        apk_id integer not null,
        part text not null check (part in ('row', 'tags', 'terms'))
      ) strict;
      create trigger apk_changes_forgotten after insert on apk_changes when new.seq % 4096 = 0 begin
        delete from apk_changes where seq <= new.seq - 65536;
      end;
      ${note('apks_noted_new', 'insert on apks', 'new.id', 'row')}
      ${note('apks_noted_changed', 'update on apks', 'new.id', 'row')}
      ${note('apks_noted_deleted', 'delete on apks', 'old.id', 'row')}
      ${note('apk_tags_noted_new', 'insert on apk_tags', 'new.apk_id', 'tags')}
      ${note('apk_tags_noted_deleted', 'delete on apk_tags', 'old.apk_id', 'tags')}
      ${note('indexed_reports_noted_new', 'insert on indexed_reports', 'new.apk_id', 'terms')}
      ${note('indexed_reports_noted_changed', 'update on indexed_reports', 'new.apk_id', 'terms')}
      delete from indexed_reports;
    `);
  },
};
