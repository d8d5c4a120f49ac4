// Other machines that analyse for this workstation. Knows nothing of what they do.
import { createHash } from 'node:crypto';
import type { LabMachinesTable } from '../schema/workstation.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

/** All but the secret. */
const columns = ['id', 'name', 'state', 'created_at'] as const;
export type LabMachineRecord = RecordOf<Pick<LabMachinesTable, (typeof columns)[number]>>;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export class LabMachineRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** By name. */
  async list(): Promise<LabMachineRecord[]> {
    const rows = await this.database.selectFrom('lab_machines').select(columns).orderBy('name').orderBy('id').execute();
    return rows.map(recordOf);
  }

  /** @returns null where no machine has this token */
  async findByToken(token: string): Promise<LabMachineRecord | null> {
    const row = await this.database
      .selectFrom('lab_machines')
      .select(columns)
      .where('token_sha256', '=', hashOf(token))
      .executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** @param token of which only the hash is stored */
  async insert(this: LabMachineRepository<WriteHandle>, name: string, token: string): Promise<LabMachineRecord> {
    const row = await this.database
      .insertInto('lab_machines')
      .values({ name, token_sha256: hashOf(token), created_at: this.clock() })
      .returning(columns)
      .executeTakeFirstOrThrow();
    return recordOf(row);
  }

  /** @returns null where there is none of this id */
  async change(
    this: LabMachineRepository<WriteHandle>,
    id: number,
    state: LabMachineRecord['state'],
  ): Promise<LabMachineRecord | null> {
    const row = await this.database
      .updateTable('lab_machines')
      .set({ state })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** @returns whether it was there */
  async remove(this: LabMachineRepository<WriteHandle>, id: number): Promise<boolean> {
    const { numDeletedRows } = await this.database.deleteFrom('lab_machines').where('id', '=', id).executeTakeFirst();
    return numDeletedRows > 0n;
  }
}
