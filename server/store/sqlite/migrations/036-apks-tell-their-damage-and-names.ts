// APKs tell what is wrong with a corrupted one, and under which names their files came.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '036-apks-tell-their-damage-and-names',
  apply(database) {
    database.exec(`
      -- Of those that are corrupted; null there too until their identity is looked at again, at the next start.
      alter table apks add column damage text check (damage in ('unsigned', 'signature', 'damaged'));
      -- JSON, newest first.
      alter table apks add column file_names text not null default '[]';
      create index apks_with_untold_damage on apks (id) where is_corrupted = 1 and damage is null;
    `);
  },
};
