CREATE TABLE job_requests (
  job_id integer not null references jobs (id) on delete cascade,
  account_id integer not null references accounts (id) on delete cascade,
  created_at integer not null, is_by_upload integer not null default 0 check (is_by_upload in (0, 1)),
  primary key (job_id, account_id)
) strict, without rowid;
