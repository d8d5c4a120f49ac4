// The audit log over HTTP, for the owner alone.
import { auditExportQuerySchema, auditPageSchema, auditQuerySchema } from '../../contract/audit.ts';
import { csvRow } from '../../contract/csv.ts';
import { jsonLine } from '../../contract/json-line.ts';
import { Failure } from '../../services/failure.ts';
import { isAllowed } from '../../services/policies.ts';
import { queryOf } from '../addressing.ts';
import { ok, operation, type Resource } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentAuditRecord } from '../presenters/audit.ts';
import { sendStream } from '../sent-stream.ts';

const list = operation(
  {
    summary: 'Who did what, when and from where, newest first (owner)',
    access: 'token',
    querySchema: auditQuerySchema,
    answers: { 200: auditPageSchema },
  },
  async ({ account, query, request, presenting, services: { audit, ids } }) => {
    if (!isAllowed(account, 'audit.read')) throw new Failure('not-allowed');
    const username = query.username || null;
    const asked = pageRequestOf(queryOf(request), ids);
    const { rows, hasOlder, hasNewer } = await audit.page(asked, username);
    const page = { items: rows, hasOlder, hasNewer, count: await audit.count(username) };
    return ok(cursorPage(request, asked, ids, page, (record) => presentAuditRecord(presenting, record)));
  },
);

const columns = ['at', 'username', 'address', 'action', 'subject', 'status', 'count', 'last_at'] as const;

const download = operation(
  {
    summary: 'The whole audit log as JSON lines or CSV, oldest first (owner)',
    isAudited: true,
    access: 'token',
    querySchema: auditExportQuerySchema,
    answers: { 200: ['application/jsonl', 'text/csv'] },
  },
  async ({ account, query: { format }, request, response, presenting, services: { audit } }) => {
    if (!isAllowed(account, 'audit.read')) throw new Failure('not-allowed');
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
);

export const auditResources: Resource[] = [
  { path: '/audit', operations: { get: list } },
  { path: '/audit/export', operations: { get: download } },
];
