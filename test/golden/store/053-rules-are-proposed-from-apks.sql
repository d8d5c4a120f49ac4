CREATE TABLE rule_proposals (
  id integer primary key autoincrement,
  job_id integer references jobs (id) on delete cascade,
  account_id integer not null references accounts (id) on delete cascade,
  task text not null,
  result text not null,
  created_at integer not null
) strict;
CREATE INDEX rule_proposals_by_job on rule_proposals (job_id);
CREATE INDEX rule_proposals_by_account on rule_proposals (account_id);
CREATE INDEX rule_proposals_by_age on rule_proposals (created_at);
