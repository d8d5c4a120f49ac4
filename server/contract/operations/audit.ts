// The audit log over HTTP, for the owner alone.
import { auditExportQuerySchema, auditPageSchema, auditQuerySchema } from '../workstation/audit.ts';
import type { Operations } from './operation.ts';

export const auditOperations = {
  'GET /audit/': {
    summary: 'Who did what, when and from where, newest first (owner)',
    access: 'token',
    policy: 'audit.read',
    query: auditQuerySchema,
    paging: 'cursor',
    answers: { 200: auditPageSchema },
  },
  'GET /audit/export/': {
    summary: 'The audit log, or what filters leave of it, as JSON lines or CSV, oldest first (owner)',
    isAudited: true,
    access: 'token',
    policy: 'audit.read',
    query: auditExportQuerySchema,
    answers: { 200: ['application/jsonl', 'text/csv'] },
  },
} satisfies Operations;
