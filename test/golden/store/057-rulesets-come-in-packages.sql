CREATE TABLE rule_packages (
  id integer primary key autoincrement,
  author_id integer not null references accounts (id) on delete cascade,
  name text not null unique,
  version text not null,
  licence text not null,
  source text not null,
  is_enabled integer not null,
  is_public integer not null,
  change text not null,
  imported_at integer not null
) strict;
CREATE INDEX rule_packages_by_author on rule_packages (author_id);
CREATE TABLE packaged_rulesets (
  ruleset_id integer primary key references rulesets (id) on delete cascade,
  package_id integer not null,
  path text not null,
  sha256 text not null,
  version integer not null,
  unique (package_id, path)
) strict;
CREATE INDEX packaged_rulesets_by_text on packaged_rulesets (sha256);
