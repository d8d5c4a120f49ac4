// Signers' certificates seen in the catalogue, and which of them are trusted. Knows nothing of X.509.
import { type Selectable, sql } from 'kysely';
import type { SignersTable } from '../schema/catalogue.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export interface SignerRecord {
  id: number;
  /** Hashes of the certificate, lower-case hex. */
  sha256: string;
  sha1: string;
  isTrusted: boolean;
  /** Known for malware. */
  isBad: boolean;
}

/** A signer with figures of the catalogue. */
export interface CountedSigner extends SignerRecord {
  company: string;
  apks: number;
}

/** What the catalogue knows of a signer's APKs. */
export interface SignerStanding {
  apks: number;
  /** Whether older APKs were left out. */
  isMore: boolean;
  detected: number;
  malicious: number;
  suspicious: number;
  clean: number;
  families: string[];
}

/** The public test keys sign thousands of APKs: so many are read in some milliseconds. */
const maxStanding = 5000;
const maxFamilies = 20;
/** A signer rotates some times at the most; a public key may hand over to anybody. */
const maxHistory = 1000;

type CountedRow = Selectable<SignersTable> & { company: string; apks: number };

const toCounted = (row: CountedRow): CountedSigner => ({ ...toRecord(row), company: row.company, apks: row.apks });

/** The columns of a signer with those that are counted. */
const counted = sql`signers.*,
  (select count(*) from apks where apks.signer_id = signers.id) as apks,
  coalesce((select company from apks where apks.signer_id = signers.id order by id desc limit 1), '') as company`;

function toRecord(row: Selectable<SignersTable>): SignerRecord {
  return {
    id: row.id,
    sha256: Buffer.from(row.sha256).toString('hex'),
    sha1: Buffer.from(row.sha1).toString('hex'),
    isTrusted: row.is_trusted === 1,
    isBad: row.is_bad === 1,
  };
}

export class SignerRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** The record of this certificate, made where it is new. */
  async ensure(
    this: SignerRepository<WriteHandle>,
    certificate: { sha256: string; sha1: string },
  ): Promise<SignerRecord> {
    const sha256 = Buffer.from(certificate.sha256, 'hex');
    const known = await this.database.selectFrom('signers').selectAll().where('sha256', '=', sha256).executeTakeFirst();
    if (known !== undefined) return toRecord(known);
    const row = await this.database
      .insertInto('signers')
      .values({ sha256, sha1: Buffer.from(certificate.sha1, 'hex'), is_trusted: 0 })
      // Another request may have inserted it since; the update makes SQLite return the row.
      .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ sha256 }))
      .returningAll()
      .executeTakeFirstOrThrow();
    return toRecord(row);
  }

  /**
   * How many APKs a signer has here, how they are judged, and their families; of the newest alone where there are very
   * many.
   */
  async standing(id: number): Promise<SignerStanding> {
    const { rows } = await sql<{ is_detected: number; verdict: string; family: string }>`
      select is_detected, verdict, family from apks where signer_id = ${id} order by id desc limit ${maxStanding}
    `.execute(this.rowReader);
    const families = rows.flatMap(({ family }) => (family === '' ? [] : [family]));
    return {
      apks: rows.length,
      isMore: rows.length === maxStanding,
      detected: rows.filter(({ is_detected }) => is_detected === 1).length,
      malicious: rows.filter(({ verdict }) => verdict === 'malicious').length,
      suspicious: rows.filter(({ verdict }) => verdict === 'suspicious').length,
      clean: rows.filter(({ verdict }) => verdict === 'clean').length,
      families: [...new Set(families)].slice(0, maxFamilies),
    };
  }

  /** The signer, null where there is none. */
  async findById(id: number): Promise<SignerRecord | null> {
    const row = await this.database.selectFrom('signers').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Signers, those with most APKs first. @param isTrusted null: all */
  async list(
    isTrusted: boolean | null,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<CountedSigner[]> {
    const { rows } = await sql<CountedRow>`
      select ${counted} from signers where ${this.#trusted(isTrusted)}
      order by apks desc, id limit ${limit} offset ${offset}`.execute(this.countReader);
    return rows.map(toCounted);
  }

  /** How many signers there are, of the trusted or the others alone where `isTrusted` is not null. */
  async count(isTrusted: boolean | null): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from signers where ${this.#trusted(isTrusted)}`.execute(this.countReader);
    return rows[0]!.count;
  }

  #trusted(isTrusted: boolean | null) {
    return isTrusted === null ? sql`1 = 1` : sql`is_trusted = ${Number(isTrusted)}`;
  }

  /** @param sha256 64 hex digits; anything else finds nothing */
  async findBySha256(sha256: string): Promise<CountedSigner | null> {
    if (!/^[0-9a-f]{64}$/i.test(sha256)) return null;
    const { rows } = await sql<CountedRow>`
      select ${counted} from signers where sha256 = ${Buffer.from(sha256, 'hex')}`.execute(this.database);
    return rows[0] === undefined ? null : toCounted(rows[0]);
  }

  /** Marks every APK of a signer as trusted or not. */
  async markApks(this: SignerRepository<WriteHandle>, id: number, isTrusted: boolean): Promise<void> {
    await this.database
      .updateTable('apks')
      .set({ is_trusted: Number(isTrusted), updated_at: this.clock() })
      .where('signer_id', '=', id)
      .where('is_trusted', '!=', Number(isTrusted))
      .execute();
  }

  /** Sets whether a signer is trusted or bad; its APKs are updated by `markApks`. */
  async judge(
    this: SignerRepository<WriteHandle>,
    id: number,
    { isTrusted, isBad }: { isTrusted: boolean; isBad: boolean },
  ): Promise<void> {
    await this.database
      .updateTable('signers')
      .set({ is_trusted: Number(isTrusted), is_bad: Number(isBad) })
      .where('id', '=', id)
      .execute();
  }

  /**
   * Notes that each of some signers' certificates signed that of the next one.
   * @returns whether anything of it is new
   */
  async noteSuccession(this: SignerRepository<WriteHandle>, ids: readonly number[]): Promise<boolean> {
    let isNew = false;
    for (const [at, signerId] of ids.entries()) {
      if (at === 0) continue;
      const { numInsertedOrUpdatedRows: rows } = await this.database
        .insertInto('signer_successions')
        .values({ former_id: ids[at - 1]!, signer_id: signerId })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      isNew ||= Number(rows) > 0;
    }
    return isNew;
  }

  /** A signer with those whose certificates came before its own and after it, at most `maxHistory` each way. */
  async historyOf(id: number): Promise<Set<number>> {
    const { rows } = await sql<{ id: number }>`
      with recursive
        before (id) as (select ${id} union select s.former_id from before b join signer_successions s on s.signer_id = b.id limit ${maxHistory}),
        after (id) as (select ${id} union select s.signer_id from after a join signer_successions s on s.former_id = a.id limit ${maxHistory})
      select id from before union select id from after`.execute(this.database);
    return new Set(rows.map((row) => row.id));
  }

  /** Those of these signers that exist, by id. */
  async findByIds(ids: readonly number[]): Promise<Map<number, SignerRecord>> {
    const rows = await this.database.selectFrom('signers').selectAll().where(isOneOf('id', ids)).execute();
    return new Map(rows.map((row) => [row.id, toRecord(row)]));
  }
}
