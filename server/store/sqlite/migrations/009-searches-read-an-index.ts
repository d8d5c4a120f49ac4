// The search index: text in trigrams and in words, and what reports say as terms of integer ids.
import type { Migration } from '../migrator.ts';

const columns = 'app, package_name, company, version';
const values = (row: 'new' | 'old') => `${row}.id, ${row}.app, ${row}.package_name, ${row}.company, ${row}.version`;
const add = (index: string) => `insert into ${index} (rowid, ${columns}) values (${values('new')});`;
const drop = (index: string) =>
  `insert into ${index} (${index}, rowid, ${columns}) values ('delete', ${values('old')});`;

export const migration: Migration = {
  name: '009-searches-read-an-index',
  apply(database) {
    database.exec(`
      create virtual table apk_text using fts5 (
        ${columns}, content = 'apks', content_rowid = 'id', tokenize = 'trigram'
      );
      create virtual table apk_words using fts5 (
        ${columns}, content = 'apks', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 0', detail = column
      );
      create virtual table apk_vocabulary using fts5vocab (apk_words, 'row');
      insert into apk_text (apk_text) values ('rebuild');
      insert into apk_words (apk_words) values ('rebuild');
      create trigger apks_index_new after insert on apks begin
        ${add('apk_text')}
        ${add('apk_words')}
      end;
      create trigger apks_index_changed after update of ${columns} on apks
      when old.app is not new.app or old.package_name is not new.package_name
        or old.company is not new.company or old.version is not new.version
      begin
        ${drop('apk_text')}
        ${drop('apk_words')}
        ${add('apk_text')}
        ${add('apk_words')}
      end;
      create trigger apks_index_deleted after delete on apks begin
        ${drop('apk_text')}
        ${drop('apk_words')}
      end;
      create index apks_by_size on apks (size);
      create index apks_by_rating on apks (rating);
      create index apks_by_trusted on apks (is_trusted);
      create index apks_by_installed on apks (is_installed);
      create index apks_by_detected on apks (is_detected);
      create index apks_by_corrupted on apks (is_corrupted);
      create index apks_by_static_analyzed on apks (is_static_analyzed);
      create index apks_by_dynamic_analyzed on apks (is_dynamic_analyzed);
      create table search_terms (
        id integer primary key,
        field text not null,
        text text not null,
        unique (field, text)
      ) strict;
      create virtual table search_term_text using fts5 (
        text, content = 'search_terms', content_rowid = 'id', tokenize = 'trigram'
      );
      create trigger search_terms_index_new after insert on search_terms begin
        insert into search_term_text (rowid, text) values (new.id, new.text);
      end;
      create table apk_terms (
        term_id integer not null references search_terms (id),
        apk_id integer not null references apks (id) on delete cascade,
        primary key (term_id, apk_id)
      ) strict, without rowid;
      create index apk_terms_by_apk on apk_terms (apk_id, term_id);
      create table indexed_reports (
        apk_id integer primary key references apks (id) on delete cascade,
        created_at integer not null
      ) strict;
    `);
  },
};
