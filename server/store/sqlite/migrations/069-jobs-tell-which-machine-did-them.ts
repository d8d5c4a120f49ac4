// Which other machine did a job is kept.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '069-jobs-tell-which-machine-did-them',
  apply(database) {
    database.exec('alter table jobs add column machine text;');
  },
};
