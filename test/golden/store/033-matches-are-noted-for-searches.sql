CREATE TRIGGER matches_noted_new after insert on matches begin
  insert into apk_changes (apk_id, part) values (new.apk_id, 'row');
  end;
CREATE TRIGGER matches_noted_changed after update on matches begin
  insert into apk_changes (apk_id, part) values (new.apk_id, 'row');
  end;
CREATE TRIGGER matches_noted_deleted after delete on matches begin
  insert into apk_changes (apk_id, part) values (old.apk_id, 'row');
  end;
