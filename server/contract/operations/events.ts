// What happens in the workstation, as server-sent events over HTTP.
import type { Operations } from './operation.ts';

export const eventOperations = {
  'GET /events/': {
    summary: 'Server-sent events: jobs, new and changed APKs',
    access: 'token',
    answers: { 200: ['text/event-stream'] },
  },
} satisfies Operations;
