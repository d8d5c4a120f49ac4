// Watched folders, their files as they were taken in, and the APKs that came by them. Knows no file system.
import { type Insertable, sql } from 'kysely';
import { maxBeside } from '../../contract/catalogue/split-names.ts';
import type { WatchedFilesTable, WatchedFoldersTable } from '../schema/workstation.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { columnsOf, type RecordOf, recordOf } from './table-record.ts';

type FolderRow = RecordOf<WatchedFoldersTable>;
export type WatchedFolderRecord = Omit<FolderRow, 'tags' | 'matchTags'> & { tags: string[]; matchTags: string[] };
export type WatchedFolderFields = Omit<WatchedFolderRecord, 'id' | 'createdAt'>;

type FileRow = RecordOf<WatchedFilesTable>;
export type WatchedFileRecord = Omit<FileRow, 'apks' | 'refusals'> & {
  apks: { sha256: string; isNew: boolean }[];
  refusals: { name: string; reason: string }[];
};
export type TakenFile = Omit<WatchedFileRecord, 'id' | 'isGone' | 'takenAt'>;

const folderOf = ({ tags, matchTags, ...rest }: FolderRow): WatchedFolderRecord => ({
  ...rest,
  tags: JSON.parse(tags) as string[],
  matchTags: JSON.parse(matchTags) as string[],
});
const fileOf = ({ apks, refusals, ...rest }: FileRow): WatchedFileRecord => ({
  ...rest,
  apks: JSON.parse(apks) as WatchedFileRecord['apks'],
  refusals: JSON.parse(refusals) as WatchedFileRecord['refusals'],
});

function columnsOfFolder({ tags, matchTags, ...rest }: Partial<WatchedFolderFields>) {
  return {
    ...columnsOf<WatchedFoldersTable>(rest),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
    ...(matchTags === undefined ? {} : { match_tags: JSON.stringify(matchTags) }),
  };
}

