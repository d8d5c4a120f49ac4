// Accounts of analysts with profile and settings. Knows neither passwords in clear nor who may change what.
import { type Selectable, sql } from 'kysely';
import { accountSettingNames } from '../../../contract/people/account.ts';
import type { AccountsTable } from '../../schema/people.ts';
import { countOf } from '../../sqlite/keyset-page.ts';
import { DuplicateError } from '../../store-errors.ts';
import { isDuplicate, isOneOf, type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { columnsOf, type RecordOf, recordOf } from '../table-record.ts';

/** The nine preferences of an account, under their names in the API. */
export type AccountSettings = Record<(typeof accountSettingNames)[number], boolean>;

export type AccountRecord = Omit<RecordOf<AccountsTable>, 'settings'> & { settings: AccountSettings };

export type NewAccount = Pick<AccountRecord, 'username' | 'role' | 'apiGroup'> &
  Partial<Omit<AccountRecord, 'id' | 'username' | 'role' | 'apiGroup' | 'createdAt' | 'lastLoginAt' | 'avatarSha256'>>;

export type AccountChanges = Partial<Omit<AccountRecord, 'id' | 'createdAt' | 'settings' | 'avatarSha256'>> & {
  /** Only the given preferences change. */
  settings?: Partial<AccountSettings>;
};

/** Notifications inside the workstation are wanted unless switched off; e-mail only where it was asked for. */
const defaultSettings = Object.fromEntries(
  accountSettingNames.map((name) => [name, name.startsWith('notify_')]),
) as AccountSettings;

const toRecord = (row: Selectable<AccountsTable>): AccountRecord => ({
  ...recordOf(row),
  settings: { ...defaultSettings, ...(JSON.parse(row.settings) as Partial<AccountSettings>) },
});

/** A picture as it was uploaded. */
export interface Avatar {
  mediaType: string;
  content: Uint8Array;
}

export class AccountRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** @throws DuplicateError where the username is taken, in whatever case */
  async insert(
    this: AccountRepository<WriteHandle>,
    { settings = {} as AccountSettings, ...account }: NewAccount,
  ): Promise<AccountRecord> {
    try {
      const row = await this.database
        .insertInto('accounts')
        .values({
          ...columnsOf<AccountsTable>(account),
          settings: JSON.stringify(settings),
          created_at: this.clock(),
        } as never)
        .returningAll()
        .executeTakeFirstOrThrow();
      return toRecord(row);
    } catch (error) {
      if (isDuplicate(error)) throw new DuplicateError(`The username ${account.username} is taken`);
      throw error;
    }
  }

  /** The account, null where there is none. */
  async findById(id: number): Promise<AccountRecord | null> {
    const row = await this.database.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Those of these accounts that exist, by id. */
  async findByIds(ids: readonly number[]): Promise<Map<number, AccountRecord>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.selectFrom('accounts').selectAll().where(isOneOf('id', ids)).execute();
    return new Map(rows.map((row) => [row.id, toRecord(row)]));
  }

  /** Without regard to case. */
  async findByUsername(username: string): Promise<AccountRecord | null> {
    const row = await this.database
      .selectFrom('accounts')
      .selectAll()
      .where('username', '=', username)
      .executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** In the order of creation. */
  async list({ offset, limit }: { offset: number; limit: number }): Promise<AccountRecord[]> {
    const rows = await this.database
      .selectFrom('accounts')
      .selectAll()
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(toRecord);
  }

  /** Accounts that own the workstation, the first one first. */
  async owners(): Promise<AccountRecord[]> {
    const rows = await this.database
      .selectFrom('accounts')
      .selectAll()
      .where('role', '=', 'owner')
      .orderBy('id')
      .execute();
    return rows.map(toRecord);
  }

  /** How many accounts there are. */
  async count(): Promise<number> {
    return countOf(this.database.selectFrom('accounts'));
  }

  /** What accounts wrote; an account that wrote nothing is left out. `rulesets` counts private ones too. */
  async countWritten(
    ids: readonly number[],
  ): Promise<Map<number, { comments?: number; rulesets?: number; publicRulesets?: number }>> {
    const written = new Map<number, { comments?: number; rulesets?: number; publicRulesets?: number }>();
    const comments = await this.database
      .selectFrom('comments')
      .select((all) => ['author_id', all.fn.countAll<number>().as('comments')])
      .where(isOneOf('author_id', ids))
      .groupBy('author_id')
      .execute();
    for (const { author_id: id, comments: count } of comments) written.set(id, { comments: count });
    const rulesets = await this.database
      .selectFrom('rulesets')
      .select((all) => [
        'author_id',
        all.fn.countAll<number>().as('rulesets'),
        all.fn.sum<number>('is_public').as('publicRulesets'),
      ])
      .where(isOneOf('author_id', ids))
      .groupBy('author_id')
      .execute();
    for (const { author_id: id, ...counts } of rulesets) written.set(id, { ...written.get(id), ...counts });
    return written;
  }

  /** @returns the changed record, null where there is none @throws DuplicateError where the username is taken */
  async update(
    this: AccountRepository<WriteHandle>,
    id: number,
    { settings, ...changes }: AccountChanges,
  ): Promise<AccountRecord | null> {
    const changed = columnsOf<AccountsTable>(changes);
    if (settings === undefined && Object.keys(changed).length === 0) return this.findById(id);
    let query = this.database.updateTable('accounts').set(changed).where('id', '=', id);
    if (settings !== undefined) {
      query = query.set({ settings: sql<string>`json_patch(settings, ${JSON.stringify(settings)})` });
    }
    const row = await query
      .returningAll()
      .executeTakeFirst()
      .catch((error: unknown) => {
        throw isDuplicate(error) ? new DuplicateError(`The username ${changes.username} is taken`) : error;
      });
    return row === undefined ? null : toRecord(row);
  }

  /** Replaces the account's picture; null removes it. @param sha256 of the picture, in hex */
  async setAvatar(
    this: AccountRepository<WriteHandle>,
    id: number,
    avatar: (Avatar & { sha256: string }) | null,
  ): Promise<void> {
    await this.database.deleteFrom('avatars').where('account_id', '=', id).execute();
    if (avatar !== null) {
      const { mediaType: media_type, content } = avatar;
      await this.database
        .insertInto('avatars')
        .values({ account_id: id, media_type, content, created_at: this.clock() })
        .execute();
    }
    await this.database
      .updateTable('accounts')
      .set({ avatar: '', avatar_sha256: avatar?.sha256 ?? null })
      .where('id', '=', id)
      .execute();
  }

  /** The picture of an account, null where it has none. */
  async avatar(id: number): Promise<Avatar | null> {
    const row = await this.database.selectFrom('avatars').selectAll().where('account_id', '=', id).executeTakeFirst();
    return row === undefined ? null : { mediaType: row.media_type, content: row.content };
  }
}
