// Wrong passwords and codes are counted across restarts, by what is guessed and from where.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '024-guesses-are-remembered',
  apply(database) {
    database.exec(`
      create table guesses (
        -- What is guessed: its kind and whose it is.
        name text not null,
        -- The network; empty: all of them together.
        origin text not null,
        failures integer not null,
        last_at integer not null,
        -- When it was last right from there; null: never yet.
        known_at integer,
        primary key (name, origin)
      ) strict, without rowid;
    `);
  },
};
