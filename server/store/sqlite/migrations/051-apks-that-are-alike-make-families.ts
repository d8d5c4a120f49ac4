// APKs whose code is much the same make families: which one each is in, what people said of it, and what they did.
import type { Migration } from '../migrator.ts';

/** Takes an APK out of the sums of its family, or puts it in. */
const summed = (row: 'new' | 'old', sign: '+' | '-') => `
  update family_sums set members = members ${sign} 1, rated = rated ${sign} (${row}.risk is not null),
    risk = risk ${sign} coalesce(${row}.risk, 0),
    newest_id = (select id from apks where code_family_id = ${row}.code_family_id order by created_at desc limit 1)
  where family_id = ${row}.code_family_id;
  update families set is_stale = 1 where id = ${row}.code_family_id and is_stale = 0;`;
const began =
  'insert or ignore into family_sums (family_id) select new.code_family_id where new.code_family_id is not null;';

export const migration: Migration = {
  name: '051-apks-that-are-alike-make-families',
  apply(database) {
    database.exec(`
      create table families (
        id integer primary key autoincrement,
        name text not null default '',
        proposed_name text not null default '',
        title text not null default '',
        note text not null default '',
        is_confirmed integer not null default 0,
        is_stale integer not null default 1,
        merged_into integer references families (id) on delete set null,
        created_at integer not null,
        updated_at integer not null
      ) strict;
      create index families_by_title on families (title collate nocase);
      create index families_by_merged on families (merged_into) where merged_into is not null;
      create index families_stale on families (id) where is_stale = 1;

      alter table apks add column code_family_id integer references families (id) on delete set null;
      create index apks_by_code_family on apks (code_family_id, created_at) where code_family_id is not null;

      create table family_sums (
        family_id integer primary key references families (id) on delete cascade,
        members integer not null default 0,
        rated integer not null default 0,
        risk integer not null default 0,
        newest_id integer
      ) strict;
      create index family_sums_by_newest on family_sums (newest_id);
      create index family_sums_by_members on family_sums (members);
      create trigger families_count_new after insert on apks when new.code_family_id is not null begin
        ${began}
        ${summed('new', '+')}
      end;
      create trigger families_count_changed after update of code_family_id, risk on apks
      when old.code_family_id is not new.code_family_id
        or (new.code_family_id is not null and old.risk is not new.risk)
      begin
        ${began}
        ${summed('old', '-')}
        ${summed('new', '+')}
      end;
      create trigger families_count_deleted after delete on apks when old.code_family_id is not null begin
        ${summed('old', '-')}
      end;
      create trigger families_stale_by_verdict after update of family on apks
      when new.code_family_id is not null and old.family is not new.family begin
        update families set is_stale = 1 where id = new.code_family_id and is_stale = 0;
      end;

      create table family_ties (
        apk_id integer not null references apks (id) on delete cascade,
        family_id integer not null references families (id) on delete cascade,
        is_member integer not null,
        primary key (apk_id, family_id)
      ) strict, without rowid;
      create index family_ties_by_family on family_ties (family_id);

      create table family_actions (
        id integer primary key autoincrement,
        family_id integer not null references families (id) on delete cascade,
        other_id integer references families (id) on delete set null,
        kind text not null,
        detail text not null,
        account_id integer references accounts (id) on delete set null,
        username text not null,
        created_at integer not null,
        undone_by text,
        undone_at integer,
        is_restoring integer not null default 0
      ) strict;
      create index family_actions_restoring on family_actions (id) where is_restoring = 1;
      create index family_actions_by_family on family_actions (family_id, id);
      create index family_actions_by_other on family_actions (other_id, id) where other_id is not null;
      create index family_actions_by_account on family_actions (account_id) where account_id is not null;
      create table family_moves (
        action_id integer not null references family_actions (id) on delete cascade,
        apk_id integer not null references apks (id) on delete cascade,
        from_id integer,
        ties text not null,
        primary key (action_id, apk_id)
      ) strict, without rowid;
      create index family_moves_by_apk on family_moves (apk_id);

      alter table code_sketches add column is_placed integer not null default 0;
      create index code_sketches_waiting on code_sketches (apk_id) where is_placed = 0;
    `);
  },
};
