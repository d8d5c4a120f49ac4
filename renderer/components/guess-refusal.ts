// What somebody is told whose password or code was refused. Knows neither.
import { ApiError } from '../api/client.ts';
import { texts } from '../texts.ts';

export const guessRefusal = (error: Error): string =>
  error instanceof ApiError && error.status === 429 && error.retryAfter !== null
    ? texts.login.wait(error.retryAfter)
    : error.message;
