// What detections said at every change of the last days, so that a package of the feed that is made late still says it.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '012-feeds-tell-of-every-change',
  apply(database) {
    database.exec(`
      create table detection_changes (
        id integer primary key autoincrement,
        apk_id integer not null references apks (id) on delete cascade,
        kind text not null check (kind in ('community', 'ruleset', 'antivirus')),
        ruleset_id integer references rulesets (id) on delete cascade,
        antivirus text not null default '',
        information text,
        created_at integer not null,
        changed_at integer not null
      ) strict;
      create index detection_changes_by_time on detection_changes (changed_at);
      create index detection_changes_by_apk on detection_changes (apk_id);
      create index detection_changes_by_ruleset on detection_changes (ruleset_id) where ruleset_id is not null;
      insert into detection_changes (apk_id, kind, ruleset_id, antivirus, information, created_at, changed_at)
        select apk_id, kind, ruleset_id, antivirus, information, created_at, created_at
        from detections where updated_at > created_at order by created_at;
      insert into detection_changes (apk_id, kind, ruleset_id, antivirus, information, created_at, changed_at)
        select apk_id, kind, ruleset_id, antivirus, information, created_at, updated_at
        from detections order by updated_at;
      drop index detections_by_update;
    `);
  },
};
