CREATE TABLE rulesets (
  id integer primary key autoincrement,
  author_id integer not null references accounts (id) on delete cascade,
  name text not null,
  folded_name text not null,
  rules text not null default '',
  rules_count integer not null default 0,
  is_enabled integer not null,
  is_public integer not null,
  is_notifier integer not null,
  social_status text not null default 'none'
  check (social_status in ('none', 'pending', 'accepted', 'rejected')),
  active_since integer,
  created_at integer not null,
  updated_at integer not null
  , version integer not null default 1, scan_state text not null default 'ok'
  check (scan_state in ('ok', 'slow', 'timed_out', 'failed', 'suspended')), scan_error text, trouble integer not null default 0) strict;
CREATE TABLE ruleset_versions (
  id integer primary key autoincrement,
  ruleset_id integer not null references rulesets (id) on delete cascade,
  version integer not null,
  author_id integer not null references accounts (id) on delete cascade,
  rules blob not null,
  length integer not null,
  rules_count integer not null,
  uses_dynamic integer not null,
  was_public integer not null,
  active_since integer,
  created_at integer not null,
  unique (ruleset_id, version)
) strict;
CREATE INDEX ruleset_versions_in_use on ruleset_versions (ruleset_id, version, active_since, rules_count, uses_dynamic)
  where active_since is not null;
CREATE INDEX ruleset_versions_by_author on ruleset_versions (author_id);
