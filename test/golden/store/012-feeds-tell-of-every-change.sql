-- detections_by_update is gone
CREATE TABLE detection_changes (
  id integer primary key autoincrement,
  apk_id integer not null references apks (id) on delete cascade,
  kind text not null check (kind in ('community', 'ruleset', 'antivirus')),
  ruleset_id integer references rulesets (id) on delete cascade,
  antivirus text not null default '',
  information text,
  created_at integer not null,
  changed_at integer not null
) strict;
CREATE INDEX detection_changes_by_time on detection_changes (changed_at);
CREATE INDEX detection_changes_by_apk on detection_changes (apk_id);
CREATE INDEX detection_changes_by_ruleset on detection_changes (ruleset_id) where ruleset_id is not null;
