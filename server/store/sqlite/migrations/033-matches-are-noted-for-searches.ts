// What changes of matches is noted for the search thread, which counts rules.
import type { Migration } from '../migrator.ts';

const note = (trigger: string, event: string, row: 'new' | 'old') => `
  create trigger ${trigger} after ${event} on matches begin
    insert into apk_changes (apk_id, part) values (${row}.apk_id, 'row');
  end;`;

export const migration: Migration = {
  name: '033-matches-are-noted-for-searches',
  apply(database) {
    database.exec(`
      ${note('matches_noted_new', 'insert', 'new')}
      ${note('matches_noted_changed', 'update', 'new')}
      ${note('matches_noted_deleted', 'delete', 'old')}
    `);
  },
};
