// Settings by name, and the installation's secrets. Knows no setting.
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export interface InstallationRecord {
  /** Salts the public ids: letters and digits. */
  idSalt: string;
  /** 32 bytes that sign links. */
  signingSecret: Uint8Array;
  createdAt: number;
}

export class SettingsRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Salt, secret and creation time of this installation. */
  async installation(): Promise<InstallationRecord> {
    const row = await this.database.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
    return { idSalt: row.id_salt, signingSecret: row.signing_secret, createdAt: row.created_at };
  }

  /** The value that was set, undefined where none was. */
  async read(key: string): Promise<unknown> {
    const row = await this.database.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
    return row === undefined ? undefined : JSON.parse(row.value);
  }

  /** All stored settings by name; the others have their defaults. */
  async all(): Promise<Record<string, unknown>> {
    const rows = await this.database.selectFrom('settings').selectAll().orderBy('key').execute();
    return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]));
  }

  /** Stores a JSON value; undefined removes the key. */
  async write(this: SettingsRepository<WriteHandle>, key: string, value: unknown): Promise<void> {
    if (value === undefined) {
      await this.database.deleteFrom('settings').where('key', '=', key).execute();
      return;
    }
    const text = JSON.stringify(value);
    await this.database
      .insertInto('settings')
      .values({ key, value: text })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: text }))
      .execute();
  }
}
