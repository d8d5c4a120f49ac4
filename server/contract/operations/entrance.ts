// What the server says about itself over HTTP: the entrance, its health.
import { z } from 'zod';
import { healthSchema } from '../workstation/health.ts';
import type { Operations } from './operation.ts';

export const entranceOperations = {
  'GET /': {
    summary: 'The addresses of the interface; a browser goes to the user interface',
    access: 'anybody',
    answers: { 200: z.record(z.string(), z.string()), 302: null },
  },
  'GET /health/': {
    summary: 'Version, database, disk, queue, workers',
    access: 'lenient',
    answers: { 200: healthSchema, 503: healthSchema },
  },
} satisfies Operations;
