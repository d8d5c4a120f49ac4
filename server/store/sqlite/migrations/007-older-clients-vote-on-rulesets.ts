// Votes on rulesets, which the older API knows.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '007-older-clients-vote-on-rulesets',
  apply(database) {
    database.exec(`
      create table ruleset_votes (
        id integer primary key autoincrement,
        ruleset_id integer not null references rulesets (id) on delete cascade,
        account_id integer not null references accounts (id) on delete cascade,
        kind text not null check (kind in ('positive', 'negative')),
        created_at integer not null,
        unique (ruleset_id, account_id)
      ) strict;
      create index ruleset_votes_by_ruleset on ruleset_votes (ruleset_id, id);
      create index ruleset_votes_by_account on ruleset_votes (account_id);
    `);
  },
};
