// The note of the newest verdict stands in the APK's row, as its other words do.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '042-apks-keep-the-note-of-their-verdict',
  apply(database) {
    database.exec(`
      alter table apks add column note text not null default '';
      update apks set note = said.note from (select apk_id, note, max(id) from verdicts group by apk_id) as said
        where said.apk_id = apks.id;
    `);
  },
};
