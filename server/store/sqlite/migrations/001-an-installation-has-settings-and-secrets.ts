// The installation's own secrets, written once, and its settings.
import { randomBytes, randomInt } from 'node:crypto';
import type { Migration } from '../migrator.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const saltLength = 32;

export const migration: Migration = {
  name: '001-an-installation-has-settings-and-secrets',
  apply(database, now) {
    database.exec(`
      create table installation (
        id integer primary key check (id = 1),
        id_salt text not null,
        signing_secret blob not null,
        created_at integer not null
      ) strict;
      create table settings (
        key text primary key,
        value text not null
      ) strict, without rowid;
    `);
    const salt = Array.from({ length: saltLength }, () => alphabet[randomInt(alphabet.length)]).join('');
    database
      .prepare('insert into installation (id, id_salt, signing_secret, created_at) values (1, ?, ?, ?)')
      .run(salt, randomBytes(32), now);
  },
};
