CREATE TABLE repackagings (
  apk_id integer not null references apks (id) on delete cascade,
  other_id integer not null references apks (id) on delete cascade,
  shared integer not null,
  methods integer not null,
  primary key (apk_id, other_id)
) strict, without rowid;
CREATE INDEX repackagings_by_other on repackagings (other_id, apk_id);
CREATE TABLE signer_successions (
  former_id integer not null references signers (id) on delete cascade,
  signer_id integer not null references signers (id) on delete cascade,
  primary key (former_id, signer_id)
) strict, without rowid;
CREATE INDEX signer_successions_by_signer on signer_successions (signer_id, former_id);
