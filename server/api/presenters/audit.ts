// A record of the audit log as JSON.
import type { AuditRecordBody } from '../../contract/audit.ts';
import type { AuditRecord } from '../../services/audit.ts';
import { type Presenting, timestamp } from './presenting.ts';

export function presentAuditRecord({ ids }: Pick<Presenting, 'ids'>, record: AuditRecord): AuditRecordBody {
  const { username, address, action, subject, status } = record;
  return { id: ids.encode('audit', record.id), at: timestamp(record.at), username, address, action, subject, status };
}
