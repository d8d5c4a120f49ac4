// Hashes are found by an index that is written one after the other; text indexes merge later and in larger pieces.
import type { Migration } from '../migrator.ts';

/** Enough to tell APKs apart; what is found is compared as a whole. */
const start = (column: string) => `hex(substr(${column}, 1, 8))`;

export const migration: Migration = {
  name: '018-imports-write-less',
  apply(database) {
    database.exec(`
      drop index apks_by_md5;
      drop index apks_by_sha1;
      create virtual table apk_hashes using fts5 (
        hashes, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
      );
      insert into apk_hashes (rowid, hashes) select id, ${start('md5')} || ' ' || ${start('sha1')} from apks;
      create trigger apks_hashed after insert on apks begin
        insert into apk_hashes (rowid, hashes) values (new.id, ${start('new.md5')} || ' ' || ${start('new.sha1')});
      end;
    `);
    // With 4 pieces to a merge, as is the default, merging costs more than all else of an import.
    for (const index of ['apk_text', 'apk_words', 'apk_hashes', 'search_term_text']) {
      database.exec(`
        insert into ${index} (${index}, rank) values ('automerge', 16);
        insert into ${index} (${index}, rank) values ('crisismerge', 64);
      `);
    }
  },
};
