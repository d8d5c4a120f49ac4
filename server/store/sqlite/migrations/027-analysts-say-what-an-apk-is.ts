// What the workstation's people say of an APK, word for word and who said it; the newest word stands in the APK's row.
import type { Migration } from '../migrator.ts';

const word = "check (verdict in ('clean', 'unknown', 'suspicious', 'malicious'))";

export const migration: Migration = {
  name: '027-analysts-say-what-an-apk-is',
  apply(database) {
    database.exec(`
      alter table apks add column verdict text not null default 'unknown' ${word};
      alter table apks add column family text not null default '';
      create index apks_by_family on apks (family collate nocase) where family <> '';
      create table verdicts (
        id integer primary key autoincrement,
        apk_id integer not null references apks (id) on delete cascade,
        account_id integer references accounts (id) on delete set null,
        username text not null,
        verdict text not null ${word},
        family text not null default '',
        note text not null default '',
        created_at integer not null
      ) strict;
      create index verdicts_by_apk on verdicts (apk_id, id);
      create index verdicts_by_account on verdicts (account_id) where account_id is not null;
    `);
  },
};
