-- apks_by_sha1 is gone
-- apks_by_md5 is gone
CREATE VIRTUAL TABLE apk_hashes using fts5 (
  hashes, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
);
CREATE TABLE 'apk_hashes_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'apk_hashes_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE 'apk_hashes_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TRIGGER apks_hashed after insert on apks begin
  insert into apk_hashes (rowid, hashes) values (new.id, hex(substr(new.md5, 1, 8)) || ' ' || hex(substr(new.sha1, 1, 8)));
  end;
