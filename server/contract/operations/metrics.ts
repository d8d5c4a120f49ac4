// What is measured, over HTTP.
import type { Operations } from './operation.ts';

export const metricsOperations = {
  'GET /metrics': {
    summary: 'What Prometheus collects, where the setting metrics is on (owner)',
    access: 'token',
    policy: 'settings.manage',
    isAudited: false,
    refusals: ['metrics-off'],
    answers: { 200: ['text/plain'] },
  },
} satisfies Operations;
