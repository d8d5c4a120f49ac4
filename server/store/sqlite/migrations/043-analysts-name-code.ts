// Names that analysts give to the code of an APK, and notes on it: one for each thing, the newest.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '043-analysts-name-code',
  apply(database) {
    database.exec(`
      create table code_names (
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
      create unique index code_names_by_symbol on code_names (apk_id, kind, symbol, coalesce(address, -1));
      create index code_names_by_apk on code_names (apk_id, id);
      create index code_names_by_class on code_names (class_hash) where class_hash <> '' and place is not null and kind = 'name';
      create index code_names_by_account on code_names (account_id) where account_id is not null;
    `);
  },
};
