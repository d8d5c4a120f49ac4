// The audit log over HTTP, for the owner alone.
import { csvRow } from '../../contract/csv.ts';
import { jsonLine } from '../../contract/json-line.ts';
import type { auditOperations } from '../../contract/operations/audit.ts';
import type { AuditFilter } from '../../services/audit.ts';
import { queryOf } from '../addressing.ts';
import { actionsLike } from '../audit-words.ts';
import { type Handlers, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentAuditRecord } from '../presenters/audit.ts';
import { sendStream } from '../sent-stream.ts';

const columns = ['at', 'username', 'address', 'action', 'subject', 'status', 'count', 'last_at', 'words'] as const;

interface AuditQuery {
  username?: string | undefined;
  action?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const dayMicroseconds = 86_400_000_000;
const dayStart = (day: string) => Date.parse(`${day}T00:00:00Z`) * 1000;

const filterOf = ({ username, action, from, to }: AuditQuery): AuditFilter => ({
  username: username || null,
  actions: action === undefined ? null : actionsLike(action),
  from: from === undefined ? null : dayStart(from),
  before: to === undefined ? null : dayStart(to) + dayMicroseconds,
});

export const auditHandlers: Handlers<typeof auditOperations> = {
  'GET /audit/': async ({ query, request, presenting, services: { audit, ids } }) => {
    const filter = filterOf(query);
    const asked = pageRequestOf(queryOf(request), ids);
    const page = { ...(await audit.page(asked, filter)), count: await audit.count(filter) };
    return ok(cursorPage(request, asked, ids, page, (record) => presentAuditRecord(presenting, record)));
  },

  'GET /audit/export/': async ({ query: { format, ...query }, request, response, presenting, services: { audit } }) => {
    response.set('Content-Disposition', `attachment; filename="audit.${format}"`);
    response.type(format === 'csv' ? 'text/csv' : 'application/jsonl');
    const lines = (async function* () {
      if (format === 'csv') yield csvRow(columns);
      for await (const record of audit.all(filterOf(query))) {
        const shown = presentAuditRecord(presenting, record);
        yield format === 'csv' ? csvRow(columns.map((column) => shown[column])) : jsonLine(shown);
      }
    })();
    await sendStream(request, response, () => lines);
    return null;
  },
};
