CREATE TABLE code_names (
  id integer primary key autoincrement,
  apk_id integer not null references apks (id) on delete cascade,
  kind text not null check (kind in ('name', 'note')),
  symbol text not null,
  address integer,
  text text not null,
  origin text not null check (origin in ('analyst', 'import', 'offer')),
  class_hash text not null,
  place text,
  account_id integer references accounts (id) on delete set null,
  username text not null,
  created_at integer not null,
  check (address is null or kind = 'note')
) strict;
CREATE UNIQUE INDEX code_names_by_symbol on code_names (apk_id, kind, symbol, coalesce(address, -1));
CREATE INDEX code_names_by_apk on code_names (apk_id, id);
CREATE INDEX code_names_by_class on code_names (class_hash) where class_hash <> '' and place is not null and kind = 'name';
CREATE INDEX code_names_by_account on code_names (account_id) where account_id is not null;