export class WatchedFolderRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** By path. */
  async all(): Promise<WatchedFolderRecord[]> {
    const rows = await this.database.selectFrom('watched_folders').selectAll().orderBy('path').execute();
    return rows.map((row) => folderOf(recordOf(row)));
  }

  /** The folder, null where there is none. */
  async find(id: number): Promise<WatchedFolderRecord | null> {
    const row = await this.database.selectFrom('watched_folders').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : folderOf(recordOf(row));
  }

  /** Stores a folder, made now. */
  async insert(this: WatchedFolderRepository<WriteHandle>, folder: WatchedFolderFields): Promise<WatchedFolderRecord> {
    const row = await this.database
      .insertInto('watched_folders')
      .values({ ...columnsOfFolder(folder), created_at: this.clock() } as Insertable<WatchedFoldersTable>)
      .returningAll()
      .executeTakeFirstOrThrow();
    return folderOf(recordOf(row));
  }

  /** Changes what is given. */
  async update(
    this: WatchedFolderRepository<WriteHandle>,
    id: number,
    changes: Partial<WatchedFolderFields>,
  ): Promise<void> {
    const columns = columnsOfFolder(changes);
    if (Object.keys(columns).length === 0) return;
    await this.database.updateTable('watched_folders').set(columns).where('id', '=', id).execute();
  }

  /** Removes a folder with what is known of its files; APKs stay. */
  async remove(this: WatchedFolderRepository<WriteHandle>, id: number): Promise<void> {
    await this.database.deleteFrom('watched_folders').where('id', '=', id).execute();
  }

  /** Puts rulesets in the place of those that a folder has. */
  async setRulesets(
    this: WatchedFolderRepository<WriteHandle>,
    folderId: number,
    rulesetIds: readonly number[],
  ): Promise<void> {
    await this.database.deleteFrom('watched_folder_rulesets').where('folder_id', '=', folderId).execute();
    const rows = [...new Set(rulesetIds)].map((ruleset) => ({ folder_id: folderId, ruleset_id: ruleset }));
    if (rows.length > 0) await this.database.insertInto('watched_folder_rulesets').values(rows).execute();
  }

  /** The rulesets of folders, by folder. */
  async rulesets(folderIds: readonly number[]): Promise<Map<number, number[]>> {
    const rows = await this.database
      .selectFrom('watched_folder_rulesets')
      .selectAll()
      .where(isOneOf('folder_id', folderIds))
      .orderBy('ruleset_id')
      .execute();
    const found = new Map<number, number[]>();
    for (const { folder_id: folder, ruleset_id: ruleset } of rows)
      found.set(folder, [...(found.get(folder) ?? []), ruleset]);
    return found;
  }

  /** Notes that an APK came by a folder. */
  async link(this: WatchedFolderRepository<WriteHandle>, folderId: number, apkId: number): Promise<void> {
    await this.database
      .insertInto('watched_apks')
      .values({ folder_id: folderId, apk_id: apkId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Rulesets of the folders that an APK came by. */
  async rulesetsFor(apkId: number): Promise<number[]> {
    const rows = await this.database
      .selectFrom('watched_apks')
      .innerJoin('watched_folder_rulesets', 'watched_folder_rulesets.folder_id', 'watched_apks.folder_id')
      .where('apk_id', '=', apkId)
      .select('ruleset_id')
      .distinct()
      .orderBy('ruleset_id')
      .execute();
    return rows.map((row) => row.ruleset_id);
  }

  /** Tags that an APK gets when a ruleset matches it, by the folders that it came by. */
  async matchTagsFor(apkId: number, rulesetId: number): Promise<string[]> {
    const rows = await this.database
      .selectFrom('watched_apks')
      .innerJoin('watched_folder_rulesets', 'watched_folder_rulesets.folder_id', 'watched_apks.folder_id')
      .innerJoin('watched_folders', 'watched_folders.id', 'watched_apks.folder_id')
      .where('apk_id', '=', apkId)
      .where('ruleset_id', '=', rulesetId)
      .select('match_tags')
      .execute();
    return [...new Set(rows.flatMap((row) => JSON.parse(row.match_tags) as string[]))];
  }

  /** What became of the file at a path, null where none was taken in that is still there. */
  async findFile(folderId: number, path: string): Promise<WatchedFileRecord | null> {
    const row = await this.database
      .selectFrom('watched_files')
      .selectAll()
      .where('folder_id', '=', folderId)
      .where('path', '=', path)
      .where('is_gone', '=', 0)
      .executeTakeFirst();
    return row === undefined ? null : fileOf(recordOf(row));
  }

  /** SHA-256 of the APKs in files at these places, the newest first. @param places with `/` at their end */
  async apksBeside(folderId: number, places: readonly string[]): Promise<string[]> {
    const rows = await this.database
      .selectFrom('watched_files')
      .select('apks')
      .where('folder_id', '=', folderId)
      .where((file) =>
        file.or(
          places.map((place) =>
            file.and([
              file('path', '>=', place),
              file('path', '<', `${place}\u{10ffff}`),
              sql<boolean>`instr(substr(path, ${place.length + 1}), '/') = 0`,
            ]),
          ),
        ),
      )
      .orderBy('id', 'desc')
      .limit(200)
      .execute();
    const apks = rows.flatMap((row) => JSON.parse(row.apks) as WatchedFileRecord['apks']);
    return [...new Set(apks.map(({ sha256 }) => sha256))].slice(0, maxBeside);
  }

  /** How the files of a folder looked that are still there and whose outcome was told. */
  async looks(folderId: number): Promise<{ path: string; size: number; modifiedAt: number }[]> {
    const rows = await this.database
      .selectFrom('watched_files')
      .select(['path', 'size', 'modified_at'])
      .where('folder_id', '=', folderId)
      .where('is_told', '=', 1)
      .where('is_gone', '=', 0)
      .execute();
    return rows.map((row) => ({ path: row.path, size: row.size, modifiedAt: row.modified_at }));
  }

  /** The newest files first. @param isRefused undefined: both */
  async files(folderId: number, isRefused: boolean | undefined, limit: number): Promise<WatchedFileRecord[]> {
    let query = this.database.selectFrom('watched_files').selectAll().where('folder_id', '=', folderId);
    if (isRefused !== undefined) query = query.where('is_refused', '=', Number(isRefused));
    const rows = await query.orderBy('id', 'desc').limit(limit).execute();
    return rows.map((row) => fileOf(recordOf(row)));
  }

  /** How many files of folders were taken in and refused, by folder. */
  async counts(): Promise<Map<number, { taken: number; refused: number }>> {
    const rows = await this.database
      .selectFrom('watched_files')
      .select(['folder_id', 'is_refused', (all) => all.fn.countAll<number>().as('count')])
      .groupBy(['folder_id', 'is_refused'])
      .execute();
    const counts = new Map<number, { taken: number; refused: number }>();
    for (const { folder_id: folder, is_refused: isRefused, count } of rows) {
      const known = counts.get(folder) ?? { taken: 0, refused: 0 };
      counts.set(folder, isRefused === 1 ? { ...known, refused: count } : { ...known, taken: count });
    }
    return counts;
  }

  /** Keeps what became of a file, in the place of what is known of an earlier one at its path. */
  async saveFile(this: WatchedFolderRepository<WriteHandle>, file: TakenFile): Promise<WatchedFileRecord> {
    const { apks, refusals, ...rest } = file;
    await this.forgetFile(file.folderId, file.path);
    const row = await this.database
      .insertInto('watched_files')
      .values({
        ...columnsOf<WatchedFilesTable>(rest),
        apks: JSON.stringify(apks),
        refusals: JSON.stringify(refusals),
        taken_at: this.clock(),
      } as Insertable<WatchedFilesTable>)
      .returningAll()
      .executeTakeFirstOrThrow();
    return fileOf(recordOf(row));
  }

  /** Changes how a file looks, or whether its outcome was told. */
  async updateFile(
    this: WatchedFolderRepository<WriteHandle>,
    id: number,
    changes: Partial<Pick<WatchedFileRecord, 'path' | 'size' | 'modifiedAt' | 'isTold' | 'isGone'>>,
  ): Promise<void> {
    await this.database
      .updateTable('watched_files')
      .set(columnsOf<WatchedFilesTable>(changes))
      .where('id', '=', id)
      .execute();
  }

  /** Forgets the file at a path that is there. */
  async forgetFile(this: WatchedFolderRepository<WriteHandle>, folderId: number, path: string): Promise<void> {
    await this.database
      .deleteFrom('watched_files')
      .where('folder_id', '=', folderId)
      .where('path', '=', path)
      .where('is_gone', '=', 0)
      .execute();
  }

  /** Forgets the files of a folder of which something was refused. @returns their paths */
  async forgetRefused(this: WatchedFolderRepository<WriteHandle>, folderId: number): Promise<string[]> {
    const rows = await this.database
      .deleteFrom('watched_files')
      .where('folder_id', '=', folderId)
      .where('is_refused', '=', 1)
      .where('is_gone', '=', 0)
      .returning('path')
      .execute();
    return rows.map(({ path }) => path);
  }
}
