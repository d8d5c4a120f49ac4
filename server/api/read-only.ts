// Refuses all methods but those that read, where pages and files are served. Knows none of them.
import type { RequestHandler } from 'express';
import { Failure } from '../services/failure.ts';

export const readOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  response.set('Allow', 'GET, HEAD, OPTIONS');
  if (request.method !== 'OPTIONS') throw new Failure('method-not-allowed', { method: request.method });
  response.status(204).end();
};
