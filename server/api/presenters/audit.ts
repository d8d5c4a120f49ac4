// A record of the audit log as JSON.
import type { AuditRecordBody } from '../../contract/workstation/audit.ts';
import type { AuditRecord } from '../../services/audit.ts';
import { wordsOfAction } from '../audit-words.ts';
import { type Presenting, timestamp } from './presenting.ts';

export function presentAuditRecord({ ids }: Pick<Presenting, 'ids'>, record: AuditRecord): AuditRecordBody {
  const { id, at, last_at: lastAt, ...told } = record;
  return {
    ...told,
    words: wordsOfAction(record.action),
    id: ids.encode('audit', id),
    at: timestamp(at),
    last_at: timestamp(lastAt ?? at),
  };
}
