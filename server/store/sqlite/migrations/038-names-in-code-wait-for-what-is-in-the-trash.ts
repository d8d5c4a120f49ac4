// The index of names in code, which nothing can read back, keeps those of APKs in the trash until they go for good.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '038-names-in-code-wait-for-what-is-in-the-trash',
  apply(database) {
    database.exec(`
      drop trigger apk_names_deleted;
      create trigger apk_names_deleted after delete on apks
      when not exists (select 1 from trash where kind = 'apk' and row_id = old.id) begin
        delete from apk_names where rowid = old.id;
      end;
      create trigger trash_names_deleted after delete on trash
      when old.kind = 'apk' and not exists (select 1 from apks where id = old.row_id) begin
        delete from apk_names where rowid = old.row_id;
      end;
    `);
  },
};
