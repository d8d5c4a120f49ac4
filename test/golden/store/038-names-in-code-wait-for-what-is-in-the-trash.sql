CREATE TRIGGER apk_names_deleted after delete on apks
  when not exists (select 1 from trash where kind = 'apk' and row_id = old.id) begin
  delete from apk_names where rowid = old.id;
  end;
CREATE TRIGGER trash_names_deleted after delete on trash
  when old.kind = 'apk' and not exists (select 1 from apks where id = old.row_id) begin
  delete from apk_names where rowid = old.row_id;
  end;
