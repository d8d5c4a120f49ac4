// APKs whose code came from another signer too, and which signers' certificates vouched for which newer ones. All APKs whose
// code was read are looked at.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '056-apks-with-the-code-of-another-signer',
  apply(database) {
    database.exec(`
      create table repackagings (
        apk_id integer not null references apks (id) on delete cascade,
        other_id integer not null references apks (id) on delete cascade,
        shared integer not null,
        methods integer not null,
        primary key (apk_id, other_id)
      ) strict, without rowid;
      create index repackagings_by_other on repackagings (other_id, apk_id);
      create table signer_successions (
        former_id integer not null references signers (id) on delete cascade,
        signer_id integer not null references signers (id) on delete cascade,
        primary key (former_id, signer_id)
      ) strict, without rowid;
      create index signer_successions_by_signer on signer_successions (signer_id, former_id);
      insert or ignore into family_waiting (apk_id) select apk_id from code_sketches;
    `);
  },
};
