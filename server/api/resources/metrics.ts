// What is measured, over HTTP.
import type { metricsOperations } from '../../contract/operations/metrics.ts';
import type { Handlers } from '../operation.ts';

export const metricsHandlers: Handlers<typeof metricsOperations> = {
  'GET /metrics': async ({ response, services }) => {
    response.type('text/plain; version=0.0.4; charset=utf-8').send(await services.metrics.text());
    return null;
  },
};
