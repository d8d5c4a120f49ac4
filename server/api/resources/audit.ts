// The audit log over HTTP, for the owner alone.
import { csvRow } from '../../contract/csv.ts';
import { jsonLine } from '../../contract/json-line.ts';
import type { auditOperations } from '../../contract/operations/audit.ts';
import { queryOf } from '../addressing.ts';
import { type Handlers, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentAuditRecord } from '../presenters/audit.ts';
import { sendStream } from '../sent-stream.ts';

const columns = ['at', 'username', 'address', 'action', 'subject', 'status', 'count', 'last_at'] as const;

export const auditHandlers: Handlers<typeof auditOperations> = {
  'GET /audit/': async ({ query, request, presenting, services: { audit, ids } }) => {
    const username = query.username || null;
    const asked = pageRequestOf(queryOf(request), ids);
    const page = { ...(await audit.page(asked, username)), count: await audit.count(username) };
    return ok(cursorPage(request, asked, ids, page, (record) => presentAuditRecord(presenting, record)));
  },

  'GET /audit/export/': async ({ query: { format }, request, response, presenting, services: { audit } }) => {
    response.set('Content-Disposition', `attachment; filename="audit.${format}"`);
    response.type(format === 'csv' ? 'text/csv' : 'application/jsonl');
    const lines = (async function* () {
      if (format === 'csv') yield csvRow(columns);
      for await (const record of audit.all()) {
        const shown = presentAuditRecord(presenting, record);
        yield format === 'csv' ? csvRow(columns.map((column) => shown[column])) : jsonLine(shown);
      }
    })();
    await sendStream(request, response, () => lines);
    return null;
  },
};
