// Findings and rules' matches that analysts dismissed: where, why, by whom, and who undid it.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '028-findings-are-dismissed',
  apply(database) {
    database.exec(`
      create table dismissals (
        id integer primary key autoincrement,
        finding text,
        ruleset_id integer references rulesets (id) on delete cascade,
        rule text,
        scope text not null check (scope in ('apk', 'signer', 'library', 'everywhere')),
        apk_id integer references apks (id) on delete cascade,
        signer_id integer references signers (id),
        library text,
        place text,
        reason text not null,
        account_id integer references accounts (id) on delete set null,
        username text not null,
        created_at integer not null,
        undone_by text,
        undone_at integer,
        check ((finding is not null) + (ruleset_id is not null and rule is not null) = 1),
        check ((scope = 'apk') = (apk_id is not null)),
        check ((scope = 'signer') = (signer_id is not null)),
        check ((scope = 'library') = (library is not null)),
        check ((undone_by is null) = (undone_at is null))
      ) strict;
      create index dismissals_by_apk on dismissals (apk_id) where apk_id is not null and undone_at is null;
      create index dismissals_by_signer on dismissals (signer_id) where signer_id is not null and undone_at is null;
      create index dismissals_by_scope on dismissals (scope) where undone_at is null;
      create index dismissals_by_ruleset on dismissals (ruleset_id) where ruleset_id is not null;
      create index dismissals_by_account on dismissals (account_id) where account_id is not null;
    `);
  },
};
