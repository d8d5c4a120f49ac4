// Tags are found whatever case they are written in.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '017-tags-are-found-in-any-case',
  apply(database) {
    database.exec(`
      drop index apk_tags_by_name;
      create index apk_tags_by_name on apk_tags (name collate nocase, apk_id);
    `);
  },
};
