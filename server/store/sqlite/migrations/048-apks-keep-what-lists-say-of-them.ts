// What lists of known files and signers say of an APK stands in its row; analysts call signers bad as they trust them.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '048-apks-keep-what-lists-say-of-them',
  apply(database) {
    database.exec(`
      alter table apks add column known text;
      alter table signers add column is_bad integer not null default 0;
    `);
  },
};
