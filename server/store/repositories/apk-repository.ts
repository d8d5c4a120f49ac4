// The catalogue's APKs. Knows nothing of their bytes, nor of who may see them.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ChildrenSummary } from '../../contract/catalogue/child.ts';
import type { Damage } from '../../contract/catalogue/damage.ts';
import type { Known } from '../../contract/catalogue/known.ts';
import type { Verdict } from '../../contract/catalogue/verdict.ts';
import { type Severity, severities } from '../../contract/findings/finding.ts';
import { type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import { DuplicateError } from '../store-errors.ts';
import { type ApkRow, apkColumns, insertApks, toColumns, toRecord, withHex } from './apk-rows.ts';
import { KnownApks } from './known-apks.ts';
import {
  isOneOf,
  type ReadHandle,
  Repository,
  type RepositoryContext,
  type WriteHandle,
} from './repository-context.ts';

export type FileState = 'ok' | 'missing' | 'altered';

export interface ApkRecord {
  id: number;
  /** Hashes in lower-case hex. */
  sha256: string;
  sha1: string;
  md5: string;
  /** Bytes. */
  size: number;
  app: string;
  packageName: string;
  company: string;
  version: string;
  versionCode: string;
  signerId: number | null;
  /** From the manifest; null until the static report is stored. */
  minSdk: number | null;
  targetSdk: number | null;
  /** 0 to 100, null before the first report. */
  risk: number | null;
  /** Of the gravest finding that nobody has dismissed. */
  severity: Severity | null;
  /** How many distinct ones its reports name, null until they are indexed. */
  findingsCount: number | null;
  techniquesCount: number | null;
  trackersCount: number | null;
  librariesCount: number | null;
  apisCount: number | null;
  hostsCount: number | null;
  hasIcon: boolean;
  isTrusted: boolean;
  isInstalled: boolean;
  isDetected: boolean;
  isCorrupted: boolean;
  /** What is wrong with a corrupted APK; null: not examined yet. */
  damage: Damage | null;
  /** Of what came out of it; null: nothing, or nobody has looked yet. */
  children: ChildrenSummary | null;
  /** What lists of known files and signers say of it. */
  known: Known[];
  /** The family of APKs whose code is much the same; null: none is. */
  codeFamilyId: number | null;
  /** What the family is called. */
  codeFamilyName: string | null;
  /** Names of the uploaded files, newest first. */
  fileNames: string[];
  isStaticAnalyzed: boolean;
  isDynamicAnalyzed: boolean;
  rating: number;
  votesCount: number;
  commentsCount: number;
  matchesCount: number;
  /** State of the stored file at its last access. */
  fileState: FileState;
  uploaderId: number | null;
  /** Microseconds since 1970 UTC, as all times. */
  lastYaraAnalysisAt: number | null;
  /** The latest verdict of an analyst. */
  verdict: Verdict;
  family: string;
  /** Of its verdict. */
  note: string;
  createdAt: number;
  updatedAt: number;
  /** In alphabetical order. */
  tags: string[];
}

/** What lists of known files and signers are asked by, and what they said last. */
export type ListedHashes = Pick<ApkRecord, 'id' | Hashes | 'company' | 'signerId' | 'known'>;

type Hashes = 'sha256' | 'sha1' | 'md5';
/** Fields that methods of their own write. */
type Derived =
  | ('id' | 'createdAt' | 'updatedAt' | 'tags' | 'minSdk' | 'targetSdk' | 'risk' | 'severity' | 'known')
  | ('codeFamilyId' | 'codeFamilyName')
  | ('findingsCount' | 'techniquesCount' | 'trackersCount' | 'librariesCount' | 'apisCount' | 'hostsCount');

export type NewApk = Pick<ApkRecord, Hashes | 'size'> & Partial<Omit<ApkRecord, Hashes | 'size' | Derived>>;
export type ApkChanges = Partial<Omit<ApkRecord, Hashes | 'size' | 'uploaderId' | Derived>>;

/** Rows in memory at a time when the whole catalogue is read. */
const streamedRows = 500;
const hex64 = /^[0-9a-f]{64}$/i;

/** @throws DuplicateError where one of the APKs is in the catalogue or more than once in the list */
async function refuseHeld(database: ReadHandle, apks: readonly NewApk[]): Promise<void> {
  const wanted = JSON.stringify(apks.map(({ sha256 }) => sha256));
  const { rows } = await sql<{ sha256: string }>`select lower(hex(sha256)) as sha256 from apks
    where sha256 in (select unhex(value) from json_each(${wanted}))`.execute(database);
  const held = new Set(rows.map(({ sha256 }) => sha256));
  for (const { sha256 } of apks) {
    const hash = sha256.toLowerCase();
    if (held.has(hash)) throw new DuplicateError(`An APK with the sha256 ${sha256} is held already`);
    held.add(hash);
  }
}

export class ApkRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Cache of records, since lists show the same ones again and again; not used within a transaction. */
  readonly #known: KnownApks | undefined;

  constructor(context: RepositoryContext<Handle>) {
    super(context);
    const { database, revisions } = context;
    this.#known = revisions === undefined ? undefined : new KnownApks(database, revisions);
  }

  /**
   * Inserts an APK and gives it a creation time later than every other's.
   * @throws DuplicateError where there is an APK with its sha256
   */
  async insert(this: ApkRepository<WriteHandle>, apk: NewApk): Promise<ApkRecord> {
    return (await this.insertAll([apk]))[0]!;
  }

  /**
   * Inserts APKs in their order, all or none of them; far faster than one after the other.
   * @returns their records in the same order
   * @throws DuplicateError where a sha256 is in the catalogue or more than once in the list
   */
  async insertAll(this: ApkRepository<WriteHandle>, apks: readonly NewApk[]): Promise<ApkRecord[]> {
    await refuseHeld(this.database, apks);
    const now = this.clock();
    const newest = await this.database.selectFrom('apks').select('created_at').orderBy('id', 'desc').limit(1).execute();
    // Creation times rise even where the clock stands still or was set back.
    const createdAt = Math.max(now, 1 + (newest[0]?.created_at ?? 0));
    const rows = await insertApks(this.database, apks, { createdAt, updatedAt: now });
    return rows.map((row) => toRecord(row, [], null));
  }

  /**
   * Gives APKs that were created later than a time, microseconds, the latest creation times before it, in their order.
   * @returns how many
   */
  async bringBack(this: ApkRepository<WriteHandle>, latest: number): Promise<number> {
    const ahead = await this.database
      .selectFrom('apks')
      .select('id')
      .where('created_at', '>', latest)
      .orderBy('created_at')
      .execute();
    if (ahead.length === 0) return 0;
    const { last } = await this.database
      .selectFrom('apks')
      .select(({ fn }) => fn.max('created_at').as('last'))
      .where('created_at', '<=', latest)
      .executeTakeFirstOrThrow();
    const first = Math.max(this.clock() - ahead.length, 1 + (last ?? 0));
    for (const [place, { id }] of ahead.entries()) {
      const times = { created_at: first + place, updated_at: this.clock() };
      await this.database.updateTable('apks').set(times).where('id', '=', id).execute();
    }
    return ahead.length;
  }

  /** The APK, null where there is none. */
  async findById(id: number): Promise<ApkRecord | null> {
    return (await this.findByIds([id])).get(id) ?? null;
  }

  /** Records of those ids that exist, by id. */
  async findByIds(ids: readonly number[]): Promise<Map<number, ApkRecord>> {
    if (ids.length === 0) return new Map();
    const moment = await this.#known?.catchUp();
    const found = new Map<number, ApkRecord>();
    const unknown: number[] = [];
    for (const id of ids) {
      const known = this.#known?.byId(id);
      if (known === undefined) unknown.push(id);
      else found.set(id, known);
    }
    if (unknown.length === 0) return found;
    const read = await this.#read(isOneOf('id', unknown));
    for (const apk of read) found.set(apk.id, apk);
    if (moment !== undefined) this.#known?.keep(read, moment);
    return found;
  }

  /** @param sha256 64 hex digits in any case; anything else finds nothing */
  async findBySha256(sha256: string): Promise<ApkRecord | null> {
    if (!hex64.test(sha256)) return null;
    const moment = await this.#known?.catchUp();
    const known = this.#known?.bySha256(sha256.toLowerCase());
    if (known !== undefined) return known;
    const hash = Buffer.from(sha256, 'hex');
    const [read] = await this.#read(sql`sha256 = ${hash}`);
    if (read === undefined) return null;
    if (moment !== undefined) this.#known?.keep([read], moment);
    return read;
  }

  /** Whether the record is cached: the same object is returned until something is written about its APK. */
  isKept(apk: ApkRecord): boolean {
    return this.#known?.byId(apk.id) === apk;
  }

  /** The whole catalogue, newest first. */
  async page(request: KeysetRequest): Promise<KeysetPage<ApkRecord>> {
    const ids = this.database.selectFrom('apks').select('id');
    const { items, ...ends } = await pageOf(ids, request, 'id', ({ id }) => id);
    const records = await this.findByIds(items);
    return { items: items.flatMap((id) => records.get(id) ?? []), ...ends };
  }

  /** Id and SHA-256 of APKs with lower ids than this one, the newest first. */
  async identities(below: number, limit: number): Promise<{ id: number; sha256: string }[]> {
    const { rows } = await sql<{ id: number; sha256: Buffer }>`
      select id, sha256 from apks where id < ${below} order by id desc limit ${limit}`.execute(this.database);
    return rows.map(({ id, sha256 }) => ({ id, sha256: sha256.toString('hex') }));
  }

  /** APKs created in `[from, to)`, microseconds, oldest first, read lazily. */
  async *createdBetween(from: number, to: number): AsyncGenerator<ApkRecord> {
    for (let beyond = from - 1; ; ) {
      const read = await this.#read(
        sql`created_at > ${beyond} and created_at < ${to} order by created_at limit ${streamedRows}`,
      );
      yield* read;
      if (read.length < streamedRows) return;
      beyond = read.at(-1)!.createdAt;
    }
  }

  /** The number of all APKs. */
  async count(): Promise<number> {
    const { count } = await this.database
      .selectFrom('apks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** @returns the changed record with a new `updatedAt`, null where there is none */
  async update(this: ApkRepository<WriteHandle>, id: number, changes: ApkChanges): Promise<ApkRecord | null> {
    const row = await this.database
      .updateTable('apks')
      .set({ ...toColumns(changes), updated_at: this.clock() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : (await this.#completed([withHex(row)]))[0]!;
  }

  /** Recomputes the number of public matches and the flag `isDetected`. */
  async recount(this: ApkRepository<WriteHandle>, ids: readonly number[]): Promise<void> {
    const matches = sql<number>`(
      select count(*) from matches join rulesets on rulesets.id = matches.ruleset_id
      where matches.apk_id = apks.id and rulesets.is_public = 1
    )`;
    const isDetected = sql<number>`exists (select 1 from detections where detections.apk_id = apks.id)`;
    await this.database
      .updateTable('apks')
      .set({ matches_count: matches, is_detected: isDetected, updated_at: this.clock() })
      .where(isOneOf('id', ids))
      .where(sql<SqlBool>`(matches_count, is_detected) <> (${matches}, ${isDetected})`)
      .execute();
  }

  /** Records the state of the stored file; does not change `updatedAt`. */
  async noteFileState(this: ApkRepository<WriteHandle>, sha256: string, state: FileState): Promise<void> {
    await this.database
      .updateTable('apks')
      .set({ file_state: state })
      .where('sha256', '=', Buffer.from(sha256, 'hex'))
      .where('file_state', '!=', state)
      .execute();
  }

  /** Ids above `afterId` in ascending order, of one signer or of all. */
  async idsAfter(afterId: number, signerId: number | null, limit: number): Promise<number[]> {
    let query = this.rowReader.selectFrom('apks').select('id').where('id', '>', afterId);
    if (signerId !== null) query = query.where('signer_id', '=', signerId);
    const rows = await query.orderBy('id').limit(limit).execute();
    return rows.map(({ id }) => id);
  }

  /** How many APKs count as one family, up to `most`. */
  async countFamily(family: string, most: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from (
      select 1 from apks where family = ${family} collate nocase and family <> '' limit ${most})`.execute(
      this.rowReader,
    );
    return rows[0]!.count;
  }

  /** Records risk and severity of an APK; does not change `updatedAt`. */
  async setRisk(
    this: ApkRepository<WriteHandle>,
    id: number,
    risk: number | null,
    severity: Severity | null,
  ): Promise<void> {
    const rank = severity === null ? null : severities.indexOf(severity);
    await this.database
      .updateTable('apks')
      .set({ risk, severity: rank })
      .where('id', '=', id)
      .where(sql<SqlBool>`(risk, severity) is not (${risk}, ${rank})`)
      .execute();
  }

  /** Records what lists say of an APK; does not change `updatedAt`. */
  async setKnown(this: ApkRepository<WriteHandle>, id: number, known: readonly Known[]): Promise<void> {
    const text = known.length === 0 ? null : JSON.stringify(known);
    await this.database.updateTable('apks').set({ known: text }).where('id', '=', id).execute();
  }

  /** What lists are asked by, of APKs of one signer or of all with ids above `afterId`, in ascending order. */
  async hashesAfter(afterId: number, signerId: number | null, limit: number): Promise<ListedHashes[]> {
    const { rows } = await sql<Omit<ListedHashes, 'known'> & { known: string | null }>`
      select id, lower(hex(sha256)) as sha256, lower(hex(sha1)) as sha1, lower(hex(md5)) as md5, company,
        signer_id as "signerId", known
      from apks where id > ${afterId} and ${signerId === null ? sql`1 = 1` : sql`signer_id = ${signerId}`}
      order by id limit ${limit}`.execute(this.rowReader);
    return rows.map((row) => ({ ...row, known: row.known === null ? [] : (JSON.parse(row.known) as Known[]) }));
  }

  /** Corrupted APKs that were not examined yet, with ids above `afterId`. */
  async ofUntoldDamage(afterId: number, limit: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`select id from apks
      where is_corrupted = 1 and damage is null and id > ${afterId} order by id limit ${limit}`.execute(this.database);
    return rows.map(({ id }) => id);
  }

  /** Records what is wrong with a corrupted APK; does not change `updatedAt`. */
  async setDamage(this: ApkRepository<WriteHandle>, id: number, damage: Damage): Promise<void> {
    await this.database
      .updateTable('apks')
      .set({ damage })
      .where('id', '=', id)
      .where('is_corrupted', '=', 1)
      .where('damage', 'is', null)
      .execute();
  }

  /** Deletes the record with its tags, reports and jobs. @returns whether it was there */
  async remove(this: ApkRepository<WriteHandle>, id: number): Promise<boolean> {
    const result = await this.database.deleteFrom('apks').where('id', '=', id).executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  /** @returns whether the tag is new on this APK */
  async addTag(this: ApkRepository<WriteHandle>, apkId: number, name: string): Promise<boolean> {
    const result = await this.database
      .insertInto('apk_tags')
      .values({ apk_id: apkId, name, created_at: this.clock() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** @returns whether the tag was there */
  async removeTag(this: ApkRepository<WriteHandle>, apkId: number, name: string): Promise<boolean> {
    const result = await this.database
      .deleteFrom('apk_tags')
      .where('apk_id', '=', apkId)
      .where('name', '=', name)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  /** @param which the condition of `where` */
  async #read(which: RawBuilder<unknown>): Promise<ApkRecord[]> {
    const { rows } = await sql<ApkRow>`select ${sql.raw(apkColumns)} from apks where ${which}`.execute(this.database);
    return this.#completed(rows);
  }

  async #completed(rows: readonly ApkRow[]): Promise<ApkRecord[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const tags = await this.database
      .selectFrom('apk_tags')
      .select(['apk_id', 'name'])
      .where(isOneOf('apk_id', ids))
      .orderBy('apk_id')
      .orderBy('name')
      .execute();
    const names = new Map<number, string[]>(ids.map((id) => [id, []]));
    for (const tag of tags) names.get(tag.apk_id)?.push(tag.name);
    const families = await this.#familyNames(rows);
    return rows.map((row) => toRecord(row, names.get(row.id) ?? [], families.get(row.code_family_id ?? 0) ?? null));
  }

  async #familyNames(rows: readonly ApkRow[]): Promise<Map<number, string>> {
    const ids = new Set(rows.flatMap(({ code_family_id: id }) => id ?? []));
    if (ids.size === 0) return new Map();
    const families = await this.database
      .selectFrom('families')
      .select(['id', 'title'])
      .where(isOneOf('id', [...ids]))
      .execute();
    return new Map(families.map(({ id, title }) => [id, title]));
  }
}
