CREATE TABLE matches (
  id integer primary key autoincrement,
  apk_id integer not null references apks (id) on delete cascade,
  ruleset_id integer not null references rulesets (id) on delete cascade,
  rules text not null,
  created_at integer not null,
  updated_at integer not null, rules_count integer not null default 0,
  unique (apk_id, ruleset_id)
) strict;
