// Signers' certificates seen in the catalogue, and which of them are trusted. Knows nothing of X.509.
import type { Kysely, Selectable } from 'kysely';
import type { RepositoryContext } from './repository-context.ts';
import type { Database, SignersTable } from './schema.ts';

export interface SignerRecord {
  id: number;
  /** Hashes of the certificate, lower-case hex. */
  sha256: string;
  sha1: string;
  isTrusted: boolean;
}

function toRecord(row: Selectable<SignersTable>): SignerRecord {
  return {
    id: row.id,
    sha256: Buffer.from(row.sha256).toString('hex'),
    sha1: Buffer.from(row.sha1).toString('hex'),
    isTrusted: row.is_trusted === 1,
  };
}

export class SignerRepository {
  readonly #database: Kysely<Database>;

  constructor({ database }: RepositoryContext) {
    this.#database = database;
  }

  /** The record of this certificate, made where it is new. */
  async ensure(certificate: { sha256: string; sha1: string }): Promise<SignerRecord> {
    const sha256 = Buffer.from(certificate.sha256, 'hex');
    const known = await this.#database
      .selectFrom('signers')
      .selectAll()
      .where('sha256', '=', sha256)
      .executeTakeFirst();
    if (known !== undefined) return toRecord(known);
    const row = await this.#database
      .insertInto('signers')
      .values({ sha256, sha1: Buffer.from(certificate.sha1, 'hex'), is_trusted: 0 })
      // Another request may have made it since; the update only lets the row be returned.
      .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ sha256 }))
      .returningAll()
      .executeTakeFirstOrThrow();
    return toRecord(row);
  }

  async findById(id: number): Promise<SignerRecord | null> {
    const row = await this.#database.selectFrom('signers').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  async setTrusted(id: number, isTrusted: boolean): Promise<void> {
    await this.#database
      .updateTable('signers')
      .set({ is_trusted: Number(isTrusted) })
      .where('id', '=', id)
      .execute();
  }
}
