CREATE VIRTUAL TABLE apk_text using fts5 (
  app, package_name, company, version, content = 'apks', content_rowid = 'id', tokenize = 'trigram'
);
CREATE TABLE 'apk_text_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'apk_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE 'apk_text_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'apk_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE VIRTUAL TABLE apk_words using fts5 (
  app, package_name, company, version, content = 'apks', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 0', detail = column
);
CREATE TABLE 'apk_words_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'apk_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE 'apk_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'apk_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE VIRTUAL TABLE apk_vocabulary using fts5vocab (apk_words, 'row');
CREATE TRIGGER apks_index_new after insert on apks begin
  insert into apk_text (rowid, app, package_name, company, version) values (new.id, new.app, new.package_name, new.company, new.version);
  insert into apk_words (rowid, app, package_name, company, version) values (new.id, new.app, new.package_name, new.company, new.version);
  end;
CREATE TRIGGER apks_index_changed after update of app, package_name, company, version on apks
  when old.app is not new.app or old.package_name is not new.package_name
  or old.company is not new.company or old.version is not new.version
  begin
  insert into apk_text (apk_text, rowid, app, package_name, company, version) values ('delete', old.id, old.app, old.package_name, old.company, old.version);
  insert into apk_words (apk_words, rowid, app, package_name, company, version) values ('delete', old.id, old.app, old.package_name, old.company, old.version);
  insert into apk_text (rowid, app, package_name, company, version) values (new.id, new.app, new.package_name, new.company, new.version);
  insert into apk_words (rowid, app, package_name, company, version) values (new.id, new.app, new.package_name, new.company, new.version);
  end;
CREATE TRIGGER apks_index_deleted after delete on apks begin
  insert into apk_text (apk_text, rowid, app, package_name, company, version) values ('delete', old.id, old.app, old.package_name, old.company, old.version);
  insert into apk_words (apk_words, rowid, app, package_name, company, version) values ('delete', old.id, old.app, old.package_name, old.company, old.version);
  end;
CREATE INDEX apks_by_size on apks (size);
CREATE INDEX apks_by_rating on apks (rating);
CREATE INDEX apks_by_trusted on apks (is_trusted);
CREATE INDEX apks_by_installed on apks (is_installed);
CREATE INDEX apks_by_detected on apks (is_detected);
CREATE INDEX apks_by_corrupted on apks (is_corrupted);
CREATE INDEX apks_by_static_analyzed on apks (is_static_analyzed);
CREATE INDEX apks_by_dynamic_analyzed on apks (is_dynamic_analyzed);
CREATE TABLE search_terms (
  id integer primary key,
  field text not null,
  text text not null,
  unique (field, text)
) strict;
CREATE VIRTUAL TABLE search_term_text using fts5 (
  text, content = 'search_terms', content_rowid = 'id', tokenize = 'trigram'
);
CREATE TABLE 'search_term_text_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'search_term_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE 'search_term_text_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'search_term_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TRIGGER search_terms_index_new after insert on search_terms begin
  insert into search_term_text (rowid, text) values (new.id, new.text);
  end;
CREATE TABLE apk_terms (
  term_id integer not null references search_terms (id),
  apk_id integer not null references apks (id) on delete cascade,
  primary key (term_id, apk_id)
) strict, without rowid;
CREATE INDEX apk_terms_by_apk on apk_terms (apk_id, term_id);
CREATE TABLE indexed_reports (
  apk_id integer primary key references apks (id) on delete cascade,
  created_at integer not null
) strict;
