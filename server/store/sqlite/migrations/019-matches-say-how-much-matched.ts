// Matches hold the first rules that matched in an APK, and now also how many there were.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '019-matches-say-how-much-matched',
  apply(database) {
    database.exec(`
      alter table matches add column rules_count integer not null default 0;
      update matches set rules_count = json_array_length(rules);
    `);
  },
};
